package dev.heddle.sparse;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.Granularity;
import dev.heddle.layout.Axis;

import java.util.List;
import java.util.Optional;

/// How one storage format arranges the elements of one width: a definition, from which reading,
/// writing, figures and documents derive.
///
/// @param granularity    what a chunk is
/// @param elements       the stored elements
/// @param indices        the metadata
/// @param rowMultiple    what the number of rows must be a multiple of
/// @param columnMultiple what the number of columns must be a multiple of
record Arrangement(
        Granularity granularity,
        Elements elements,
        Indices indices,
        int rowMultiple,
        int columnMultiple) {

    private static final int NIBBLE = 4;

    /// What a nibble says of a chunk.
    enum Coding {
        /// The places of its first and of its second stored unit, two bits each (PTX ISA
        /// 9.7.14.6.1).
        INDICES,
        /// Which of its four units are stored, a bit each.
        MASK
    }

    /// The stored elements.
    ///
    /// @param order from places to (row, stored column)
    /// @param fill  what a chunk stores beside its elements other than zero
    /// @param added what is added to the code of every stored element that is finite
    record Elements(TiledLayout order, Fill fill, int added) {}

    /// The metadata, which says where the stored elements belong.
    ///
    /// @param order  from places, counted in nibbles, to (row, chunk)
    /// @param coding what a nibble says
    /// @param word   the integers that the metadata is said to consist of
    /// @param empty  further nibbles that the library writes for a chunk without elements other
    ///     than zero
    /// @param copy   the order in which the metadata follows once more
    record Indices(
            TiledLayout order,
            Coding coding,
            IntegerFormat word,
            List<Integer> empty,
            Optional<TiledLayout> copy) {}

    /// Row-major stored elements, nibbles of indices in words, no demands.
    static Arrangement of(Granularity granularity, TiledLayout metadata, IntegerFormat word) {
        Fill fill = granularity == Granularity.ONE_OF_TWO ? Fill.ONE_OF_TWO : Fill.FIRST;
        return new Arrangement(
                granularity,
                new Elements(TiledLayout.rows(Axis.COLUMN, 1), fill, 0),
                new Indices(metadata, Coding.INDICES, word, List.of(), Optional.empty()),
                1,
                1);
    }

    Arrangement with(TiledLayout values) {
        return with(new Elements(values, fill(), added()));
    }

    Arrangement with(Fill fill, Integer... empty) {
        return with(new Elements(values(), fill, added()))
                .with(new Indices(metadata(), coding(), word(), List.of(empty), copy()));
    }

    Arrangement with(Coding coding) {
        return with(new Indices(metadata(), coding, word(), empty(), copy()));
    }

    Arrangement adding(int code) {
        return with(new Elements(values(), fill(), code));
    }

    Arrangement repeating(TiledLayout order) {
        return with(new Indices(metadata(), coding(), word(), empty(), Optional.of(order)));
    }

    Arrangement requiring(int rows, int columns) {
        return new Arrangement(granularity, elements, indices, rows, columns);
    }

    private Arrangement with(Elements other) {
        return new Arrangement(granularity, other, indices, rowMultiple, columnMultiple);
    }

    private Arrangement with(Indices other) {
        return new Arrangement(granularity, elements, other, rowMultiple, columnMultiple);
    }

    TiledLayout values() {
        return elements.order();
    }

    Fill fill() {
        return elements.fill();
    }

    int added() {
        return elements.added();
    }

    TiledLayout metadata() {
        return indices.order();
    }

    Coding coding() {
        return indices.coding();
    }

    IntegerFormat word() {
        return indices.word();
    }

    List<Integer> empty() {
        return indices.empty();
    }

    Optional<TiledLayout> copy() {
        return indices.copy();
    }

    /// Bytes of the metadata in its first order.
    long metadataBytes(MatrixType type) {
        return Plane.bytes(metadata(), type.rows(), chunks(type), NIBBLE);
    }

    /// Bytes of all metadata. The copy takes as much as the first, or what it reaches if that is
    /// more.
    long allMetadataBytes(MatrixType type) {
        long first = metadataBytes(type);
        return first
                + copy().map(order -> order.reach(type.rows(), chunks(type)) * NIBBLE / Byte.SIZE)
                        .map(reach -> Math.max(first, reach))
                        .orElse(0L);
    }

    private int chunks(MatrixType type) {
        return type.columns() / granularity.width();
    }

    /// Of each nibble in memory, the stored units; [Fill#REFUSED] where it says none.
    byte[] decoding(Chunks chunks) {
        byte[] kept = new byte[16];
        for (int nibble = 0; nibble < kept.length; nibble++) {
            kept[nibble] =
                    (byte)
                            (coding() == Coding.INDICES
                                    ? chunks.kept(nibble)
                                    : Integer.bitCount(nibble) == 2 ? nibble : Fill.REFUSED);
        }
        return kept;
    }

    /// Of each set of stored units, the nibble in memory.
    byte[] encoding(Chunks chunks) {
        byte[] nibbles = chunks.nibbles();
        if (coding() == Coding.MASK) {
            for (int set = 0; set < nibbles.length; set++) {
                nibbles[set] = (byte) set;
            }
        }
        return nibbles;
    }
}
