package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;

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
            Form form,
            FusedSum sum,
            Places places,
            KOrder order,
            TermReader terms,
            Optional<Sparsity> sparsity) {
        this.rows = places.d().majors();
        this.columns = places.d().minors();
        this.blocks = Math.ceilDiv(rows, Lanes.COUNT);
        this.elements = new FusedElements(form, sum, terms);
        boolean dense = sparsity.isEmpty();
        int k = order.kAt().length;
        this.order = order;
        this.sums = new VectorFusedSum(FusedRule.of(form, sum), columns * Lanes.COUNT);
        DecodedOperand a =
                new DecodedOperand(
                        VectorTable.rows(places.a(), order, dense ? 2 : 0),
                        FloatCode.of(form, Role.A, sum));
        DecodedOperand b =
                new DecodedOperand(
                        dense
                                ? VectorTable.columns(places.b(), order)
                                : VectorTable.wholeColumns(places.b()),
                        FloatCode.of(form, Role.B, sum));
        this.readC = AccumulatorTable.of(places.c(), form.type(Role.C) == FloatFormat.F16);
        this.writeD = AccumulatorTable.of(places.d(), form.type(Role.D) == FloatFormat.F16);
        this.c = new int[readC.elements()];
        this.d = new int[readC.elements()];
        this.terms =
                dense
                        ? new DenseTerms(k, columns, a, b)
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
