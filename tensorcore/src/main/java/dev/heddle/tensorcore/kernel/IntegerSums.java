package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.F2I;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.XOR;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;

/// Integer products, dense and sparse, vectorised across sixteen rows.
///
/// Sums of products are formed in `float`, where they are exact: at most 64 products of at most 255
/// by 255 stay below 2^24. Planes and orders are those of [DenseTerms] and [SparseTerms], without
/// exponents.
final class IntegerSums {
    private final KOrder order;
    private final int columns;
    private final boolean saturate;
    private final int vectorsPerColumn;
    private final int[] candidatesAt;
    private final float[] sums;

    /// @param vectorsPerColumn vectors of a column of B, for sparse sums; else 0
    /// @param candidatesAt     where in a column the vector begins with the candidates of each
    ///     position, for sparse sums
    IntegerSums(
            KOrder order, int columns, boolean saturate, int vectorsPerColumn, int[] candidatesAt) {
        this.order = order;
        this.columns = columns;
        this.saturate = saturate;
        this.vectorsPerColumn = vectorsPerColumn;
        this.candidatesAt = candidatesAt;
        this.sums = new float[columns * Lanes.COUNT];
    }

    void multiplyDense(int block, float[] a, float[] b, int[] c, int[] d) {
        int quads = order.quads();
        for (int column = 0; column < columns; column++) {
            FloatVector even = FloatVector.zero(Lanes.FLOAT);
            FloatVector odd = even;
            int x = block * quads * 64;
            int y = column / 8 * quads * 32 + column % 8;
            for (int step = 0; step < 2 * quads; step++) {
                even =
                        FloatVector.fromArray(Lanes.FLOAT, a, x)
                                .fma(FloatVector.broadcast(Lanes.FLOAT, b[y]), even);
                odd =
                        FloatVector.fromArray(Lanes.FLOAT, a, x + 16)
                                .fma(FloatVector.broadcast(Lanes.FLOAT, b[y + 8]), odd);
                x += 32;
                y += 16;
            }
            even.add(odd).intoArray(sums, column * Lanes.COUNT);
        }
        accumulate(block * columns * Lanes.COUNT, c, d);
    }

    void multiplySparse(int block, float[] a, float[] b, int[] choice, int[] c, int[] d) {
        int k = order.kAt().length;
        for (int column = 0; column < columns; column++) {
            FloatVector even = FloatVector.zero(Lanes.FLOAT);
            FloatVector odd = even;
            int table = column * vectorsPerColumn * Lanes.COUNT;
            int x = block * k * Lanes.COUNT;
            for (int position = 0; position < k; position += 2) {
                even =
                        IntVector.fromArray(Lanes.INT, choice, x)
                                .selectFrom(
                                        FloatVector.fromArray(
                                                        Lanes.FLOAT,
                                                        b,
                                                        table + candidatesAt[position])
                                                .reinterpretAsInts())
                                .reinterpretAsFloats()
                                .fma(FloatVector.fromArray(Lanes.FLOAT, a, x), even);
                odd =
                        IntVector.fromArray(Lanes.INT, choice, x + 16)
                                .selectFrom(
                                        FloatVector.fromArray(
                                                        Lanes.FLOAT,
                                                        b,
                                                        table + candidatesAt[position + 1])
                                                .reinterpretAsInts())
                                .reinterpretAsFloats()
                                .fma(FloatVector.fromArray(Lanes.FLOAT, a, x + 16), odd);
                x += 32;
            }
            even.add(odd).intoArray(sums, column * Lanes.COUNT);
        }
        accumulate(block * columns * Lanes.COUNT, c, d);
    }

    private void accumulate(int from, int[] c, int[] d) {
        int saturated = saturate ? -1 : 0;
        for (int at = 0; at < sums.length; at += Lanes.COUNT) {
            IntVector sum =
                    (IntVector) FloatVector.fromArray(Lanes.FLOAT, sums, at).convert(F2I, 0);
            IntVector accumulator = IntVector.fromArray(Lanes.INT, c, from + at);
            IntVector total = sum.add(accumulator);
            VectorMask<Integer> overflow =
                    sum.lanewise(XOR, total)
                            .and(accumulator.lanewise(XOR, total))
                            .and(saturated)
                            .compare(LT, 0);
            IntVector limit = accumulator.lanewise(ASHR, 31).lanewise(XOR, Integer.MAX_VALUE);
            total.blend(limit, overflow).intoArray(d, from + at);
        }
    }
}
