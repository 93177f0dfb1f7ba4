package dev.heddle.formats;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;

/// A binary floating-point format: a sign, a biased exponent, a fraction, and which codes are
/// special.
///
/// The value of a code with sign `s`, exponent field `e` and fraction field `f` of `n` bits is
///
/// - `(-1)^s * (2^n + f) * 2^(e - bias - n)` for `e > 0`,
/// - `(-1)^s * f * 2^(1 - bias - n)` for `e = 0` (zero and the subnormals),
///
/// unless it is an infinity or a NaN. ue8m0 has neither sign nor fraction, nor zero and subnormals:
/// all its codes but NaN are `2^(e - 127)`.
///
/// PTX ISA 5.2.1 and 5.2.3.
public enum FloatFormat implements Format {
    F64(64, Sign.SIGNED, 11, 52, Specials.IEEE, 0x7FFF_FFFF_0000_0000L),
    F32(32, Sign.SIGNED, 8, 23, Specials.IEEE, 0x7FFF_FFFFL),
    /// The high 19 bits of a 32-bit register: f32 with ten fraction bits. The low 13 bits are
    /// ignored when read, zero when a number is written.
    TF32(32, Sign.SIGNED, 8, 10, Specials.IEEE, 0x7FFF_FFFFL),
    BF16(16, Sign.SIGNED, 8, 7, Specials.IEEE, 0x7FFFL),
    F16(16, Sign.SIGNED, 5, 10, Specials.IEEE, 0x7FFFL),
    E5M2(8, Sign.SIGNED, 5, 2, Specials.IEEE, 0x7FL),
    /// NaN only where exponent and fraction are all ones; no infinity.
    E4M3(8, Sign.SIGNED, 4, 3, Specials.NAN_ONLY, 0x7FL),
    E3M2(6, Sign.SIGNED, 3, 2, Specials.NONE, 0),
    E2M3(6, Sign.SIGNED, 2, 3, Specials.NONE, 0),
    E2M1(4, Sign.SIGNED, 2, 1, Specials.NONE, 0),
    /// A power of two, the scale factor of a block: `2^(code - 127)`.
    UE8M0(8, Sign.UNSIGNED, 8, 0, Specials.NAN_ONLY, 0xFFL),
    /// e4m3 without its sign: seven bits in a byte whose top bit is ignored when read, zero when
    /// written.
    UE4M3(8, Sign.UNSIGNED, 4, 3, Specials.NAN_ONLY, 0x7FL);

    /// Which values besides the finite ones a format has.
    public enum Specials {
        /// The largest exponent field holds infinity (fraction zero) and NaN (any other).
        IEEE,
        /// Exponent and fraction all ones are NaN; there is no infinity.
        NAN_ONLY,
        /// Every code is finite.
        NONE
    }

    /// Whether a format has a sign bit.
    private enum Sign {
        SIGNED,
        UNSIGNED
    }

    private static final int DOUBLE_FRACTION_BITS = 52;
    private static final int DOUBLE_BIAS = 1023;

    private final String ptxName;
    private final int bits;
    private final boolean signed;
    private final int exponentBits;
    private final int fractionBits;
    private final Specials specials;
    private final long canonicalNaN;

    // Bits of the code below the fraction: 13 for tf32
    private final int lowPadding;
    // Exponent and fraction fields, shifted down by lowPadding, and what they hold at most in a
    // finite code
    private final long magnitudeMask;
    private final long maxMagnitude;
    private final long signMask;
    private final int bias;
    // The smallest exponent field of a normal number
    private final int firstNormal;

    FloatFormat(
            int bits,
            Sign sign,
            int exponentBits,
            int fractionBits,
            Specials specials,
            long canonicalNaN) {
        this.ptxName = name().toLowerCase(Locale.ROOT);
        this.bits = bits;
        this.signed = sign == Sign.SIGNED;
        this.exponentBits = exponentBits;
        this.fractionBits = fractionBits;
        this.specials = specials;
        this.canonicalNaN = canonicalNaN;
        this.lowPadding = signed ? bits - 1 - exponentBits - fractionBits : 0;
        this.magnitudeMask = (1L << (exponentBits + fractionBits)) - 1;
        this.maxMagnitude =
                switch (specials) {
                    case IEEE -> (((1L << exponentBits) - 1) << fractionBits) - 1;
                    case NAN_ONLY -> magnitudeMask - 1;
                    case NONE -> magnitudeMask;
                };
        this.signMask = signed ? 1L << (bits - 1) : 0;
        this.bias = (1 << (exponentBits - 1)) - 1;
        this.firstNormal = fractionBits == 0 ? 0 : 1;
    }

    @Override
    public String ptxName() {
        return ptxName;
    }

    @Override
    public int bits() {
        return bits;
    }

    public boolean signed() {
        return signed;
    }

    public int exponentBits() {
        return exponentBits;
    }

    public int fractionBits() {
        return fractionBits;
    }

