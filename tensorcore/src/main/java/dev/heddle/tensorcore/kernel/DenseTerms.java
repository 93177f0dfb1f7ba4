package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.F2I;
import static jdk.incubator.vector.VectorOperators.LSHL;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;

/// The terms of a dense product: rows of A across the lanes, elements of B broadcast.
final class DenseTerms implements FusedTerms {
    private final int fractionBits;
    private final int quads;
    private final int columns;
    private final FloatPlanes a;
    private final FloatPlanes b;

    DenseTerms(FusedRule rule, KOrder order, int columns, FloatPlanes a, FloatPlanes b) {
        this.fractionBits = rule.fractionBits();
        this.quads = order.quads();
        this.columns = columns;
        this.a = a;
        this.b = b;
    }

    @Override
    public void read(int[] wordsA, int[] wordsB) {
        a.read(wordsA);
        b.read(wordsB);
    }

    @Override
    public void findLargest(int block, int firstQuad, int endQuad, FusedPlanes sums) {
        int[] ae = a.exponents();
        int[] be = b.exponents();
        int[] largest = sums.largest();
        for (int column = 0; column < columns; column++) {
            ShortVector even = ShortVector.broadcast(Lanes.SHORT, (short) (2 * FloatCode.ZERO));
            ShortVector odd = even;
            int y = (column / 8 * quads + firstQuad) * 16 + column % 8;
            int x = (block * quads + firstQuad) * 32;
            for (int quad = firstQuad; quad < endQuad; quad++) {
                even =
                        even.max(
                                IntVector.fromArray(Lanes.INT, ae, x)
                                        .reinterpretAsShorts()
                                        .add(
                                                IntVector.broadcast(Lanes.INT, be[y])
                                                        .reinterpretAsShorts()));
                odd =
                        odd.max(
                                IntVector.fromArray(Lanes.INT, ae, x + 16)
                                        .reinterpretAsShorts()
                                        .add(
                                                IntVector.broadcast(Lanes.INT, be[y + 8])
                                                        .reinterpretAsShorts()));
                x += 32;
                y += 16;
            }
            IntVector halves = even.max(odd).reinterpretAsInts();
            int at = column * Lanes.COUNT;
            halves.lanewise(LSHL, 16)
                    .lanewise(ASHR, 16)
                    .max(halves.lanewise(ASHR, 16))
                    .max(IntVector.fromArray(Lanes.INT, largest, at))
                    .intoArray(largest, at);
        }
    }

    @Override
    public void sum(int block, int firstQuad, int endQuad, int negation, FusedPlanes sums) {
        float[] av = a.values();
        float[] bv = b.values();
        int[] largest = sums.largest();
        for (int column = 0; column < columns; column++) {
            int at = column * Lanes.COUNT;
            FloatVector scale =
                    IntVector.fromArray(Lanes.INT, largest, at)
                            .max(FusedRule.FAST_LEAST)
                            .neg()
                            .add(fractionBits + 127)
                            .lanewise(LSHL, 23)
                            .or(negation)
                            .reinterpretAsFloats();
            IntVector sum0 = IntVector.zero(Lanes.INT);
            IntVector sum1 = sum0;
            int y = (column / 8 * quads + firstQuad) * 32 + column % 8;
            int x = (block * quads + firstQuad) * 64;
            for (int step = 2 * firstQuad; step < 2 * endQuad; step++) {
                sum0 =
                        sum0.add(
                                FloatVector.fromArray(Lanes.FLOAT, av, x)
                                        .mul(bv[y])
                                        .mul(scale)
                                        .convert(F2I, 0));
                sum1 =
                        sum1.add(
                                FloatVector.fromArray(Lanes.FLOAT, av, x + 16)
                                        .mul(bv[y + 8])
                                        .mul(scale)
                                        .convert(F2I, 0));
                x += 32;
                y += 16;
            }
            sum0.intoArray(sums.sum0(), at);
            sum1.intoArray(sums.sum1(), at);
        }
    }
}
