package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.numerics.Accumulation.Grouping;
import dev.heddle.tensorcore.numerics.Accumulation.ScaledSum;

/// Block-scaled sums from operands and scale factors decoded once.
final class PlainScaledProducts extends ElementProducts {
    private final PlainElements a;
    private final PlainElements b;
    private final PlainElements scaleA;
    private final PlainElements scaleB;
    private final Placement placeC;
    private final int perTerm;
    private final FusedScalar scalar;
    private Inputs in = Inputs.NONE;

    PlainScaledProducts(Form form, ScaledSum rule, Places places) {
        super(places.d(), FloatFormat.F32);
        this.a = elements(places.a(), form.type(Role.A));
        this.b = elements(places.b(), form.type(Role.B));
        Format scale = form.scaleFactors(Role.A).orElseThrow().format();
        this.scaleA = elements(places.scaleA().orElseThrow(), scale);
        this.scaleB = elements(places.scaleB().orElseThrow(), scale);
        this.placeC = places.c();
        this.perTerm = rule.productsPerTerm();
        this.scalar = new FusedScalar(FusedRule.of(rule), Grouping.WHOLE, a.minors() / perTerm);
    }

    private static PlainElements elements(Placement place, Format type) {
        FloatFormat format = (FloatFormat) type;
        return new PlainElements(
                place, format, code -> format.exponent(code) + format.fractionBits());
    }

    @Override
    void read(Inputs inputs) {
        in = inputs;
        a.read(inputs.a());
        b.read(inputs.b());
        scaleA.read(inputs.scaleA());
        scaleB.read(inputs.scaleB());
    }

    @Override
    long element(int row, int column, int[] selected, int from) {
        int stored = a.minors();
        for (int first = 0; first < stored; first += perTerm) {
            int factorA = factor(scaleA, row, first);
            int factorB = factor(scaleB, column, first);
            int exponent = scaleA.exponents()[factorA] + scaleB.exponents()[factorB];
            double sum = 0;
            for (int k = first; k < first + perTerm; k++) {
                int atA = row * stored + k;
                int atB = column * b.minors() + selected[from + k];
                sum += a.values()[atA] * b.values()[atB];
                if (perTerm == 1) {
                    exponent += a.exponents()[atA] + b.exponents()[atB];
                }
            }
            double scale = scaleA.values()[factorA] * scaleB.values()[factorB];
            scalar.set(first / perTerm, sum * scale, exponent);
        }
        int c = in.accumulate() ? placeC.load(in.c(), row, column) : 0;
        float value = scalar.sum(Float.intBitsToFloat(c), false);
        return Integer.toUnsignedLong(Float.floatToRawIntBits(value));
    }

    /// Where the scale factor of a stored k is.
    private int factor(PlainElements factors, int major, int k) {
        return major * factors.minors() + k * factors.minors() / a.minors();
    }
}
