package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
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

    FusedElements(Form form, FusedSum sum, TermReader terms) {
        this.terms = terms;
        this.formatA = (FloatFormat) form.type(Role.A);
        this.formatB = (FloatFormat) form.type(Role.B);
        this.formatC = (FloatFormat) form.type(Role.C);
        this.codeA = FloatCode.of(form, Role.A, sum);
        this.codeB = FloatCode.of(form, Role.B, sum);
        this.scalar = new FusedScalar(FusedRule.of(form, sum), sum.grouping(), terms.a().length);
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
