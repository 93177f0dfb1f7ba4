package dev.heddle.tensorcore.functions;

/// `FMUL.FTZ`, the product that subnormals neither enter nor leave.
///
/// A product is flushed where it is below 2^-126 *after* rounding to 24 bits with an unbounded
/// exponent: 2^-126 * (1 - 2^-24) becomes zero, though without `.ftz` it rounds to 2^-126.
/// Flushing by the exact product fails on the device, and so does flushing what was rounded as a
/// subnormal.
public final class FlushedProduct {
    private static final float LEAST_NORMAL = 0x1p-126f;

    /// Half an ulp below 2^-126: the least product that rounds to it. The tie goes up, to even.
    private static final double LEAST_KEPT = 0x1p-126 - 0x1p-151;

    private FlushedProduct() {}

    /// The product of two flushed operands, itself flushed; a NaN result is 0x7fffffff.
    public static float of(float a, float b) {
        double exact = (double) flushed(a) * flushed(b);
        if (Math.abs(exact) < LEAST_KEPT) {
            return (float) Math.copySign(0.0, exact);
        }
        float product = (float) exact;
        return Float.isNaN(product) ? Float.intBitsToFloat(Mufu.NAN) : product;
    }

    private static float flushed(float a) {
        return Math.abs(a) < LEAST_NORMAL ? Math.copySign(0f, a) : a;
    }
}
