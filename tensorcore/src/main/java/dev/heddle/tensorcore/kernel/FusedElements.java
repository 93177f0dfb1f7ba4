package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;

/// Fused sums element by element, from codes.
final class FusedElements {
    private final TermReader terms;
    private final FloatFormat formatA;
    private final FloatFormat formatB;
    private final FloatFormat formatC;
    private final FloatCode codeA;
    private final FloatCode codeB;
    private final FusedScalar scalar;

    FusedElements(
            TermReader terms,
            int k,
            FusedSum sum,
            FusedRule rule,
            FloatFormat formatA,
            FloatFormat formatB,
            FloatFormat formatC) {
        this.terms = terms;
        this.formatA = formatA;
        this.formatB = formatB;
        this.formatC = formatC;
        this.codeA = FloatCode.of(formatA, sum);
        this.codeB = FloatCode.of(formatB, sum);
        this.scalar = new FusedScalar(rule, sum.grouping(), k);
    }

    /// An element of D, as a `float` of its value.
    float element(Inputs in, int row, int column) {
        terms.load(in, row, column);
        for (int k = 0; k < terms.a().length; k++) {
            long a = terms.a()[k];
            long b = terms.b()[k];
            scalar.set(
                    k,
                    formatA.toDouble(a) * formatB.toDouble(b),
                    codeA.exponent((int) a) + codeB.exponent((int) b));
        }
        float c = (float) formatC.toDouble(terms.c(in, row, column));
        return scalar.sum(c, in.negateProducts());
    }
}