    /// What is subtracted from the exponent field.
    public int bias() {
        return bias;
    }

    public Specials specials() {
        return specials;
    }

    public boolean hasInfinity() {
        return specials == Specials.IEEE;
    }

    public boolean hasNaN() {
        return specials != Specials.NONE;
    }

    /// Whether the exponent field zero holds zero and the subnormals: all formats but ue8m0.
    public boolean hasZero() {
        return firstNormal == 1;
    }

    /// The NaN that instructions produce where the manual says "canonical NaN" or "NaN in the
    /// destination format".
    ///
    /// The manual spells out only that of f64 (PTX ISA 9.7.3.14, `0x7fffffff00000000`) and those of
    /// the formats that have a single one (5.2.3). f32 and f16 are what an H200 gives; bf16, tf32
    /// and e5m2 follow their pattern.
    ///
    /// @throws IllegalStateException if the format has no NaN
    public long canonicalNaN() {
        if (!hasNaN()) {
            throw new IllegalStateException(this + " has no NaN (PTX ISA 5.2.3)");
        }
        return canonicalNaN;
    }

    /// The code of positive infinity.
    ///
    /// @throws IllegalStateException if the format has none
    public long infinity() {
        if (!hasInfinity()) {
            throw new IllegalStateException(this + " has no infinity (PTX ISA 5.2.3)");
        }
        return (maxMagnitude + 1) << lowPadding;
    }

    /// The code of the largest finite value, which the manual calls MAX_NORM.
    public long maxFinite() {
        return maxMagnitude << lowPadding;
    }

    /// The code of the smallest finite value: the negated largest one, or the least of an unsigned
    /// format.
    public long minFinite() {
        return signed ? signMask | maxFinite() : 0;
    }

    /// The code of the smallest positive value.
    public long minPositive() {
        return hasZero() ? 1L << lowPadding : 0;
    }

    /// The code of the smallest positive normal value.
    public long minNormal() {
        return (long) firstNormal << (fractionBits + lowPadding);
    }

    /// The sign bit of a code; false for an unsigned format. True for -0 and for a NaN with the
    /// sign set.
    public boolean isNegative(long code) {
        return (code & signMask) != 0;
    }

    public boolean isNaN(long code) {
        return specials != Specials.NONE && magnitude(code) > maxMagnitude && !isInfinite(code);
    }

    public boolean isInfinite(long code) {
        return specials == Specials.IEEE && magnitude(code) == maxMagnitude + 1;
    }

    public boolean isFinite(long code) {
        return magnitude(code) <= maxMagnitude;
    }

    public boolean isZero(long code) {
        return hasZero() && magnitude(code) == 0;
    }

    /// What kind of value a code stands for.
    public NumberClass classify(long code) {
        long magnitude = magnitude(code);
        if (magnitude > maxMagnitude) {
            return isInfinite(code) ? NumberClass.INFINITE : NumberClass.NAN;
        }
        if (magnitude >>> fractionBits >= firstNormal) {
            return NumberClass.NORMAL;
        }
        return magnitude == 0 ? NumberClass.ZERO : NumberClass.SUBNORMAL;
    }

    /// The integer significand of a finite code, with the hidden bit and not normalised: its
    /// magnitude is `significand(code) * 2^exponent(code)`.
    public long significand(long code) {
        long magnitude = magnitude(code);
        long fraction = magnitude & ((1L << fractionBits) - 1);
        return magnitude >>> fractionBits >= firstNormal
                ? (1L << fractionBits) | fraction
                : fraction;
    }

    /// The power of two of the last place of a finite code: see [#significand]. Zero and subnormals
    /// have that of the smallest normal number.
    public int exponent(long code) {
        int field = (int) (magnitude(code) >>> fractionBits);
        return Math.max(field, firstNormal) - bias - fractionBits;
    }

    /// The unit in the last place of a value: the distance of the format's neighbours where it
    /// lies. Below the normal numbers that of the smallest, beyond the largest that of the largest.
    public BigDecimal ulp(BigDecimal value) {
        // As a double the value may have become the power of two above it.
        int leading = Math.getExponent(value.abs().doubleValue());
        if (leading <= Double.MAX_EXPONENT && powerOf(leading).compareTo(value.abs()) > 0) {
            leading--;
        }
        return powerOf(
                Math.clamp(
                        (long) leading - fractionBits,
                        exponent(minNormal()),
                        exponent(maxFinite())));
    }

    private static BigDecimal powerOf(int exponent) {
        return new Value.Finite(false, BigInteger.ONE, exponent).toBigDecimal();
    }

    @Override
    public Value value(long code) {
        boolean negative = isNegative(code);
        return switch (classify(code)) {
            case NAN -> new Value.NaN(negative, magnitude(code) & ((1L << fractionBits) - 1));
            case INFINITE -> new Value.Infinity(negative);
            case ZERO, SUBNORMAL, NORMAL ->
                    new Value.Finite(
                            negative, BigInteger.valueOf(significand(code)), exponent(code));
        };
    }

