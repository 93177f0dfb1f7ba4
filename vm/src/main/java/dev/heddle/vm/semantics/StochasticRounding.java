package dev.heddle.vm.semantics;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;

/// `cvt.rs`: random bits decide which of its two neighbours a number becomes (PTX ISA 9.7.9.21).
///
/// They are added to the bits of the significand that the target has no room for; a carry rounds
/// away from zero. Where more bits are discarded than there are random ones, these meet the highest
/// of them, also for subnormal results: PUBLISHED for e4m3 (FlashInfer's `conversion.cuh`, compared
/// there with an sm_100a), ASSUMED for the other formats. An `.f16` that is no subnormal discards
/// as many bits as are random, a `.bf16` always does: the manual's words are enough.
public final class StochasticRounding {
    private static final int F16_BITS = 13;
    private static final int BITS = 16;

    /// Behind so many discarded bits no sum carries.
    private static final int MOST_DISCARDED = 40;

    private StochasticRounding() {}

    public static int narrowFromF32(float a, int random, FloatFormat format) {
        boolean wide = format == FloatFormat.F16 || format == FloatFormat.BF16;
        Overflow overflow = wide ? Overflow.IEEE : Overflow.SATFINITE;
        int randomBits = format == FloatFormat.F16 ? F16_BITS : BITS;
        int bits = Float.floatToRawIntBits(a);
        if (!Float.isFinite(a)) {
            return (int) format.encode(a, Rounding.TOWARD_ZERO, overflow);
        }
        long significand = FloatFormat.F32.significand(bits);
        int exponent = FloatFormat.F32.exponent(bits);
        int leading = Long.SIZE - 1 - Long.numberOfLeadingZeros(significand | 1);
        int kept = Math.max(leading + exponent, 1 - format.bias()) - format.fractionBits();
        int discarded = kept - exponent;
        if (discarded > MOST_DISCARDED) {
            return (int) format.encode(bits < 0, 0, 0, Rounding.TOWARD_ZERO, overflow);
        }
        long noise = random & (1L << randomBits) - 1;
        long sum = significand + (noise << discarded - randomBits) >> discarded;
        // What is left is exact, or beyond the largest number.
        return (int) format.encode(bits < 0, sum, kept, Rounding.NEAREST_EVEN, overflow);
    }
}
