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
/// by 255 stay below 2^24. Planes and orders are those of [FusedDense] and [FusedSparse], without
/// exponents.
final class IntegerSums {
    private final KOrder order;
    private final int columns;
    private final boolean saturate;
    private final int vectorsPerColumn;
    private final int[] vectorAt;

    /// @param vectorsPerColumn vectors of a column of B, for sparse sums; else 0
    /// @param vectorAt         the vector with the candidates of each position, for sparse sums
    IntegerSums(KOrder order, int columns, boolean saturate, int vectorsPerColumn, int[] vectorAt) {
        this.order = order;
        this.columns = columns;
        this.saturate = saturate;
        this.vectorsPerColumn = vectorsPerColumn;
        this.vectorAt = vectorAt;
    }

    void multiplyDense(int block, float[] a, float[] b, int[] c, int[] d) {
        int quads = order.quads();
        for (int column = 0; column < columns; column++) {
            FloatVector sum0 = FloatVector.zero(Lanes.FLOAT);
            FloatVector sum1 = sum0;
            FloatVector sum2 = sum0;
            FloatVector sum3 = sum0;
            int first = column / 8 * quads * 32 + column % 8;
            for (int quad = 0; quad < quads; quad++) {
                int x = (block * quads + quad) * 64;
                int y = first + quad * 32;
                sum0 = FloatVector.fromArray(Lanes.FLOAT, a, x).fma(broadcast(b[y]), sum0);
                sum1 =
                        FloatVector.fromArray(Lanes.FLOAT, a, x + 16)
                                .fma(broadcast(b[y + 16]), sum1);
                sum2 = FloatVector.fromArray(Lanes.FLOAT, a, x + 32).fma(broadcast(b[y + 8]), sum2);
                sum3 =
                        FloatVector.fromArray(Lanes.FLOAT, a, x + 48)
                                .fma(broadcast(b[y + 24]), sum3);
            }
            accumulate(sum0.add(sum1).add(sum2.add(sum3)), block * columns + column, c, d);
        }
    }

    void multiplySparse(int block, float[] a, float[] b, int[] choice, int[] c, int[] d) {
        int k = order.kAt().length;
        for (int column = 0; column < columns; column++) {
            FloatVector sum0 = FloatVector.zero(Lanes.FLOAT);
            FloatVector sum1 = sum0;
            int candidates = column * vectorsPerColumn;
            for (int position = 0; position < k; position += 2) {
                int x = (block * k + position) * Lanes.COUNT;
                sum0 =
                        FloatVector.fromArray(Lanes.FLOAT, a, x)
                                .fma(chosen(b, candidates + vectorAt[position], choice, x), sum0);
                sum1 =
                        FloatVector.fromArray(Lanes.FLOAT, a, x + Lanes.COUNT)
                                .fma(
                                        chosen(
                                                b,
                                                candidates + vectorAt[position + 1],
                                                choice,
                                                x + Lanes.COUNT),
                                        sum1);
            }
            accumulate(sum0.add(sum1), block * columns + column, c, d);
        }
    }

    private void accumulate(FloatVector products, int vector, int[] c, int[] d) {
        IntVector sum = (IntVector) products.convert(F2I, 0);
        IntVector accumulator = IntVector.fromArray(Lanes.INT, c, vector * Lanes.COUNT);
        IntVector total = sum.add(accumulator);
        if (saturate) {
            VectorMask<Integer> overflow =
                    sum.lanewise(XOR, total).and(accumulator.lanewise(XOR, total)).compare(LT, 0);
            IntVector limit = accumulator.lanewise(ASHR, 31).lanewise(XOR, Integer.MAX_VALUE);
            total = total.blend(limit, overflow);
        }
        total.intoArray(d, vector * Lanes.COUNT);
    }

    private static FloatVector broadcast(float b) {
        return FloatVector.broadcast(Lanes.FLOAT, b);
    }

    private static FloatVector chosen(float[] b, int vector, int[] choice, int at) {
        IntVector table =
                FloatVector.fromArray(Lanes.FLOAT, b, vector * Lanes.COUNT).reinterpretAsInts();
        return IntVector.fromArray(Lanes.INT, choice, at).selectFrom(table).reinterpretAsFloats();
    }
}
