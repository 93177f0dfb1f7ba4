package dev.heddle.tensorcore.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Fused sums over the stored elements of a sparse A, vectorised across sixteen rows.
///
/// As [FusedDense], but each lane picks its own element of a column of B: one of the sixteen in a
/// vector of that column, by a permutation. Exponents are not packed; `b` is by
/// [PairTable#wholeColumns].
final class FusedSparse implements FusedSteps {
    private final FusedRule rule;
    private final KOrder order;
    private final int columns;
    private final int vectorsPerColumn;
    // The vector of a column that holds the candidates of each position
    private final int[] vectorAt;
    private final Sparsity sparsity;

    FusedSparse(
            FusedRule rule, KOrder order, int columns, int vectorsPerColumn, Sparsity sparsity) {
        this.rule = rule;
        this.order = order;
        this.columns = columns;
        this.vectorsPerColumn = vectorsPerColumn;
        this.sparsity = sparsity;
        this.vectorAt = sparsity.candidateVectors(order);
        sparsity.order(order);
    }

    @Override
    public boolean multiply(
            int block, int negation, FloatPlanes a, FloatPlanes b, int[] c, int[] d) {
        int k = order.kAt().length;
        boolean rare = false;
        for (int column = 0; column < columns; column++) {
            int at = (block * columns + column) * Lanes.COUNT;
            int candidates = column * vectorsPerColumn;
            FloatVector accumulator = IntVector.fromArray(Lanes.INT, c, at).reinterpretAsFloats();
            FloatVector sum = rule.accumulatorLast() ? FloatVector.zero(Lanes.FLOAT) : accumulator;
            int from = 0;
            for (int end : order.passEnds()) {
                sum = sum(a, b, block * k, candidates, from * 4, end * 4, sum, negation);
                from = end;
            }
            if (rule.accumulatorLast()) {
                sum = FusedVector.addAccumulator(sum, accumulator, rule);
            }
            rare |= sum.test(VectorOperators.IS_NAN).anyTrue();
            sum.reinterpretAsInts().intoArray(d, at);
        }
        return rare;
    }

    private FloatVector sum(
            FloatPlanes a,
            FloatPlanes b,
            int first,
            int candidates,
            int from,
            int end,
            FloatVector c,
            int negation) {
        int[] ae = a.exponents();
        int[] be = b.exponents();
        int[] choice = sparsity.choice();
        IntVector largest0 = FusedVector.accumulatorExponents(c, rule);
        IntVector largest1 = largest0;
        for (int position = from; position < end; position += 2) {
            int x = (first + position) * Lanes.COUNT;
            largest0 = largest0.max(exponents(ae, x, be, candidates + vectorAt[position], choice));
            largest1 =
                    largest1.max(
                            exponents(
                                    ae,
                                    x + Lanes.COUNT,
                                    be,
                                    candidates + vectorAt[position + 1],
                                    choice));
        }
        IntVector largest = largest0.max(largest1);
        FloatVector scale = FusedVector.scale(largest, rule);
        FloatVector productScale = scale.reinterpretAsInts().or(negation).reinterpretAsFloats();
        float[] av = a.values();
        float[] bv = b.values();
        IntVector sum0 = IntVector.zero(Lanes.INT);
        IntVector sum1 = sum0;
        for (int position = from; position < end; position += 2) {
            int x = (first + position) * Lanes.COUNT;
            sum0 = sum0.add(term(av, x, bv, candidates + vectorAt[position], choice, productScale));
            sum1 =
                    sum1.add(
                            term(
                                    av,
                                    x + Lanes.COUNT,
                                    bv,
                                    candidates + vectorAt[position + 1],
                                    choice,
                                    productScale));
        }
        return FusedVector.result(largest, sum0, sum1, FusedVector.truncated(c.mul(scale)), rule);
    }

    private static IntVector exponents(int[] ae, int at, int[] be, int vector, int[] choice) {
        IntVector table = IntVector.fromArray(Lanes.INT, be, vector * Lanes.COUNT);
        return IntVector.fromArray(Lanes.INT, choice, at)
                .selectFrom(table)
                .add(IntVector.fromArray(Lanes.INT, ae, at));
    }

    private static IntVector term(
            float[] av, int at, float[] bv, int vector, int[] choice, FloatVector scale) {
        IntVector table =
                FloatVector.fromArray(Lanes.FLOAT, bv, vector * Lanes.COUNT).reinterpretAsInts();
        FloatVector b =
                IntVector.fromArray(Lanes.INT, choice, at).selectFrom(table).reinterpretAsFloats();
        return FusedVector.truncated(FloatVector.fromArray(Lanes.FLOAT, av, at).mul(b).mul(scale));
    }
}
