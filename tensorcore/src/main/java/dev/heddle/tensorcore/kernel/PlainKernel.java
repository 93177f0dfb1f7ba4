package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.Format;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.Metadata;

import java.util.List;
import java.util.Optional;

/// Computes D in ordinary arithmetic: each operand is decoded once, then every element of D is a
/// loop over k. It needs no vectors and is fast from its first calls, so it serves the first
/// products of a process, and machines without vectors of 512 bits.
///
/// It belongs to one form and one placement of operands, has buffers of its own and is for one
/// thread at a time.
public final class PlainKernel {

    /// The rule by which products become an element of D.
    interface Products {
        /// Decodes A, B and C.
        void read(Inputs in);

        /// The code of an element of D.
        ///
        /// @param selected for each stored k of the row of A, the k of B that it multiplies
        /// @param from     where the row's part of `selected` begins
        long element(int row, int column, int[] selected, int from);
    }

    private final Placement d;
    private final int bits;
    private final Products products;
    private final int[] selected;
    private final Optional<Selection> selection;

    /// @param stored elements of a row of A
    PlainKernel(
            Placement d,
            Format formatD,
            int stored,
            Products products,
            Optional<Selection> selection) {
        this.d = d;
        this.bits = formatD.bits();
        this.products = products;
        this.selection = selection;
        this.selected = new int[selection.isPresent() ? d.majors() * stored : stored];
        for (int k = 0; k < selected.length; k++) {
            selected[k] = k;
        }
    }

    /// Computes D.
    ///
    /// @param metadata the words of a sparse A's metadata
    /// @param selector the sparsity selector
    /// @return false if the manual does not define the metadata; then nothing was written
    public boolean run(Inputs in, int[] metadata, int selector, int[] result) {
        if (selection.isPresent() && !selection.get().read(metadata, selector, selected)) {
            return false;
        }
        products.read(in);
        int perRow = selection.isPresent() ? selected.length / d.majors() : 0;
        for (int row = 0; row < d.majors(); row++) {
            for (int column = 0; column < d.minors(); column++) {
                long code = products.element(row, column, selected, row * perRow);
                d.store(result, row, column, bits, code);
            }
        }
        return true;
    }

    /// Which elements of B the stored elements of a sparse A multiply.
    ///
    /// @param places for each selector, where the nibbles stand by row and chunk
    /// @param legal  a bit for each nibble that the manual defines
    record Selection(Granularity granularity, List<Placement> places, int legal) {
        static Selection of(Metadata metadata, List<Placement> places) {
            int legal = 0;
            for (int nibble : metadata.validNibbles()) {
                legal |= 1 << nibble;
            }
            return new Selection(metadata.granularity(), places, legal);
        }

        private boolean read(int[] metadata, int selector, int[] selected) {
            Placement nibbles = places.get(selector);
            int stored = granularity.stored();
            int to = 0;
            for (int row = 0; row < nibbles.majors(); row++) {
                for (int chunk = 0; chunk < nibbles.minors(); chunk++) {
                    int nibble = nibbles.load(metadata, row, chunk) & 15;
                    if ((legal >>> nibble & 1) == 0) {
                        return false;
                    }
                    for (int i = 0; i < stored; i++) {
                        selected[to++] =
                                chunk * granularity.width() + granularity.column(nibble, i);
                    }
                }
            }
            return true;
        }
    }
}
