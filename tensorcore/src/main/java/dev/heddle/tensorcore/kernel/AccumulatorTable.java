package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.IntVector;

import java.util.Arrays;
import java.util.Optional;

/// Moves accumulators between registers and vectors of sixteen rows of one column.
///
/// 32-bit accumulators move as they are; f16 ones become `float` values on the way in, and two
/// columns that share words move together.
final class AccumulatorTable {
    private static final int FRACTION_GAP = 13;

    private final WordPermutation read;
    private final Optional<WordPermutation> write;
    private final int[] scattered;
    private final int elements;
    private final boolean half;
    // Words of two f16 accumulators each, on their way
    private final int[] pairs;

    private AccumulatorTable(int[] index, boolean half) {
        this.read = WordPermutation.of(index);
        this.write = inverse(index).map(WordPermutation::of);
        this.scattered = index;
        this.elements = half ? 2 * index.length : index.length;
        this.half = half;
        this.pairs = new int[half ? index.length : 0];
    }

    /// @param placement where (row, column) is; f16: columns 2n and 2n + 1 in the low and the
    ///     high half of a word
    static AccumulatorTable of(Placement placement, boolean half) {
        int columns = placement.minors();
        int step = half ? 2 : 1;
        int vectors = Math.ceilDiv(placement.majors(), Lanes.COUNT) * columns;
        int[] index = new int[vectors / step * Lanes.COUNT];
        for (int at = 0; at < vectors * Lanes.COUNT; at++) {
            int vector = at / Lanes.COUNT;
            int row = (vector / columns * Lanes.COUNT + at % Lanes.COUNT) % placement.majors();
            int element = row * columns + vector % columns;
            index[vector / step * Lanes.COUNT + at % Lanes.COUNT] = placement.word()[element];
            int expected = vector % step * Short.SIZE;
            if (placement.bit()[element] != expected) {
                throw new IllegalArgumentException(
                        "accumulator (%d, %d) stands at bit %d of its word: expected %d"
                                .formatted(
                                        row,
                                        element % columns,
                                        placement.bit()[element],
                                        expected));
            }
        }
        return new AccumulatorTable(index, half);
    }

    /// Where each word of the registers is in the vectors; empty if they leave some out.
    private static Optional<int[]> inverse(int[] index) {
        int words = Arrays.stream(index).max().orElse(-1) + 1;
        int[] inverse = new int[words];
        Arrays.fill(inverse, -1);
        for (int at = index.length - 1; at >= 0; at--) {
            inverse[index[at]] = at;
        }
        boolean whole = words % Lanes.COUNT == 0 && Arrays.stream(inverse).allMatch(at -> at >= 0);
        return whole ? Optional.of(inverse) : Optional.empty();
    }

    /// For each vector and lane, the word of the registers.
    int[] index() {
        return scattered;
    }

    /// For each word of the registers, where it is in the vectors; empty if they leave some
    /// out.
    Optional<int[]> written() {
        return inverse(scattered);
    }

    int elements() {
        return elements;
    }

    /// Reads accumulators: `float` bits, or integers.
    void read(int[] words, int[] plane) {
        if (half) {
            read.apply(words, pairs);
            separate(plane);
            toFloats(plane);
        } else {
            read.apply(words, plane);
        }
    }

    /// Writes results; the plane of f16 ones is used up.
    void write(int[] plane, int[] words) {
        if (half) {
            toHalves(plane);
            join(plane);
        }
        int[] vectors = half ? pairs : plane;
        if (write.isPresent()) {
            write.get().apply(vectors, words);
        } else {
            scatter(vectors, words);
        }
    }

    private void scatter(int[] vectors, int[] words) {
        for (int at = 0; at < scattered.length; at += Lanes.COUNT) {
            IntVector.fromArray(Lanes.INT, vectors, at).intoArray(words, 0, scattered, at);
        }
    }

    private void separate(int[] plane) {
        for (int at = 0; at < pairs.length; at += Lanes.COUNT) {
            IntVector word = IntVector.fromArray(Lanes.INT, pairs, at);
            word.and(0xFFFF).intoArray(plane, 2 * at);
            word.lanewise(LSHR, Short.SIZE).intoArray(plane, 2 * at + Lanes.COUNT);
        }
    }

    private void join(int[] plane) {
        for (int at = 0; at < pairs.length; at += Lanes.COUNT) {
            IntVector.fromArray(Lanes.INT, plane, 2 * at + Lanes.COUNT)
                    .lanewise(LSHL, Short.SIZE)
                    .or(IntVector.fromArray(Lanes.INT, plane, 2 * at))
                    .intoArray(pairs, at);
        }
    }

    private static void toFloats(int[] plane) {
        for (int at = 0; at < plane.length; at += Lanes.COUNT) {
            IntVector code = IntVector.fromArray(Lanes.INT, plane, at);
            IntVector magnitude = code.and(0x7FFF).lanewise(LSHL, FRACTION_GAP);
            magnitude
                    .reinterpretAsFloats()
                    .mul(0x1p112f)
                    .reinterpretAsInts()
                    .blend(magnitude.or(0x7F80_0000), magnitude.compare(GE, 0x7C00 << FRACTION_GAP))
                    .or(code.and(0x8000).lanewise(LSHL, Short.SIZE))
                    .intoArray(plane, at);
        }
    }

    /// Replaces `float` values that are f16 values by their codes; every NaN by the canonical one.
    private static void toHalves(int[] plane) {
        for (int at = 0; at < plane.length; at += Lanes.COUNT) {
            IntVector value = IntVector.fromArray(Lanes.INT, plane, at);
            IntVector magnitude = value.and(Integer.MAX_VALUE);
            IntVector normal = magnitude.sub(112 << 23).lanewise(LSHR, FRACTION_GAP);
            // The bits of 1/2 plus a multiple of 2^-24 count that multiple
            IntVector subnormal =
                    magnitude.reinterpretAsFloats().add(0.5f).reinterpretAsInts().sub(0x3F00_0000);
            normal.blend(subnormal, magnitude.compare(LT, 113 << 23))
                    .blend(0x7C00, magnitude.compare(EQ, 0x7F80_0000))
                    .or(value.and(Integer.MIN_VALUE).lanewise(LSHR, Short.SIZE))
                    .blend(0x7FFF, magnitude.compare(GT, 0x7F80_0000))
                    .intoArray(plane, at);
        }
    }
}
