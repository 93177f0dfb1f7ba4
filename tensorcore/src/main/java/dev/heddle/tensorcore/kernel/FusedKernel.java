package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;

import java.util.Arrays;
import java.util.Optional;

/// Fused sums by vectors, and one by one where the vectors give up.
final class FusedKernel implements Microkernel {
    private final AccumulatorTable readC;
    private final AccumulatorTable writeD;
    private final int[] c;
    private final int[] d;
    private final int blocks;
    private final int rows;
    private final int columns;
    private final KOrder order;
    private final FusedTerms terms;
    private final VectorFusedSum sums;
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
        int k = order.kAt().length;
        this.order = order;
        this.sums = new VectorFusedSum(rule, columns * Lanes.COUNT);
        DecodedOperand a =
                new DecodedOperand(VectorTable.rows(places.a(), order, dense ? 2 : 0), codeA);
        DecodedOperand b =
                new DecodedOperand(
                        dense
                                ? VectorTable.columns(places.b(), order)
                                : VectorTable.wholeColumns(places.b()),
                        codeB);
        this.readC = AccumulatorTable.of(places.c(), formatC == FloatFormat.F16);
        this.writeD = AccumulatorTable.of(places.d(), formatD == FloatFormat.F16);
        this.c = new int[readC.elements()];
        this.d = new int[readC.elements()];
        this.terms =
                dense
                        ? new DenseTerms(order, columns, a, b)
                        : new SparseTerms(k, columns, sparsity.get().picks(order), a, b);
    }

    @Override
    public void run(Inputs in, int[] result) {
        terms.read(in.a(), in.b());
        if (in.accumulate()) {
            readC.read(in.c(), c);
        } else {
            Arrays.fill(c, 0);
        }
        int negation = in.negateProducts() ? Integer.MIN_VALUE : 0;
        for (int block = 0; block < blocks; block++) {
            int from = block * columns * Lanes.COUNT;
            if (sums.run(terms, block, negation, order, c, from, d)) {
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
