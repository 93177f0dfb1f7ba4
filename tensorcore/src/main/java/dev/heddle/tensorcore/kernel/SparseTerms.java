package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.F2I;
import static jdk.incubator.vector.VectorOperators.LSHL;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;

/// The terms of a product with a sparse A: each lane picks its own element of a column of B, one of
/// the sixteen in a vector of that column, by a permutation.
///
/// The loops are those of [DenseTerms] with that permutation in their middle. They stay apart: only
/// accumulators that are locals of one method are kept in registers.
record SparseTerms(int k, int columns, SparseSelection picks, DecodedOperand a, DecodedOperand b)
        implements FusedTerms {
    @Override
    public void read(int[] wordsA, int[] wordsB) {
        a.read(wordsA);
        b.read(wordsB);
    }

    /// The exponents of two columns are in the halves of each word of B, those of A in both.
    @Override
    public void findLargest(int block, int first, int end, VectorFusedSum sums) {
        int[] ae = a.exponents();
        int[] be = b.exponents();
        int[] choice = picks.choice();
        int[] candidates = picks.candidates();
        int[] halves = sums.halves();
        int run = picks.run();
        int step = picks.columnStep();
        for (int column = 0; column < columns; column += 8) {
            ShortVector max0 = ShortVector.broadcast(Lanes.SHORT, (short) (2 * FloatCode.ZERO));
            ShortVector max1 = max0;
            ShortVector max2 = max0;
            ShortVector max3 = max0;
            int x = (block * k + first) * Lanes.COUNT;
            for (int position = first; position < end; position += run) {
                int y = column / 2 * step + candidates[position];
                IntVector b0 = IntVector.fromArray(Lanes.INT, be, y);
                IntVector b1 = IntVector.fromArray(Lanes.INT, be, y + step);
                IntVector b2 = IntVector.fromArray(Lanes.INT, be, y + 2 * step);
                IntVector b3 = IntVector.fromArray(Lanes.INT, be, y + 3 * step);
                for (int i = 0; i < run; i++) {
                    ShortVector row = IntVector.fromArray(Lanes.INT, ae, x).reinterpretAsShorts();
                    IntVector chosen = IntVector.fromArray(Lanes.INT, choice, x);
                    max0 = row.add(chosen.selectFrom(b0).reinterpretAsShorts()).max(max0);
                    max1 = row.add(chosen.selectFrom(b1).reinterpretAsShorts()).max(max1);
                    max2 = row.add(chosen.selectFrom(b2).reinterpretAsShorts()).max(max2);
                    max3 = row.add(chosen.selectFrom(b3).reinterpretAsShorts()).max(max3);
                    x += Lanes.COUNT;
                }
            }
            int at = column / 2 * Lanes.COUNT;
            max0.reinterpretAsInts().intoArray(halves, at);
            max1.reinterpretAsInts().intoArray(halves, at + 16);
            max2.reinterpretAsInts().intoArray(halves, at + 32);
            max3.reinterpretAsInts().intoArray(halves, at + 48);
        }
        raise(halves, sums.largest());
    }

    /// Raises the largest exponents of each two columns to those in the halves of the words.
    private static void raise(int[] halves, int[] largest) {
        for (int at = 0; at < largest.length / 2; at += Lanes.COUNT) {
            IntVector both = IntVector.fromArray(Lanes.INT, halves, at);
            both.lanewise(LSHL, 16)
                    .lanewise(ASHR, 16)
                    .max(IntVector.fromArray(Lanes.INT, largest, 2 * at))
                    .intoArray(largest, 2 * at);
            both.lanewise(ASHR, 16)
                    .max(IntVector.fromArray(Lanes.INT, largest, 2 * at + Lanes.COUNT))
                    .intoArray(largest, 2 * at + Lanes.COUNT);
        }
    }

    @Override
    public void sum(int block, int first, int end, int negation, VectorFusedSum sums) {
        float[] av = a.values();
        float[] bv = b.values();
        int[] choice = picks.choice();
        int[] candidates = picks.candidates();
        float[] scales = sums.scales(negation);
        int run = picks.run();
        int step = picks.columnStep();
        for (int column = 0; column < columns; column += 4) {
            int at = column * Lanes.COUNT;
            FloatVector scale0 = FloatVector.fromArray(Lanes.FLOAT, scales, at);
            FloatVector scale1 = FloatVector.fromArray(Lanes.FLOAT, scales, at + 16);
            FloatVector scale2 = FloatVector.fromArray(Lanes.FLOAT, scales, at + 32);
            FloatVector scale3 = FloatVector.fromArray(Lanes.FLOAT, scales, at + 48);
            IntVector even0 = IntVector.zero(Lanes.INT);
            IntVector even1 = even0;
            IntVector even2 = even0;
            IntVector even3 = even0;
            IntVector odd0 = even0;
            IntVector odd1 = even0;
            IntVector odd2 = even0;
            IntVector odd3 = even0;
            int x = (block * k + first) * Lanes.COUNT;
            for (int position = first; position < end; position += run) {
                int y = column * step + candidates[position];
                IntVector b0 = FloatVector.fromArray(Lanes.FLOAT, bv, y).reinterpretAsInts();
                IntVector b1 = FloatVector.fromArray(Lanes.FLOAT, bv, y + step).reinterpretAsInts();
                IntVector b2 =
                        FloatVector.fromArray(Lanes.FLOAT, bv, y + 2 * step).reinterpretAsInts();
                IntVector b3 =
                        FloatVector.fromArray(Lanes.FLOAT, bv, y + 3 * step).reinterpretAsInts();
                for (int i = 0; i < run; i += 2) {
                    FloatVector even = FloatVector.fromArray(Lanes.FLOAT, av, x);
                    IntVector evenChosen = IntVector.fromArray(Lanes.INT, choice, x);
                    FloatVector odd = FloatVector.fromArray(Lanes.FLOAT, av, x + 16);
                    IntVector oddChosen = IntVector.fromArray(Lanes.INT, choice, x + 16);
                    FloatVector evenTerm0 =
                            evenChosen.selectFrom(b0).reinterpretAsFloats().mul(even).mul(scale0);
                    even0 = ((IntVector) evenTerm0.convert(F2I, 0)).add(even0);
                    FloatVector evenTerm1 =
                            evenChosen.selectFrom(b1).reinterpretAsFloats().mul(even).mul(scale1);
                    even1 = ((IntVector) evenTerm1.convert(F2I, 0)).add(even1);
                    FloatVector evenTerm2 =
                            evenChosen.selectFrom(b2).reinterpretAsFloats().mul(even).mul(scale2);
                    even2 = ((IntVector) evenTerm2.convert(F2I, 0)).add(even2);
                    FloatVector evenTerm3 =
                            evenChosen.selectFrom(b3).reinterpretAsFloats().mul(even).mul(scale3);
                    even3 = ((IntVector) evenTerm3.convert(F2I, 0)).add(even3);
                    FloatVector oddTerm0 =
                            oddChosen.selectFrom(b0).reinterpretAsFloats().mul(odd).mul(scale0);
                    odd0 = ((IntVector) oddTerm0.convert(F2I, 0)).add(odd0);
                    FloatVector oddTerm1 =
                            oddChosen.selectFrom(b1).reinterpretAsFloats().mul(odd).mul(scale1);
                    odd1 = ((IntVector) oddTerm1.convert(F2I, 0)).add(odd1);
                    FloatVector oddTerm2 =
                            oddChosen.selectFrom(b2).reinterpretAsFloats().mul(odd).mul(scale2);
                    odd2 = ((IntVector) oddTerm2.convert(F2I, 0)).add(odd2);
                    FloatVector oddTerm3 =
                            oddChosen.selectFrom(b3).reinterpretAsFloats().mul(odd).mul(scale3);
                    odd3 = ((IntVector) oddTerm3.convert(F2I, 0)).add(odd3);
                    x += 32;
                }
            }
            even0.intoArray(sums.sum0(), at);
            even1.intoArray(sums.sum0(), at + 16);
            even2.intoArray(sums.sum0(), at + 32);
            even3.intoArray(sums.sum0(), at + 48);
            odd0.intoArray(sums.sum1(), at);
            odd1.intoArray(sums.sum1(), at + 16);
            odd2.intoArray(sums.sum1(), at + 32);
            odd3.intoArray(sums.sum1(), at + 48);
        }
    }
}
