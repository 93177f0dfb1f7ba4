package dev.heddle.isa;

import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// The sparse A of one instruction: from M x K elements to the stored M x K/2 with their metadata,
/// and back.
///
/// ```
/// SparseTile tile =
/// SparseTile.of(Form.of("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"));
/// CompressedTile compressed = tile.compress(tile.prune(a));
/// int[] words = compressed.words(2);                      // lanes 2, 6, 10, … supply metadata
/// tile.expand(compressed.stored(), words, 2);             // the pruned matrix again
/// ```
///
/// PTX ISA 9.7.14.6.1 and 9.7.15.6.1.
///
/// @param metadata how chunks of A are described
/// @param format   the element type of A
public record SparseTile(Metadata metadata, Format format) {

    /// The sparse A of a form.
    ///
    /// @throws IllegalArgumentException if its A is dense
    public static SparseTile of(Form form) {
        Metadata metadata =
                form.metadata()
                        .orElseThrow(
                                () ->
                                        new InputException(
                                                form + ": expected mma.sp or wgmma.mma_async.sp"));
        return new SparseTile(metadata, form.type(Role.A));
    }

    /// Rows of A.
    public int rows() {
        return metadata.rows();
    }

    /// Columns of A: K.
    public int columns() {
        return metadata.chunks() * granularity().width();
    }

    /// Columns of the stored A: K/2.
    public int storedColumns() {
        return metadata.chunks() * granularity().stored();
    }

    /// The matrix with all but the largest magnitudes of each chunk set to zero.
    ///
    /// Units are compared by the exact sum of their elements' magnitudes; NaN counts above
    /// infinity. Of equal units the first stay.
    ///
    /// @param a M x K
    /// @throws IllegalArgumentException if it is of another size or format
    public Matrix prune(Matrix a) {
        check("A", a, columns());
        int unit = granularity().unit();
        Matrix pruned = Matrix.zeros(format, rows(), columns());
        for (int row = 0; row < rows(); row++) {
            for (int chunk = 0; chunk < metadata.chunks(); chunk++) {
                for (int kept : largest(a, row, chunk)) {
                    int first = chunk * granularity().width() + kept * unit;
                    for (int column = first; column < first + unit; column++) {
                        pruned.set(row, column, a.bits(row, column));
                    }
                }
            }
        }
        return pruned;
    }

    /// The chunks with more values other than zero than can be stored, by rows.
    ///
    /// @param a M x K
    /// @throws IllegalArgumentException if it is of another size or format
    public List<Nonconformity> nonconformities(Matrix a) {
        check("A", a, columns());
        List<Nonconformity> found = new ArrayList<>();
        for (int row = 0; row < rows(); row++) {
            for (int chunk = 0; chunk < metadata.chunks(); chunk++) {
                if (units(a, row, chunk).stream().filter(Unit::nonzero).count() > storedUnits()) {
                    found.add(nonconformity(a, row, chunk));
                }
            }
        }
        return List.copyOf(found);
    }

    /// The stored elements and their indices, which increase in every chunk.
    ///
    /// A chunk with room left stores elements of value zero: first those whose code is not zero
    /// (-0), then the first ones. So nothing but a -0 beside a full chunk is changed by compressing
    /// and expanding, and metadata is legal where A is zero.
    ///
    /// @param a M x K
    /// @throws IllegalArgumentException if it is of another size or format, or a chunk does not
    ///     conform; the message names row, chunk and values
    public CompressedTile compress(Matrix a) {
        List<Nonconformity> refused = nonconformities(a);
        if (!refused.isEmpty()) {
            throw new InputException(refused.getFirst().toString());
        }
        Matrix stored = Matrix.zeros(format, rows(), storedColumns());
        Matrix indices = Matrix.zeros(IntegerFormat.U4, rows(), metadata.chunks());
        for (int row = 0; row < rows(); row++) {
            for (int chunk = 0; chunk < metadata.chunks(); chunk++) {
                int nibble = granularity().nibbleFor(keptColumns(a, row, chunk));
                indices.set(row, chunk, nibble);
                for (int i = 0; i < granularity().stored(); i++) {
                    int column = chunk * granularity().width() + granularity().column(nibble, i);
                    stored.set(row, chunk * granularity().stored() + i, a.bits(row, column));
                }
            }
        }
        return new CompressedTile(this, stored, indices);
    }

    /// The matrix that stored elements and metadata words describe.
    ///
    /// @param stored   M x K/2
    /// @param words    the metadata word of each lane; only those of the selected lanes count
    /// @param selector the sparsity selector
    /// @throws IllegalArgumentException if the stored matrix is of another size or format, the
    ///     words are not one a lane, or the manual leaves a nibble undefined; the message names
    ///     lane, nibble, row and chunk
    /// @throws IndexOutOfBoundsException if the form has no such selector
    public Matrix expand(Matrix stored, int[] words, int selector) {
        List<MetadataFault> faults = faults(words, selector);
        if (!faults.isEmpty()) {
            throw new InputException(faults.getFirst().toString());
        }
        return new CompressedTile(this, stored, indices(words, selector)).expand();
    }

