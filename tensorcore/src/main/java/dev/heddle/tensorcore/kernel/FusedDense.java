package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.LSHL;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/// Fused sums of a dense product over planes, vectorised across sixteen rows.
///
/// Two passes over k: one finds the largest exponent sum, the other truncates and adds. Planes are
/// those of [FloatPairReader] with packed exponents, `a` by [PairTable#rows], `b` by
/// [PairTable#columns]; accumulators and results are `float` bits, column after column of a block
/// of rows.
final class FusedDense implements FusedSteps {
    private final FusedRule rule;
    private final KOrder order;
    private final int columns;

    FusedDense(FusedRule rule, KOrder order, int columns) {
        this.rule = rule;
        this.order = order;
        this.columns = columns;
    }

    @Override
    public boolean multiply(
            int block, int negation, FloatPlanes a, FloatPlanes b, int[] c, int[] d) {
        int quads = order.quads();
        boolean rare = false;
        for (int column = 0; column < columns; column++) {
            int at = (block * columns + column) * Lanes.COUNT;
            int bValue = column / 8 * quads * 32 + column % 8;
            int bExponent = column / 8 * quads * 16 + column % 8;
            FloatVector accumulator = IntVector.fromArray(Lanes.INT, c, at).reinterpretAsFloats();
            FloatVector sum = rule.accumulatorLast() ? FloatVector.zero(Lanes.FLOAT) : accumulator;
            int from = 0;
            for (int end : order.passEnds()) {
                sum =
                        sum(
                                a,
                                block * quads * 64,
                                block * quads * 32,
                                b,
                                bValue,
                                bExponent,
                                from,
                                end,
                                sum,
                                negation);
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
            int aValue,
            int aExponent,
            FloatPlanes b,
            int bValue,
            int bExponent,
            int from,
            int end,
            FloatVector c,
            int negation) {
        int[] ae = a.exponents();
        int[] be = b.exponents();
        ShortVector largest0 = ShortVector.broadcast(Lanes.SHORT, (short) (2 * FloatCode.ZERO));
        ShortVector largest1 = largest0;
        for (int quad = from; quad < end; quad++) {
            int x = aExponent + quad * 32;
            int y = bExponent + quad * 16;
            largest0 = largest0.max(exponents(ae, x, be[y]));
            largest1 = largest1.max(exponents(ae, x + 16, be[y + 8]));
        }
        IntVector halves = largest0.max(largest1).reinterpretAsInts();
        IntVector largest =
                halves.lanewise(LSHL, 16)
                        .lanewise(ASHR, 16)
                        .max(halves.lanewise(ASHR, 16))
                        .max(FusedVector.accumulatorExponents(c, rule));
        FloatVector scale = FusedVector.scale(largest, rule);
        FloatVector productScale = scale.reinterpretAsInts().or(negation).reinterpretAsFloats();
        float[] av = a.values();
        float[] bv = b.values();
        IntVector sum0 = IntVector.zero(Lanes.INT);
        IntVector sum1 = sum0;
        for (int quad = from; quad < end; quad++) {
            int x = aValue + quad * 64;
            int y = bValue + quad * 32;
            sum0 = sum0.add(term(av, x, bv[y], productScale));
            sum1 = sum1.add(term(av, x + 16, bv[y + 16], productScale));
            sum0 = sum0.add(term(av, x + 32, bv[y + 8], productScale));
            sum1 = sum1.add(term(av, x + 48, bv[y + 24], productScale));
        }
        return FusedVector.result(largest, sum0, sum1, FusedVector.truncated(c.mul(scale)), rule);
    }

    private static ShortVector exponents(int[] ae, int at, int be) {
        return IntVector.fromArray(Lanes.INT, ae, at)
                .reinterpretAsShorts()
                .add(IntVector.broadcast(Lanes.INT, be).reinterpretAsShorts());
    }

    private static IntVector term(float[] av, int at, float b, FloatVector scale) {
        return FusedVector.truncated(FloatVector.fromArray(Lanes.FLOAT, av, at).mul(b).mul(scale));
    }
}
