package dev.heddle.sparse;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.Granularity;
import dev.heddle.layout.Axis;

import java.util.List;
import java.util.Optional;

/// How one storage format arranges the elements of one width: a definition, from which reading,
/// writing, figures and documents derive.
///
/// @param granularity   what a chunk is
/// @param values        from places to (row, stored column) of the stored elements
/// @param metadata      from places, counted in nibbles, to (row, chunk)
/// @param coding        what a nibble says
/// @param word          the integers that the metadata is said to consist of
/// @param fill          what a chunk stores beside its elements other than zero
/// @param empty         further nibbles that the library writes for a chunk without elements other
///     than zero
/// @param added         what is added to the code of every stored element that is finite
/// @param copy          the order in which the metadata follows once more
/// @param rowMultiple   what the number of rows must be a multiple of
/// @param columnMultiple what the number of columns must be a multiple of
record Arrangement(
        Granularity granularity,
        TiledLayout values,
        TiledLayout metadata,
        Coding coding,
        IntegerFormat word,
        Fill fill,
        List<Integer> empty,
        int added,
        Optional<TiledLayout> copy,
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

    /// Row-major stored elements, nibbles of indices in words, no demands.
    static Arrangement of(Granularity granularity, TiledLayout metadata, IntegerFormat word) {
        return new Arrangement(
                granularity,
                TiledLayout.rows(Axis.COLUMN, 1),
                metadata,
                Coding.INDICES,
                word,
                granularity == Granularity.ONE_OF_TWO ? Fill.ONE_OF_TWO : Fill.FIRST,
                List.of(),
                0,
                Optional.empty(),
                1,
                1);
    }

    Arrangement with(TiledLayout otherValues) {
        return new Arrangement(
                granularity,
                otherValues,
                metadata,
                coding,
                word,
                fill,
                empty,
                added,
                copy,
                rowMultiple,
                columnMultiple);
    }

    Arrangement with(Fill otherFill, Integer... otherEmpty) {
        return new Arrangement(
                granularity,
                values,
                metadata,
                coding,
                word,
                otherFill,
                List.of(otherEmpty),
                added,
                copy,
                rowMultiple,
                columnMultiple);
    }

    Arrangement with(Coding otherCoding) {
        return new Arrangement(
                granularity,
                values,
                metadata,
                otherCoding,
                word,
                fill,
                empty,
                added,
                copy,
                rowMultiple,
                columnMultiple);
    }

    Arrangement adding(int code) {
        return new Arrangement(
                granularity,
                values,
                metadata,
                coding,
                word,
                fill,
                empty,
                code,
                copy,
                rowMultiple,
                columnMultiple);
    }

    Arrangement repeating(TiledLayout otherOrder) {
        return new Arrangement(
                granularity,
                values,
                metadata,
                coding,
                word,
                fill,
                empty,
                added,
                Optional.of(otherOrder),
                rowMultiple,
                columnMultiple);
    }

    Arrangement requiring(int rows, int columns) {
        return new Arrangement(
                granularity,
                values,
                metadata,
                coding,
                word,
                fill,
                empty,
                added,
                copy,
                rows,
                columns);
    }

    /// Bytes of the metadata in its first order.
    long metadataBytes(MatrixType type) {
        return Plane.bytes(metadata, type.rows(), chunks(type), NIBBLE);
    }

    /// Bytes of all metadata. The copy takes as much as the first, or what it reaches if that is
    /// more.
    long allMetadataBytes(MatrixType type) {
        long first = metadataBytes(type);
        return first
                + copy.map(order -> order.reach(type.rows(), chunks(type)) * NIBBLE / Byte.SIZE)
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
                            (coding == Coding.INDICES
                                    ? chunks.kept(nibble)
                                    : Integer.bitCount(nibble) == 2 ? nibble : Fill.REFUSED);
        }
        return kept;
    }

    /// Of each set of stored units, the nibble in memory.
    byte[] encoding(Chunks chunks) {
        byte[] nibbles = chunks.nibbles();
        if (coding == Coding.MASK) {
            for (int set = 0; set < nibbles.length; set++) {
                nibbles[set] = (byte) set;
            }
        }
        return nibbles;
    }
}
