package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;

import java.util.Arrays;

/// Fused sums by vectors of columns, for machines without vectors of 512 bits; one by one where the
/// vectors give up.
final class FusedColumns implements PlainKernel.Products {
    private final Places places;
    private final KOrder order;
    private final FloatFormat formatC;
    private final FloatFormat formatD;
    private final ColumnTerms terms;
    private final VectorFusedSum sums;
    private final PlainFusedProducts single;
    // `float` bits of C and D, row after row
    private final int[] c;
    private final int[] d;

    FusedColumns(Form form, FusedSum sum, Places places, KOrder order) {
        this.places = places;
        this.order = order;
        this.formatC = (FloatFormat) form.type(Role.C);
        this.formatD = (FloatFormat) form.type(Role.D);
        this.terms =
                new ColumnTerms(
                        places,
                        order,
                        FloatCode.of(form, Role.A, sum),
                        FloatCode.of(form, Role.B, sum));
        this.c = new int[places.d().majors() * places.d().minors()];
        this.d = new int[c.length];
        this.sums = new VectorFusedSum(FusedRule.of(form, sum), c.length);
        this.single = new PlainFusedProducts(form, sum, places);
    }

    @Override
    public void multiply(Inputs in, int[] selected, int perRow, int[] result) {
        terms.select(selected, perRow);
        terms.read(in.a(), in.b());
        readC(in);
        int negation = in.negateProducts() ? Integer.MIN_VALUE : 0;
        boolean rare = sums.run(terms, 0, negation, order, c, 0, d);
        if (rare) {
            repair(in, selected, perRow);
        }
        writeD(result);
    }

    private void readC(Inputs in) {
        if (!in.accumulate()) {
            Arrays.fill(c, 0);
            return;
        }
        int[] word = places.c().word();
        if (formatC == FloatFormat.F32) {
            for (int at = 0; at < c.length; at++) {
                c[at] = in.c()[word[at]];
            }
        } else {
            int[] bit = places.c().bit();
            for (int at = 0; at < c.length; at++) {
                short code = (short) (in.c()[word[at]] >>> bit[at]);
                c[at] = Float.floatToRawIntBits(Float.float16ToFloat(code));
            }
        }
    }

    private void repair(Inputs in, int[] selected, int perRow) {
        single.read(in);
        int columns = places.d().minors();
        for (int at = 0; at < d.length; at++) {
            if ((d[at] & Integer.MAX_VALUE) > FloatCode.INFINITE) {
                int row = at / columns;
                float value = single.value(row, at % columns, selected, row * perRow);
                d[at] = Float.floatToRawIntBits(value);
            }
        }
    }

    private void writeD(int[] result) {
        int[] word = places.d().word();
        if (formatD == FloatFormat.F32) {
            for (int at = 0; at < d.length; at++) {
                result[word[at]] = d[at];
            }
        } else {
            int columns = places.d().minors();
            for (int at = 0; at < d.length; at++) {
                long code = PlainFusedProducts.code(formatD, Float.intBitsToFloat(d[at]));
                places.d().store(result, at / columns, at % columns, Short.SIZE, code);
            }
        }
    }
}
