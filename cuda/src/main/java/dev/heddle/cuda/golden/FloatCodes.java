package dev.heddle.cuda.golden;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;

import java.util.SplittableRandom;

/// Draws codes of one floating-point format.
///
/// @param format the format
/// @param random where they come from
record FloatCodes(FloatFormat format, SplittableRandom random) {
    /// The exponent of the smallest normal value.
    int minExponent() {
        return 1 - format.bias();
    }

    /// The exponent of the largest finite value.
    int maxExponent() {
        int field = (int) (format.maxFinite() >> fractionShift()) & exponentMask();
        return field - format.bias();
    }

    long anyBits() {
        return random.nextLong() & format.mask();
    }

    /// Any bits of a finite value.
    long anyFinite() {
        long code;
        do {
            code = anyBits();
        } while (!format.isFinite(code));
        return code;
    }

    /// A value of random sign and fraction whose exponent is drawn from a range, as far as the
    /// format reaches. Below its normal values it is subnormal.
    long between(int lowest, int highest) {
        int exponent = random.nextInt(lowest, highest + 1);
        int bounded = Math.clamp(exponent, minExponent() - 1, maxExponent());
        long field = (long) (bounded + format.bias()) << fractionShift();
        long fraction = random.nextLong() & ((1L << fractionShift()) - 1);
        long code = field | fraction;
        return signed(format.isFinite(code) ? code : format.maxFinite());
    }

    /// A power of two, or the largest value below the next one.
    long edge(int exponent) {
        int bounded = Math.clamp(exponent, minExponent(), maxExponent());
        long field = (long) (bounded + format.bias()) << fractionShift();
        long fraction = random.nextBoolean() ? 0 : fractionMask();
        long code = field | fraction;
        return signed(format.isFinite(code) ? code : format.maxFinite());
    }

    long subnormal() {
        return signed(random.nextLong() & fractionMask());
    }

    long zero() {
        return signed(0);
    }

    long largest() {
        return signed(format.maxFinite());
    }

    long infinity() {
        return format.hasInfinity() ? signed(format.infinity()) : largest();
    }

    long notANumber() {
        long code;
        do {
            code = anyBits() | exponentMaskInPlace();
        } while (!format.isNaN(code));
        return code;
    }

    long integer(int bound) {
        int value = random.nextInt(-bound, bound + 1);
        return value == 0
                ? zero()
                : format.encode((double) value, Rounding.NEAREST_EVEN, Overflow.IEEE);
    }

    long negated(long code) {
        return code ^ (1L << (format.bits() - 1));
    }

    /// One unit in the last place of its exponent away, unless that leaves the finite values.
    long nudged(long code) {
        long other = code ^ (1L << (fractionShift() - format.fractionBits()));
        return format.isFinite(other) ? other : code;
    }

    private long signed(long magnitude) {
        return random.nextBoolean() ? magnitude : negated(magnitude);
    }

    // tf32 has thirteen bits below its fraction, which are ignored: they are drawn too.
    private int fractionShift() {
        return format.bits() - 1 - format.exponentBits();
    }

    private long fractionMask() {
        return (1L << fractionShift()) - 1;
    }

    private int exponentMask() {
        return (1 << format.exponentBits()) - 1;
    }

    private long exponentMaskInPlace() {
        return (long) exponentMask() << fractionShift();
    }
}
