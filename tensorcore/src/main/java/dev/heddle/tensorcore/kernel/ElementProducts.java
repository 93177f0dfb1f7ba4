package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.Format;

/// Products that compute D element by element, in ordinary arithmetic: fast from their first calls.
abstract sealed class ElementProducts implements PlainKernel.Products
        permits PlainFusedProducts, PlainIntegerProducts, PlainScaledProducts {
    private final Placement d;
    private final int bits;

    ElementProducts(Placement d, Format formatD) {
        this.d = d;
        this.bits = formatD.bits();
    }

    @Override
    public void multiply(Inputs in, int[] selected, int perRow, int[] result) {
        read(in);
        for (int row = 0; row < d.majors(); row++) {
            for (int column = 0; column < d.minors(); column++) {
                d.store(result, row, column, bits, element(row, column, selected, row * perRow));
            }
        }
    }

    /// Decodes A, B and C.
    abstract void read(Inputs in);

    /// The code of an element of D.
    ///
    /// @param selected for each stored k of the row of A, the k of B that it multiplies
    /// @param from     where the row's part of `selected` begins
    abstract long element(int row, int column, int[] selected, int from);
}
