package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.F2I;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

import java.util.Optional;

/// Integer products, dense and sparse, vectorised across sixteen rows.
///
/// Sums of products are formed in `float`, where they are exact: at most 64 products of at most 255
/// by 255 stay below 2^24. Planes and orders are those of [DenseTerms] and [SparseTerms], without
/// exponents.
///
/// @param picks what a sparse A picks of B; empty for a dense one
record IntegerSums(int k, int columns, Optional<SparseSelection> picks) {
    /// Sums the products of a block of rows.
    void multiply(int block, float[] a, float[] b, int[] sums) {
        int x = block * k * Lanes.COUNT;
        int to = block * columns * Lanes.COUNT;
        if (picks.isPresent()) {
            multiplySparse(picks.get(), x, a, b, sums, to);
        } else {
            multiplyDense(x, a, b, sums, to);
        }
    }

    private void multiplyDense(int from, float[] a, float[] b, int[] sums, int to) {
        for (int column = 0; column < columns; column += 4) {
            FloatVector even0 = FloatVector.zero(Lanes.FLOAT);
            FloatVector even1 = even0;
            FloatVector even2 = even0;
            FloatVector even3 = even0;
            FloatVector odd0 = even0;
            FloatVector odd1 = even0;
            FloatVector odd2 = even0;
            FloatVector odd3 = even0;
            int x = from;
            int y = column / 8 * k * 8 + column % 8;
            for (int step = 0; step < k; step += 2) {
                FloatVector even = FloatVector.fromArray(Lanes.FLOAT, a, x);
                FloatVector odd = FloatVector.fromArray(Lanes.FLOAT, a, x + 16);
                even0 = even.fma(FloatVector.broadcast(Lanes.FLOAT, b[y]), even0);
                even1 = even.fma(FloatVector.broadcast(Lanes.FLOAT, b[y + 1]), even1);
                even2 = even.fma(FloatVector.broadcast(Lanes.FLOAT, b[y + 2]), even2);
                even3 = even.fma(FloatVector.broadcast(Lanes.FLOAT, b[y + 3]), even3);
                odd0 = odd.fma(FloatVector.broadcast(Lanes.FLOAT, b[y + 8]), odd0);
                odd1 = odd.fma(FloatVector.broadcast(Lanes.FLOAT, b[y + 9]), odd1);
                odd2 = odd.fma(FloatVector.broadcast(Lanes.FLOAT, b[y + 10]), odd2);
                odd3 = odd.fma(FloatVector.broadcast(Lanes.FLOAT, b[y + 11]), odd3);
                x += 32;
                y += 16;
            }
            int at = to + column * Lanes.COUNT;
            store(even0.add(odd0), sums, at);
            store(even1.add(odd1), sums, at + 16);
            store(even2.add(odd2), sums, at + 32);
            store(even3.add(odd3), sums, at + 48);
        }
    }

    private void multiplySparse(
            SparseSelection from, int block, float[] a, float[] b, int[] sums, int to) {
        int[] choice = from.choice();
        int[] candidates = from.candidates();
        int run = from.run();
        int step = from.columnStep();
        for (int column = 0; column < columns; column += 4) {
            FloatVector sum0 = FloatVector.zero(Lanes.FLOAT);
            FloatVector sum1 = sum0;
            FloatVector sum2 = sum0;
            FloatVector sum3 = sum0;
            int x = block;
            for (int position = 0; position < k; position += run) {
                int y = column * step + candidates[position];
                IntVector b0 = FloatVector.fromArray(Lanes.FLOAT, b, y).reinterpretAsInts();
                IntVector b1 = FloatVector.fromArray(Lanes.FLOAT, b, y + step).reinterpretAsInts();
                IntVector b2 =
                        FloatVector.fromArray(Lanes.FLOAT, b, y + 2 * step).reinterpretAsInts();
                IntVector b3 =
                        FloatVector.fromArray(Lanes.FLOAT, b, y + 3 * step).reinterpretAsInts();
                for (int i = 0; i < run; i++) {
                    FloatVector row = FloatVector.fromArray(Lanes.FLOAT, a, x);
                    IntVector chosen = IntVector.fromArray(Lanes.INT, choice, x);
                    sum0 = chosen.selectFrom(b0).reinterpretAsFloats().fma(row, sum0);
                    sum1 = chosen.selectFrom(b1).reinterpretAsFloats().fma(row, sum1);
                    sum2 = chosen.selectFrom(b2).reinterpretAsFloats().fma(row, sum2);
                    sum3 = chosen.selectFrom(b3).reinterpretAsFloats().fma(row, sum3);
                    x += Lanes.COUNT;
                }
            }
            int at = to + column * Lanes.COUNT;
            store(sum0, sums, at);
            store(sum1, sums, at + 16);
            store(sum2, sums, at + 32);
            store(sum3, sums, at + 48);
        }
    }

    private static void store(FloatVector sum, int[] sums, int at) {
        ((IntVector) sum.convert(F2I, 0)).intoArray(sums, at);
    }
}