    /// The nibbles that the manual leaves undefined, by lanes.
    ///
    /// @param words    the metadata word of each lane; only those of the selected lanes count
    /// @param selector the sparsity selector
    /// @throws IllegalArgumentException if the words are not one a lane
    /// @throws IndexOutOfBoundsException if the form has no such selector
    public List<MetadataFault> faults(int[] words, int selector) {
        checkLanes(words);
        List<MetadataFault> faults = new ArrayList<>();
        for (int lane : metadata.suppliers(selector)) {
            for (int slot = 0; slot < Metadata.SLOTS; slot++) {
                Metadata.Nibble place = new Metadata.Nibble(lane, slot);
                int value = place.of(words[lane]);
                Metadata.Chunk chunk = metadata.chunk(place);
                metadata.brokenBy(value)
                        .map(rule -> new MetadataFault(rule, place, chunk, value))
                        .ifPresent(faults::add);
            }
        }
        return List.copyOf(faults);
    }

    /// The nibble of each chunk, M x chunks, that the words of the selected lanes hold.
    ///
    /// @throws IllegalArgumentException if the words are not one a lane
    /// @throws IndexOutOfBoundsException if the form has no such selector
    public Matrix indices(int[] words, int selector) {
        checkLanes(words);
        return Matrix.of(
                IntegerFormat.U4,
                rows(),
                metadata.chunks(),
                (row, chunk) -> {
                    Metadata.Nibble place =
                            metadata.nibble(new Metadata.Chunk(row, chunk), selector);
                    return place.of(words[place.lane()]);
                });
    }

    void check(String what, Matrix matrix, int columns) {
        if (matrix.rows() != rows()
                || matrix.columns() != columns
                || !matrix.format().equals(format)) {
            throw new InputException(
                    "%s is %s: expected %s x %s %s"
                            .formatted(what, matrix, rows(), columns, format));
        }
    }

    private void checkLanes(int[] words) {
        if (words.length != metadata.lanes()) {
            throw new IllegalArgumentException(
                    words.length + " metadata words: expected one a lane, " + metadata.lanes());
        }
    }

    private Granularity granularity() {
        return metadata.granularity();
    }

    private int storedUnits() {
        return granularity().stored() / granularity().unit();
    }

    /// What is kept or dropped together.
    ///
    /// @param index     its place in the chunk
    /// @param magnitude sum of the magnitudes of its elements
    /// @param blank     whether all its codes are zero
    private record Unit(int index, double magnitude, boolean blank) {
        boolean nonzero() {
            return magnitude != 0;
        }
    }

    private List<Unit> units(Matrix a, int row, int chunk) {
        int unit = granularity().unit();
        List<Unit> units = new ArrayList<>();
        for (int index = 0; index < granularity().width() / unit; index++) {
            int first = chunk * granularity().width() + index * unit;
            double magnitude = 0;
            boolean blank = true;
            for (int column = first; column < first + unit; column++) {
                // Exact: only 4-bit elements come in pairs
                magnitude += Math.abs(a.toDouble(row, column));
                blank &= a.bits(row, column) == 0;
            }
            units.add(new Unit(index, magnitude, blank));
        }
        return units;
    }

    private List<Integer> largest(Matrix a, int row, int chunk) {
        return units(a, row, chunk).stream()
                .sorted((x, y) -> Double.compare(y.magnitude, x.magnitude))
                .limit(storedUnits())
                .map(Unit::index)
                .sorted()
                .toList();
    }

    /// The columns within the chunk that a conforming chunk stores.
    private List<Integer> keptColumns(Matrix a, int row, int chunk) {
        int unit = granularity().unit();
        return units(a, row, chunk).stream()
                .sorted(
                        (x, y) ->
                                x.nonzero() != y.nonzero()
                                        ? Boolean.compare(y.nonzero(), x.nonzero())
                                        : Boolean.compare(x.blank, y.blank))
                .limit(storedUnits())
                .map(Unit::index)
                .sorted()
                .flatMap(index -> IntStream.range(index * unit, (index + 1) * unit).boxed())
                .toList();
    }

    private Nonconformity nonconformity(Matrix a, int row, int chunk) {
        int first = chunk * granularity().width();
        return new Nonconformity(
                row,
                chunk,
                granularity(),
                IntStream.range(first, first + granularity().width())
                        .mapToObj(column -> a.toDouble(row, column))
                        .toList(),
                metadata.lanes() == 32 ? "9.7.14.6.1" : "9.7.15.6.1");
    }
}
