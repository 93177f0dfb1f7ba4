package dev.heddle.conformance.scalars;

import dev.heddle.formats.Rounding;

import java.math.BigInteger;

/// A binary format of IEEE 754, from its definition: so many bits, so many of them significant.
///
/// Nothing here is shared with the code under test.
enum Binary {
    F16(16, 11),
    BF16(16, 8),
    F32(32, 24),
    F64(64, 53);

    /// Bits of a code.
    final int width;

    private final int precision;
    private final int bias;

    Binary(int width, int precision) {
        this.width = width;
        this.precision = precision;
        bias = (1 << width - precision - 1) - 1;
    }

    /// The exponent of the last bit of the least numbers.
    private int least() {
        return 2 - bias - precision;
    }

    private long infinity() {
        return ((1L << width - precision) - 1) << precision - 1;
    }

    /// A NaN, which stands for all.
    long nan() {
        return (1L << width - 1) - 1;
    }

    boolean isNan(long code) {
        return (code & nan()) > infinity();
    }

    long sign(long code) {
        return code & 1L << width - 1;
    }

    long signed(boolean negative, long magnitude) {
        return (negative ? 1L << width - 1 : 0) | magnitude;
    }

    /// 1.0.
    long one() {
        return (long) bias << precision - 1;
    }

    /// Zero of the same sign, where the number is subnormal.
    long flushed(long code) {
        return (code & nan()) < 1L << precision - 1 ? sign(code) : code;
    }

    boolean isSubnormal(long code) {
        long magnitude = code & nan();
        return magnitude != 0 && magnitude < 1L << precision - 1;
    }

    /// What a code stands for.
    Exact value(long code) {
        long magnitude = code & nan();
        boolean negative = sign(code) != 0;
        if (magnitude > infinity()) {
            return Exact.NAN;
        }
        if (magnitude == infinity()) {
            return new Exact(Exact.Kind.INFINITE, negative, BigInteger.ONE, 0);
        }
        long exponent = magnitude >>> precision - 1;
        long fraction = magnitude & (1L << precision - 1) - 1;
        return exponent == 0
                ? Exact.finite(negative, BigInteger.valueOf(fraction), least())
                : Exact.finite(
                        negative,
                        BigInteger.valueOf(fraction | 1L << precision - 1),
                        least() + (int) exponent - 1);
    }

    /// The code of a value.
    long code(Exact value, Rounding rounding) {
        return switch (value.kind()) {
            case NAN -> nan();
            case INFINITE -> signed(value.negative(), infinity());
            case FINITE ->
                    code(
                            value.negative(),
                            value.significand(),
                            BigInteger.ONE,
                            value.exponent(),
                            rounding);
        };
    }

    /// The code of `numerator / denominator * 2^exponent`.
    long code(
            boolean negative,
            BigInteger numerator,
            BigInteger denominator,
            int exponent,
            Rounding rounding) {
        int shift = Math.max(0, precision + 3 - numerator.bitLength() + denominator.bitLength());
        BigInteger[] parts = numerator.shiftLeft(shift).divideAndRemainder(denominator);
        return code(negative, parts[0], parts[1].signum() != 0, exponent - shift, rounding);
    }

    /// The code of a square root: of `significand * 2^exponent`, an even exponent.
    long rootCode(BigInteger significand, int exponent, Rounding rounding) {
        int shift = 2 * Math.max(0, precision + 3 - significand.bitLength() / 2);
        BigInteger[] parts = significand.shiftLeft(shift).sqrtAndRemainder();
        return code(false, parts[0], parts[1].signum() != 0, (exponent - shift) / 2, rounding);
    }

    /// The code of `(whole + more) * 2^exponent`.
    ///
    /// @param more whether something between 0 and 1 is left
    private long code(
            boolean negative, BigInteger whole, boolean more, int exponent, Rounding rounding) {
        if (whole.signum() == 0) {
            return signed(negative, 0);
        }
        int last = Math.max(exponent + whole.bitLength() - precision, least());
        BigInteger kept = rounded(negative, whole, more, last - exponent, rounding);
        long magnitude = ((long) (last - least()) << precision - 1) + kept.longValueExact();
        if (last - least() >= 2 * bias || magnitude >= infinity()) {
            boolean infinite =
                    switch (rounding) {
                        case NEAREST_EVEN, NEAREST_AWAY -> true;
                        case TOWARD_ZERO -> false;
                        case UP -> !negative;
                        case DOWN -> negative;
                    };
            return signed(negative, infinite ? infinity() : infinity() - 1);
        }
        return signed(negative, magnitude);
    }

    /// Whether a value is below the least normal number even where it is rounded with as many bits
    /// as it may take: what `.ftz` makes zero.
    boolean isFlushed(Exact value, Rounding rounding) {
        if (value.kind() != Exact.Kind.FINITE || value.significand().signum() == 0) {
            return false;
        }
        BigInteger whole = value.significand();
        int drop = whole.bitLength() - precision;
        BigInteger kept = rounded(value.negative(), whole, false, drop, rounding);
        return value.exponent() + drop + kept.bitLength() - 1 < 1 - bias;
    }

    /// Without its last bits.
    static BigInteger rounded(
            boolean negative, BigInteger whole, boolean more, int drop, Rounding rounding) {
        if (drop <= 0) {
            return whole.shiftLeft(-drop);
        }
        BigInteger kept = whole.shiftRight(drop);
        boolean half = whole.testBit(drop - 1);
        boolean rest = more || whole.signum() != 0 && whole.getLowestSetBit() < drop - 1;
        boolean up =
                switch (rounding) {
                    case NEAREST_EVEN -> half && (rest || kept.testBit(0));
                    case NEAREST_AWAY -> half;
                    case TOWARD_ZERO -> false;
                    case UP -> !negative && (half || rest);
                    case DOWN -> negative && (half || rest);
                };
        return up ? kept.add(BigInteger.ONE) : kept;
    }
}
