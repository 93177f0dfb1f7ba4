package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;
import dev.heddle.tensorcore.numerics.Accumulation.Grouping;
import dev.heddle.tensorcore.numerics.Accumulation.ScaledSum;

/// Block-scaled sums element by element, from codes.
final class ScaledElements implements ElementKernel.Element {
    private final TermReader terms;
    private final FloatFormat formatA;
    private final FloatFormat formatB;
    private final FloatFormat scaleFormat;
    private final int perTerm;
    private final FusedScalar scalar;

    ScaledElements(
            TermReader terms,
            int k,
            ScaledSum rule,
            FloatFormat formatA,
            FloatFormat formatB,
            FloatFormat scaleFormat) {
        this.terms = terms;
        this.formatA = formatA;
        this.formatB = formatB;
        this.scaleFormat = scaleFormat;
        this.perTerm = rule.productsPerTerm();
        this.scalar = new FusedScalar(FusedRule.of(rule), Grouping.WHOLE, k / perTerm);
    }

    @Override
    public long code(Inputs in, int row, int column) {
        terms.load(in, row, column);
        long[] scalesA = terms.scalesA(in, row);
        long[] scalesB = terms.scalesB(in, column);
        int count = terms.a().length / perTerm;
        for (int term = 0; term < count; term++) {
            int first = term * perTerm;
            double sum = 0;
            int exponent =
                    leading(scaleFormat, scalesA[first]) + leading(scaleFormat, scalesB[first]);
            for (int k = first; k < first + perTerm; k++) {
                sum += formatA.toDouble(terms.a()[k]) * formatB.toDouble(terms.b()[k]);
            }
            if (perTerm == 1) {
                exponent += leading(formatA, terms.a()[first]) + leading(formatB, terms.b()[first]);
            }
            double scale =
                    scaleFormat.toDouble(scalesA[first]) * scaleFormat.toDouble(scalesB[first]);
            scalar.set(term, sum * scale, exponent);
        }
        float c = (float) FloatFormat.F32.toDouble(terms.c(in, row, column));
        return Float.floatToRawIntBits(scalar.sum(c, false));
    }

    private static int leading(FloatFormat format, long code) {
        return format.exponent(code) + format.fractionBits();
    }
}
