package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.Format;

/// Computes D element by element, from codes: for rules that no other kernel has, for metadata that
/// the manual does not define, and for the exact twin.
final class ElementKernel implements Microkernel {

    /// The rule for one element.
    interface Element {
        /// The code of D at a row and a column.
        long code(Inputs in, int row, int column);
    }

    private final Placement d;
    private final int bits;
    private final Element element;

    ElementKernel(Placement d, Format formatD, Element element) {
        this.d = d;
        this.bits = formatD.bits();
        this.element = element;
    }

    @Override
    public void run(Inputs in, int[] result) {
        for (int row = 0; row < d.majors(); row++) {
            for (int column = 0; column < d.minors(); column++) {
                d.store(result, row, column, bits, element.code(in, row, column));
            }
        }
    }
}
