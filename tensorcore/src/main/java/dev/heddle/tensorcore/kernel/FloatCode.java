package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;

/// How a code of a format of at most 32 bits becomes a `float` of the same value and the exponent
/// with which it enters a fused sum.
///
/// The exponent is that of the significand before any normalisation: a subnormal keeps the smallest
/// exponent of its own format. Zero and the codes that are no finite number have exponents of their
/// own, which no sum of two others reaches.
///
/// @param magnitude       the bits of exponent and fraction in the code
/// @param sign            the sign bit of the code, 0 if the format has none
/// @param toFloat         how far left the magnitude goes to stand in the fields of a `float`
/// @param toSign          how far left the sign goes
/// @param rebias          how much larger the exponent field of the `float` is: 127 - bias
/// @param firstNormal     the smallest magnitude that is normal in the format
/// @param special         the smallest magnitude that is infinite or NaN
/// @param minimumExponent the exponent of subnormals
record FloatCode(
        int magnitude,
        int sign,
        int toFloat,
        int toSign,
        int rebias,
        int firstNormal,
        int special,
        int minimumExponent) {

    /// The exponent of zero: with any other exponent added, below all that count.
    static final short ZERO = -6000;

    /// Exponents below this are those of products with a zero.
    static final int ZERO_LIMIT = -3000;

    /// The exponent of infinities and NaN: with any other added, beyond all that count.
    static final short SPECIAL = 12000;

    /// The bits of an infinite `float`, which stands for all that is not a finite number.
    static final int INFINITE = 0x7F80_0000;

    private static final int FLOAT_BIAS = 127;
    private static final int FLOAT_FRACTION = 23;

    /// The codes of an operand as the products of a rule see them.
    static FloatCode of(Form form, Role role, FusedSum rule) {
        FloatFormat format = (FloatFormat) form.type(role);
        return of(format, rule.operandMinimumExponent().orElse(1 - format.bias()));
    }

    /// The codes of a format as it is.
    static FloatCode of(FloatFormat format) {
        return of(format, 1 - format.bias());
    }

    private static FloatCode of(FloatFormat format, int minimumExponent) {
        int padding =
                format.signed()
                        ? format.bits() - 1 - format.exponentBits() - format.fractionBits()
                        : 0;
        int magnitude = ((1 << (format.exponentBits() + format.fractionBits())) - 1) << padding;
        long special = format.maxFinite() + (1L << padding);
        return new FloatCode(
                magnitude,
                format.signed() ? 1 << (format.bits() - 1) : 0,
                FLOAT_FRACTION - format.fractionBits() - padding,
                Integer.SIZE - format.bits(),
                FLOAT_BIAS - format.bias(),
                (int) format.minNormal(),
                format.specials() == FloatFormat.Specials.NONE ? Integer.MAX_VALUE : (int) special,
                minimumExponent);
    }

    /// Whether these are the codes of f16, which processors convert.
    boolean isHalf() {
        return magnitude == 0x7FFF && special == 0x7C00;
    }

    /// The exponent of a code, [#ZERO] or [#SPECIAL].
    int exponent(int word) {
        int code = word & magnitude;
        if (code == 0) {
            return ZERO;
        }
        if (code >= special) {
            return SPECIAL;
        }
        float scaled = Float.intBitsToFloat(code << toFloat) * Math.scalb(1f, rebias);
        return Math.max(Math.getExponent(scaled), minimumExponent);
    }
}
