package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.F2I;
import static jdk.incubator.vector.VectorOperators.LSHL;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// The terms of a product with a sparse A: each lane picks its own element of a column of B, one of
/// the sixteen in a vector of that column, by a permutation.
final class SparseTerms implements FusedTerms {
    private final int fractionBits;
    private final int k;
    private final int columns;
    private final int vectorsPerColumn;
    // Where the vector with the candidates of each position begins in a column
    private final int[] candidatesAt;
    private final Sparsity sparsity;
    private final FloatPlanes a;
    private final FloatPlanes b;

    SparseTerms(
            FusedRule rule,
            KOrder order,
            int columns,
            int vectorsPerColumn,
            Sparsity sparsity,
            FloatPlanes a,
            FloatPlanes b) {
        this.fractionBits = rule.fractionBits();
        this.k = order.kAt().length;
        this.columns = columns;
        this.vectorsPerColumn = vectorsPerColumn;
        this.candidatesAt = sparsity.candidatesAt(order);
        this.sparsity = sparsity;
        this.a = a;
        this.b = b;
        sparsity.order(order);
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
        int[] choice = sparsity.choice();
        int[] largest = sums.largest();
        for (int column = 0; column < columns; column++) {
            int at = column * Lanes.COUNT;
            IntVector even = IntVector.fromArray(Lanes.INT, largest, at);
            IntVector odd = even;
            int table = at * vectorsPerColumn;
            int x = (block * k + firstQuad * 4) * Lanes.COUNT;
            for (int position = firstQuad * 4; position < endQuad * 4; position += 2) {
                even =
                        even.max(
                                IntVector.fromArray(Lanes.INT, choice, x)
                                        .selectFrom(
                                                IntVector.fromArray(
                                                        Lanes.INT,
                                                        be,
                                                        table + candidatesAt[position]))
                                        .add(IntVector.fromArray(Lanes.INT, ae, x)));
                odd =
                        odd.max(
                                IntVector.fromArray(Lanes.INT, choice, x + 16)
                                        .selectFrom(
                                                IntVector.fromArray(
                                                        Lanes.INT,
                                                        be,
                                                        table + candidatesAt[position + 1]))
                                        .add(IntVector.fromArray(Lanes.INT, ae, x + 16)));
                x += 32;
            }
            even.max(odd).intoArray(largest, at);
        }
    }

    @Override
    public void sum(int block, int firstQuad, int endQuad, int negation, FusedPlanes sums) {
        float[] av = a.values();
        float[] bv = b.values();
        int[] choice = sparsity.choice();
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
            int table = at * vectorsPerColumn;
            int x = (block * k + firstQuad * 4) * Lanes.COUNT;
            for (int position = firstQuad * 4; position < endQuad * 4; position += 2) {
                sum0 =
                        sum0.add(
                                IntVector.fromArray(Lanes.INT, choice, x)
                                        .selectFrom(
                                                FloatVector.fromArray(
                                                                Lanes.FLOAT,
                                                                bv,
                                                                table + candidatesAt[position])
                                                        .reinterpretAsInts())
                                        .reinterpretAsFloats()
                                        .mul(FloatVector.fromArray(Lanes.FLOAT, av, x))
                                        .mul(scale)
                                        .convert(F2I, 0));
                sum1 =
                        sum1.add(
                                IntVector.fromArray(Lanes.INT, choice, x + 16)
                                        .selectFrom(
                                                FloatVector.fromArray(
                                                                Lanes.FLOAT,
                                                                bv,
                                                                table + candidatesAt[position + 1])
                                                        .reinterpretAsInts())
                                        .reinterpretAsFloats()
                                        .mul(FloatVector.fromArray(Lanes.FLOAT, av, x + 16))
                                        .mul(scale)
                                        .convert(F2I, 0));
                x += 32;
            }
            sum0.intoArray(sums.sum0(), at);
            sum1.intoArray(sums.sum1(), at);
        }
    }
}
