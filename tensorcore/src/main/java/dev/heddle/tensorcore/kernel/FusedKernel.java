package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;
import java.util.Arrays;
import java.util.Optional;

/// Fused sums by vectors, and one by one where the vectors give up.
final class FusedKernel implements Kernel {
    private final FloatPairReader readA;
    private final FloatPairReader readB;
    private final AccumulatorTable readC;
    private final AccumulatorTable writeD;
    private final FloatPlanes a;
    private final FloatPlanes b;
    private final int[] c;
    private final int[] d;
    private final int blocks;
    private final int rows;
    private final int columns;
    private final FusedSteps steps;
    private final FusedElements elements;

    FusedKernel(
            KOrder order,
            FusedRule rule,
            FloatCode codeA,
            FloatCode codeB,
            Places places,
            FusedElements elements,
            FloatFormat formatC,
            FloatFormat formatD,
            Optional<Sparsity> sparsity) {
        this.rows = places.d().majors();
        this.columns = places.d().minors();
        this.blocks = Math.ceilDiv(rows, Lanes.COUNT);
        this.elements = elements;
        boolean dense = sparsity.isEmpty();
        PairTable tableA = PairTable.rows(places.a(), order);
        PairTable tableB =
                dense ? PairTable.columns(places.b(), order) : PairTable.wholeColumns(places.b());
        this.readA = new FloatPairReader(codeA, tableA, dense);
        this.readB = new FloatPairReader(codeB, tableB, dense);
        this.a = new FloatPlanes(tableA.pairs() * 2 * Lanes.COUNT);
        this.b = new FloatPlanes(tableB.pairs() * 2 * Lanes.COUNT);
        this.readC = AccumulatorTable.of(places.c(), formatC == FloatFormat.F16);
        this.writeD = AccumulatorTable.of(places.d(), formatD == FloatFormat.F16);
        this.c = new int[readC.elements()];
        this.d = new int[readC.elements()];
        this.steps =
                dense
                        ? new FusedDense(rule, order, columns)
                        : new FusedSparse(
                                rule,
                                order,
                                columns,
                                Math.ceilDiv(places.b().minors(), Lanes.COUNT),
                                sparsity.get());
    }

    @Override
    public void run(Inputs in, int[] result) {
        readA.read(in.a(), a.values(), a.exponents());
        readB.read(in.b(), b.values(), b.exponents());
        if (in.accumulate()) {
            readC.read(in.c(), c);
        } else {
            Arrays.fill(c, 0);
        }
        int negation = in.negateProducts() ? Integer.MIN_VALUE : 0;
        for (int block = 0; block < blocks; block++) {
            if (steps.multiply(block, negation, a, b, c, d)) {
                repair(in, block);
            }
        }
        writeD.write(d, result);
    }

    private void repair(Inputs in, int block) {
        int lanes = Math.min(Lanes.COUNT, rows - block * Lanes.COUNT);
        for (int column = 0; column < columns; column++) {
            int at = (block * columns + column) * Lanes.COUNT;
            for (int lane = 0; lane < lanes; lane++) {
                if ((d[at + lane] & Integer.MAX_VALUE) > 0x7F80_0000) {
                    float element = elements.element(in, block * Lanes.COUNT + lane, column);
                    d[at + lane] = Float.floatToRawIntBits(element);
                    if (rows < Lanes.COUNT) {
                        // The lanes beyond the last row repeat those before and write the same word
                        d[at + lane + rows] = d[at + lane];
                    }
                }
            }
        }
    }
}
