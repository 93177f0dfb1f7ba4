package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.tensorcore.numerics.Accumulation.IntegerSum;
import dev.heddle.tensorcore.numerics.Accumulation.Overflow;
import java.util.Arrays;
import java.util.Optional;

/// Integer sums by vectors.
final class IntegerKernel implements Kernel {
    private final IntegerPairReader readA;
    private final IntegerPairReader readB;
    private final AccumulatorTable readC;
    private final AccumulatorTable writeD;
    private final float[] a;
    private final float[] b;
    private final int[] c;
    private final int[] d;
    private final int blocks;
    private final IntegerSums sums;
    private final Optional<Sparsity> sparsity;

    IntegerKernel(
            KOrder order,
            IntegerSum rule,
            IntegerFormat formatA,
            IntegerFormat formatB,
            Places places,
            Optional<Sparsity> sparsity) {
        this.sparsity = sparsity;
        this.blocks = Math.ceilDiv(places.d().majors(), Lanes.COUNT);
        PairTable tableA = PairTable.rows(places.a(), order);
        PairTable tableB =
                sparsity.isEmpty()
                        ? PairTable.columns(places.b(), order)
                        : PairTable.wholeColumns(places.b());
        this.readA = new IntegerPairReader(formatA, tableA);
        this.readB = new IntegerPairReader(formatB, tableB);
        this.a = new float[tableA.pairs() * 2 * Lanes.COUNT];
        this.b = new float[tableB.pairs() * 2 * Lanes.COUNT];
        this.readC = AccumulatorTable.of(places.c(), false);
        this.writeD = AccumulatorTable.of(places.d(), false);
        this.c = new int[readC.elements()];
        this.d = new int[readC.elements()];
        sparsity.ifPresent(metadata -> metadata.order(order));
        this.sums =
                new IntegerSums(
                        order,
                        places.d().minors(),
                        rule.overflow() == Overflow.SATURATES,
                        Math.ceilDiv(places.b().minors(), Lanes.COUNT),
                        sparsity.map(metadata -> metadata.candidateVectors(order))
                                .orElse(new int[0]));
    }

    @Override
    public void run(Inputs in, int[] result) {
        readA.read(in.a(), a);
        readB.read(in.b(), b);
        if (in.accumulate()) {
            readC.read(in.c(), c);
        } else {
            Arrays.fill(c, 0);
        }
        for (int block = 0; block < blocks; block++) {
            if (sparsity.isPresent()) {
                sums.multiplySparse(block, a, b, sparsity.get().choice(), c, d);
            } else {
                sums.multiplyDense(block, a, b, c, d);
            }
        }
        writeD.write(d, result);
    }
}
