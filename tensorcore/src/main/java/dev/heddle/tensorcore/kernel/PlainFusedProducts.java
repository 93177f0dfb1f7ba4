package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;

/// Fused sums from operands decoded once: the values of all codes as `double`, beside the exponents
/// with which they enter a sum.
final class PlainFusedProducts extends ElementProducts {
    private final PlainElements a;
    private final PlainElements b;
    private final Placement placeC;
    private final FloatFormat formatC;
    private final FloatFormat formatD;
    private final FusedScalar scalar;
    private final int stored;
    private Inputs in = Inputs.NONE;

    PlainFusedProducts(Form form, FusedSum sum, Places places) {
        super(places.d(), form.type(Role.D));
        this.a = elements(places.a(), form, Role.A, sum);
        this.b = elements(places.b(), form, Role.B, sum);
        this.placeC = places.c();
        this.formatC = (FloatFormat) form.type(Role.C);
        this.formatD = (FloatFormat) form.type(Role.D);
        this.stored = places.a().minors();
        this.scalar = new FusedScalar(FusedRule.of(form, sum), sum.grouping(), stored);
    }

    private static PlainElements elements(Placement place, Form form, Role role, FusedSum sum) {
        return new PlainElements(
                place, (FloatFormat) form.type(role), FloatCode.of(form, role, sum)::exponent);
    }

    @Override
    void read(Inputs inputs) {
        in = inputs;
        a.read(inputs.a());
        b.read(inputs.b());
    }

    @Override
    long element(int row, int column, int[] selected, int from) {
        return code(formatD, value(row, column, selected, from));
    }

    /// The code of a value that the format has: f32, or f16.
    static long code(FloatFormat format, float value) {
        return format == FloatFormat.F32
                ? Integer.toUnsignedLong(Float.floatToRawIntBits(value))
                : Short.toUnsignedLong(Float.floatToFloat16(value));
    }

    /// An element of D; NaN is canonical.
    float value(int row, int column, int[] selected, int from) {
        int atA = row * stored;
        int atB = column * b.minors();
        for (int k = 0; k < stored; k++) {
            int other = atB + selected[from + k];
            scalar.set(
                    k,
                    a.values()[atA + k] * b.values()[other],
                    a.exponents()[atA + k] + b.exponents()[other]);
        }
        double c =
                in.accumulate()
                        ? formatC.toDouble(placeC.code(in.c(), row, column, formatC.bits()))
                        : 0;
        return scalar.sum((float) c, in.negateProducts());
    }
}
