package dev.heddle.tensorcore.kernel;

import dev.heddle.isa.Granularity;
import dev.heddle.isa.Metadata;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Computes D from operands that are decoded once: element by element in ordinary arithmetic, which
/// is fast from its first calls and serves the first products of a process; or by vectors of
/// columns, on machines without vectors of 512 bits.
///
/// It belongs to one form and one placement of operands, has buffers of its own and is for one
/// thread at a time.
public final class PlainKernel {

    /// The rule by which products become an element of D.
    sealed interface Products permits ElementProducts, FusedColumns, IntegerColumns {
        /// Computes D.
        ///
        /// @param selected for each stored k of each row of A, the k of B that it multiplies
        /// @param perRow   how many of them are a row's; 0 if all rows share them
        void multiply(Inputs in, int[] selected, int perRow, int[] result);
    }

    private final Products products;
    private final int[] selected;
    private final int perRow;
    private final Optional<Selection> selection;

    /// @param rows   of A
    /// @param stored elements of a row of A
    PlainKernel(int rows, int stored, Products products, Optional<Selection> selection) {
        this.products = products;
        this.selection = selection;
        this.perRow = selection.isPresent() ? stored : 0;
        this.selected = new int[selection.isPresent() ? rows * stored : stored];
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
        products.multiply(in, selected, perRow, result);
        return true;
    }

    /// Which elements of B the stored elements of a sparse A multiply.
    static final class Selection {
        private final List<Placement> places;
        private final int width;
        private final int stored;
        // For each nibble, where in its chunk the stored elements are; -1 where the manual does
        // not define the nibble
        private final int[] columns;

        private Selection(Granularity granularity, List<Placement> places) {
            this.places = places;
            this.width = granularity.width();
            this.stored = granularity.stored();
            this.columns = new int[16 * stored];
            Arrays.fill(columns, -1);
        }

        /// @param places for each selector, where the nibbles are by row and chunk
        static Selection of(Metadata metadata, List<Placement> places) {
            Granularity granularity = metadata.granularity();
            Selection selection = new Selection(granularity, places);
            for (int nibble : metadata.validNibbles()) {
                for (int i = 0; i < selection.stored; i++) {
                    selection.columns[nibble * selection.stored + i] =
                            granularity.column(nibble, i);
                }
            }
            return selection;
        }

        private boolean read(int[] metadata, int selector, int[] selected) {
            Placement nibbles = places.get(selector);
            int chunks = nibbles.minors();
            int[] word = nibbles.word();
            int[] bit = nibbles.bit();
            int to = 0;
            for (int at = 0; at < word.length; at++) {
                int from = (metadata[word[at]] >>> bit[at] & 15) * stored;
                if (columns[from] < 0) {
                    return false;
                }
                int first = at % chunks * width;
                for (int i = 0; i < stored; i++) {
                    selected[to++] = first + columns[from + i];
                }
            }
            return true;
        }
    }
}
