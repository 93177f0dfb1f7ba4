package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.tensorcore.numerics.Accumulation.IntegerSum;
import dev.heddle.tensorcore.numerics.Accumulation.Overflow;
import java.util.Arrays;
import java.util.Optional;

/// Integer sums by vectors.
final class IntegerKernel implements Kernel {
    private final IntegerPlane a;
    private final IntegerPlane b;
    private final AccumulatorTable readC;
    private final AccumulatorTable writeD;
    private final int[] c;
    private final int[] d;
    private final int blocks;
    private final IntegerSums sums;

    IntegerKernel(
            KOrder order,
            IntegerSum rule,
            IntegerFormat formatA,
            IntegerFormat formatB,
            Places places,
            Optional<Sparsity> sparsity) {
        this.blocks = Math.ceilDiv(places.d().majors(), Lanes.COUNT);
        VectorTable tableA = VectorTable.rows(places.a(), order, 0);
        VectorTable tableB =
                sparsity.isEmpty()
                        ? VectorTable.columns(places.b(), order)
                        : VectorTable.wholeColumns(places.b());
        this.a = new IntegerPlane(tableA, formatA);
        this.b = new IntegerPlane(tableB, formatB);
        this.readC = AccumulatorTable.of(places.c(), false);
        this.writeD = AccumulatorTable.of(places.d(), false);
        this.c = new int[readC.elements()];
        this.d = new int[readC.elements()];
        this.sums =
                new IntegerSums(
                        order.kAt().length,
                        places.d().minors(),
                        rule.overflow() == Overflow.SATURATES,
                        sparsity.map(metadata -> metadata.picks(order)));
    }

    @Override
    public void run(Inputs in, int[] result) {
        a.read(in.a());
        b.read(in.b());
        if (in.accumulate()) {
            readC.read(in.c(), c);
        } else {
            Arrays.fill(c, 0);
        }
        for (int block = 0; block < blocks; block++) {
            sums.multiply(block, a.values(), b.values(), c, d);
        }
        writeD.write(d, result);
    }
}
