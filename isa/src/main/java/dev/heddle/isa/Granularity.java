package dev.heddle.isa;

import dev.heddle.isa.rule.Rule;

import java.util.List;
import java.util.stream.IntStream;

/// How a sparse row of A is cut into chunks, and what a chunk's metadata nibble may say.
///
/// Bits 1..0 of a nibble are the position of the first stored unit of the chunk, bits 3..2 that of
/// the second. A unit is one element, a pair of elements for 4-bit types; a tf32 chunk stores one
/// element, and its nibble names the two 16-bit halves of it.
///
/// PTX ISA 9.7.14.6.1 and 9.7.15.6.1.
public enum Granularity {
    /// Two of four adjacent elements: f16, bf16, 8-bit types.
    TWO_OF_FOUR("2:4", 4, 2, 1),
    /// One of two adjacent elements: tf32.
    ONE_OF_TWO("1:2", 2, 1, 1),
    /// Two of four adjacent pairs: 4-bit types.
    PAIRS_FOUR_OF_EIGHT("4:8 pair-wise", 8, 4, 2);

    private static final List<Integer> ORDERED =
            List.of(0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110);
    private static final List<Integer> DISTINCT =
            IntStream.range(0, 16).filter(n -> (n & 3) != n >> 2).boxed().toList();
    private static final List<Integer> HALVES = List.of(0b0100, 0b1110);

    private final String notation;
    private final int width;
    private final int stored;
    private final int unit;

    Granularity(String notation, int width, int stored, int unit) {
        this.notation = notation;
        this.width = width;
        this.stored = stored;
        this.unit = unit;
    }

    /// Columns of a chunk: 4, 2 or 8.
    public int width() {
        return width;
    }

    /// Stored elements of a chunk: 2, 1 or 4.
    public int stored() {
        return stored;
    }

    /// Adjacent elements that are kept or dropped together: 1 or 2.
    public int unit() {
        return unit;
    }

    /// How much of a chunk may be other than zero: `2 of 4 elements`.
    public String allowance() {
        return "%s of %s %s"
                .formatted(stored / unit, width / unit, unit == 1 ? "elements" : "pairs");
    }

    /// The nibbles that the manual defines, smallest first.
    ///
    /// @param ordered whether the indices must increase (`::ordered_metadata`)
    public List<Integer> nibbles(boolean ordered) {
        return this == ONE_OF_TWO ? HALVES : ordered ? ORDERED : DISTINCT;
    }

    /// The rule that a nibble breaks which is not among [#nibbles].
    public Rule brokenBy(int nibble) {
        if (this == ONE_OF_TWO) {
            return Rule.METADATA_NOT_TF32;
        }
        return (nibble & 3) == nibble >> 2 ? Rule.METADATA_EQUAL_INDICES : Rule.METADATA_UNORDERED;
    }

    /// The column within its chunk of a stored element.
    ///
    /// @param nibble one of [#nibbles]
    /// @param index  0 up to [#stored]
    public int column(int nibble, int index) {
        if (this == ONE_OF_TWO) {
            return nibble >> 3;
        }
        int position = nibble >> 2 * (index / unit) & 3;
        return position * unit + index % unit;
    }

    /// The nibble, indices in increasing order, that keeps these columns of a chunk.
    ///
    /// @param columns the kept columns within the chunk, increasing, [#stored] of them
    public int nibbleFor(List<Integer> columns) {
        if (this == ONE_OF_TWO) {
            return columns.getFirst() == 0 ? 0b0100 : 0b1110;
        }
        return columns.get(0) / unit | columns.get(unit) / unit << 2;
    }

    /// `2:4`
    @Override
    public String toString() {
        return notation;
    }
}
