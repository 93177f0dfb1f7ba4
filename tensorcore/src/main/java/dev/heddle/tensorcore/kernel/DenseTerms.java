package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.F2I;
import static jdk.incubator.vector.VectorOperators.LSHL;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;

/// The terms of a dense product: rows of A across the lanes, elements of B broadcast.
record DenseTerms(int k, int columns, DecodedOperand a, DecodedOperand b) implements FusedTerms {
    @Override
    public void read(int[] wordsA, int[] wordsB) {
        a.read(wordsA);
        b.read(wordsB);
    }

    @Override
    public void findLargest(int block, int first, int end, VectorFusedSum sums) {
        int[] ae = a.exponents();
        int[] be = b.exponents();
        int[] halves = sums.halves();
        for (int column = 0; column < columns; column += 4) {
            ShortVector max0 = ShortVector.broadcast(Lanes.SHORT, (short) (2 * FloatCode.ZERO));
            ShortVector max1 = max0;
            ShortVector max2 = max0;
            ShortVector max3 = max0;
            int x = (block * k + first) * 8;
            int y = column / 8 * k * 4 + first * 4 + column % 8;
            for (int pair = first / 2; pair < end / 2; pair++) {
                ShortVector row = IntVector.fromArray(Lanes.INT, ae, x).reinterpretAsShorts();
                ShortVector b0 = IntVector.broadcast(Lanes.INT, be[y]).reinterpretAsShorts();
                ShortVector b1 = IntVector.broadcast(Lanes.INT, be[y + 1]).reinterpretAsShorts();
                ShortVector b2 = IntVector.broadcast(Lanes.INT, be[y + 2]).reinterpretAsShorts();
                ShortVector b3 = IntVector.broadcast(Lanes.INT, be[y + 3]).reinterpretAsShorts();
                max0 = row.add(b0).max(max0);
                max1 = row.add(b1).max(max1);
                max2 = row.add(b2).max(max2);
                max3 = row.add(b3).max(max3);
                x += 16;
                y += 8;
            }
            int at = column * Lanes.COUNT;
            max0.reinterpretAsInts().intoArray(halves, at);
            max1.reinterpretAsInts().intoArray(halves, at + 16);
            max2.reinterpretAsInts().intoArray(halves, at + 32);
            max3.reinterpretAsInts().intoArray(halves, at + 48);
        }
        raise(halves, sums.largest());
    }

    /// Raises the largest exponents to those in the halves of the words.
    private static void raise(int[] halves, int[] largest) {
        for (int at = 0; at < largest.length; at += Lanes.COUNT) {
            IntVector both = IntVector.fromArray(Lanes.INT, halves, at);
            both.lanewise(LSHL, 16)
                    .lanewise(ASHR, 16)
                    .max(both.lanewise(ASHR, 16))
                    .max(IntVector.fromArray(Lanes.INT, largest, at))
                    .intoArray(largest, at);
        }
    }

    @Override
    public void sum(int block, int first, int end, int negation, VectorFusedSum sums) {
        float[] av = a.values();
        float[] bv = b.values();
        float[] scales = sums.scales(negation);
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
            int x = (block * k + first) * 16;
            int y = column / 8 * k * 8 + first * 8 + column % 8;
            for (int position = first; position < end; position += 2) {
                FloatVector even = FloatVector.fromArray(Lanes.FLOAT, av, x);
                FloatVector odd = FloatVector.fromArray(Lanes.FLOAT, av, x + 16);
                even0 = ((IntVector) even.mul(bv[y]).mul(scale0).convert(F2I, 0)).add(even0);
                even1 = ((IntVector) even.mul(bv[y + 1]).mul(scale1).convert(F2I, 0)).add(even1);
                even2 = ((IntVector) even.mul(bv[y + 2]).mul(scale2).convert(F2I, 0)).add(even2);
                even3 = ((IntVector) even.mul(bv[y + 3]).mul(scale3).convert(F2I, 0)).add(even3);
                odd0 = ((IntVector) odd.mul(bv[y + 8]).mul(scale0).convert(F2I, 0)).add(odd0);
                odd1 = ((IntVector) odd.mul(bv[y + 9]).mul(scale1).convert(F2I, 0)).add(odd1);
                odd2 = ((IntVector) odd.mul(bv[y + 10]).mul(scale2).convert(F2I, 0)).add(odd2);
                odd3 = ((IntVector) odd.mul(bv[y + 11]).mul(scale3).convert(F2I, 0)).add(odd3);
                x += 32;
                y += 16;
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