    @Override
    public double toDouble(long code) {
        if (this == F64) {
            return Double.longBitsToDouble(code);
        }
        long magnitude = magnitude(code);
        long sign = isNegative(code) ? Long.MIN_VALUE : 0;
        if (magnitude > maxMagnitude) {
            return isInfinite(code)
                    ? Double.longBitsToDouble(sign | 0x7FF0_0000_0000_0000L)
                    : Double.NaN;
        }
        if (magnitude >>> fractionBits < firstNormal) {
            double value = magnitude * powerOfTwo(1 - bias - fractionBits);
            return sign == 0 ? value : -value;
        }
        return Double.longBitsToDouble(
                sign
                        | (magnitude << (DOUBLE_FRACTION_BITS - fractionBits))
                                + ((long) (DOUBLE_BIAS - bias) << DOUBLE_FRACTION_BITS));
    }

    /// The code of a `double`, rounded once.
    ///
    /// NaN becomes [#canonicalNaN], or the largest finite value where the format has no NaN (PTX
    /// ISA 9.7.9.21, `.satfinite`). An unsigned format takes the magnitude: so the `cvt` to ue8m0
    /// does.
    public long encode(double value, Rounding rounding, Overflow overflow) {
        long code = Double.doubleToRawLongBits(value);
        boolean negative = code < 0;
        if (F64.isNaN(code)) {
            return encodeNaN();
        }
        if (F64.isInfinite(code)) {
            return encodeInfinity(negative, overflow);
        }
        return encode(negative, F64.significand(code), F64.exponent(code), rounding, overflow);
    }

    @Override
    public long encode(Value value, Rounding rounding, Overflow overflow) {
        return switch (value) {
            case Value.NaN _ -> encodeNaN();
            case Value.Infinity(boolean negative) -> encodeInfinity(negative, overflow);
            case Value.Finite(boolean negative, BigInteger significand, int exponent) -> {
                int excess = significand.bitLength() - (Long.SIZE - 1);
                if (excess <= 0) {
                    yield encode(negative, significand.longValue(), exponent, rounding, overflow);
                }
                // The significand is odd, so bits are lost: a set last bit stands for them. It lies
                // below every
                // midpoint, for the 63 bits that remain are more than any format's precision
                long kept = significand.shiftRight(excess).longValue() | 1;
                yield encode(negative, kept, exponent + excess, rounding, overflow);
            }
        };
    }

    /// The code of `significand * 2^exponent`, negated if `negative`, rounded once.
    ///
    /// @param significand an unsigned 64-bit integer; not normalised
    public long encode(
            boolean negative,
            long significand,
            int exponent,
            Rounding rounding,
            Overflow overflow) {
        if (significand == 0) {
            return negative ? signMask : 0;
        }
        int leading = Long.SIZE - 1 - Long.numberOfLeadingZeros(significand);
        long field = (long) leading + exponent + bias;
        if (field < firstNormal && !hasZero()) {
            return 0;
        }
        if (field >= 1L << exponentBits) {
            return encodeOverflow(negative, rounding, overflow);
        }
        field = Math.max(field, firstNormal);
        long shift = field - bias - fractionBits - exponent;
        long kept = shift <= 0 ? significand << -shift : shift < 64 ? significand >>> shift : 0;
        // The exponent field of a normal number counts the hidden bit of the significand once
        long magnitude = ((field - firstNormal) << fractionBits) + kept - (1 - firstNormal);
        if (shift > 0
                && rounding.away(negative && signed, (magnitude & 1) != 0, significand, shift)) {
            magnitude++;
        }
        return magnitude <= maxMagnitude
                ? (negative ? signMask : 0) | (magnitude << lowPadding)
                : encodeOverflow(negative, rounding, overflow);
    }

    private long encodeOverflow(boolean negative, Rounding rounding, Overflow overflow) {
        return rounding.overflowsToInfinity(negative && signed)
                ? encodeInfinity(negative, overflow)
                : (negative ? signMask : 0) | maxFinite();
    }

    private long encodeNaN() {
        return hasNaN() ? canonicalNaN : maxFinite();
    }

    private long encodeInfinity(boolean negative, Overflow overflow) {
        long sign = negative ? signMask : 0;
        if (overflow == Overflow.SATFINITE || specials == Specials.NONE) {
            return sign | maxFinite();
        }
        return specials == Specials.IEEE ? sign | infinity() : canonicalNaN;
    }

    private long magnitude(long code) {
        return (code >>> lowPadding) & magnitudeMask;
    }

    private static double powerOfTwo(int exponent) {
        return Double.longBitsToDouble((long) (exponent + DOUBLE_BIAS) << DOUBLE_FRACTION_BITS);
    }

    /// The spelling in an opcode: `.f16`.
    @Override
    public String toString() {
        // Not +, which links a call site at start-up
        return ".".concat(ptxName);
    }
}
