package dev.heddle.vm.semantics;

/// The operations of video instructions on extracted parts (PTX ISA 9.7.18): 33-bit inputs and
/// their results as `long`, which holds all but the widest products exactly. Each has the name of
/// its instruction, without the 2 or 4 of its SIMD forms.
public final class Video {
    private static final long WORD = 0xffff_ffffL;

    private Video() {}

    /// The average, rounded away from zero.
    public static long vavrgS64(long a, long b) {
        long sum = a + b;
        return (sum >= 0 ? sum + 1 : sum) >> 1;
    }

    /// By `b` of 0 to 32. Where `long` is too short, the result keeps its sign and its lowest 32
    /// bits, which are all that is asked of it then.
    public static long vshlS64(long a, long b) {
        long shifted = a << b;
        return shifted >> b == a ? shifted : a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE & ~WORD;
    }

    public static long vshrS64(long a, long b) {
        return a >> b;
    }

    /// `vmad`: the product of `a` and `b`, negated where `modes` has bit 0; plus `c`, which is
    /// negated where it has bit 1, and signed where it has bit 2; plus one where it has bit 3;
    /// shifted right by `modes >> 4`. The intermediate sum has 128 bits.
    public static long vmadS64(long a, long b, int c, int modes) {
        int scale = modes >> 4;
        long low = a * b;
        long high = Math.multiplyHigh(a, b);
        int one = modes >> 3 & 1;
        int addend = c;
        if ((modes & 1) != 0) {
            low = ~low;
            high = ~high;
            one = 1;
        } else if ((modes & 2) != 0) {
            addend = ~c;
            one = 1;
        }
        long extended = (modes & 4) != 0 ? addend : addend & WORD;
        long sum = low + extended;
        high += (extended >> 63) + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0);
        long whole = sum + one;
        high += Long.compareUnsigned(whole, sum) < 0 ? 1 : 0;
        return scale == 0 ? whole : whole >>> scale | high << 64 - scale;
    }

    /// What `vmad` gives, clamped to 32 bits.
    ///
    /// @param signed 1 where it is a signed number
    public static long vmadsatS64(long value, int signed) {
        if (signed != 0) {
            return Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
        return Long.compareUnsigned(value, WORD) > 0 ? WORD : value;
    }
}
