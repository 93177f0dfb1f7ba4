package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.IntVector;

/// Moves accumulators between registers and vectors of sixteen rows of one column.
///
/// 32-bit accumulators move as they are; f16 ones become `float` values on the way in, and two
/// columns that share words move together.
final class AccumulatorTable {
    private static final int FRACTION_GAP = 13;

    private final int[] index;
    private final int vectors;
    private final boolean half;

    private AccumulatorTable(int[] index, int vectors, boolean half) {
        this.index = index;
        this.vectors = vectors;
        this.half = half;
    }

    /// @param placement where (row, column) stands; f16: columns 2n and 2n + 1 in the low and the
    ///     high half of a word
    static AccumulatorTable of(Placement placement, boolean half) {
        int columns = placement.minors();
        int blocks = Math.ceilDiv(placement.majors(), Lanes.COUNT);
        int vectors = blocks * columns;
        int[] index = new int[vectors * Lanes.COUNT];
        for (int at = 0; at < index.length; at++) {
            int row =
                    (at / Lanes.COUNT / columns * Lanes.COUNT + at % Lanes.COUNT)
                            % placement.majors();
            int element = row * columns + at / Lanes.COUNT % columns;
            index[at] = placement.word()[element];
            int expected = half ? at / Lanes.COUNT % 2 * Short.SIZE : 0;
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
        return new AccumulatorTable(index, vectors, half);
    }

    int elements() {
        return vectors * Lanes.COUNT;
    }

    /// Reads accumulators: `float` bits, or integers.
    void read(int[] words, int[] plane) {
        if (!half) {
            for (int at = 0; at < index.length; at += Lanes.COUNT) {
                IntVector.fromArray(Lanes.INT, words, 0, index, at).intoArray(plane, at);
            }
            return;
        }
        for (int at = 0; at < index.length; at += 2 * Lanes.COUNT) {
            IntVector word = IntVector.fromArray(Lanes.INT, words, 0, index, at);
            word.and(0xFFFF).intoArray(plane, at);
            word.lanewise(LSHR, Short.SIZE).intoArray(plane, at + Lanes.COUNT);
        }
        toFloats(plane);
    }

    /// Writes results; the plane of f16 ones is used up.
    void write(int[] plane, int[] words) {
        if (!half) {
            for (int at = 0; at < index.length; at += Lanes.COUNT) {
                IntVector.fromArray(Lanes.INT, plane, at).intoArray(words, 0, index, at);
            }
            return;
        }
        toHalves(plane);
        for (int at = 0; at < index.length; at += 2 * Lanes.COUNT) {
            IntVector.fromArray(Lanes.INT, plane, at + Lanes.COUNT)
                    .lanewise(LSHL, Short.SIZE)
                    .or(IntVector.fromArray(Lanes.INT, plane, at))
                    .intoArray(words, 0, index, at);
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
