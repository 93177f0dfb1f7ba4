package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;
import dev.heddle.tensorcore.numerics.Accumulation.Result;
import dev.heddle.tensorcore.numerics.Accumulation.ScaledSum;

/// The numbers of a fused sum, as the kernels want them.
///
/// @param fractionBits               terms are truncated at 2 to the (largest exponent -
///     fractionBits)
/// @param resultFractionBits         fraction bits of an f32 result: 23, or 13
/// @param half                       whether results are rounded to the nearest f16 instead
/// @param accumulatorLast            whether C is added at the end by one IEEE addition, instead of
///     being a term of the first sum
/// @param accumulatorMinimumExponent the exponent of a subnormal accumulator
/// @param termsOfMany                whether terms are sums of several products, with the exponents
///     of their scale factors: [TermSumCode]
record FusedRule(
        int fractionBits,
        int resultFractionBits,
        boolean half,
        boolean accumulatorLast,
        int accumulatorMinimumExponent,
        boolean termsOfMany) {

    /// The smallest value that the largest exponent of a sum takes, whatever the terms.
    static final int LEAST_MAXIMUM = -133;

    /// The largest exponents for which the vector kernels hold: neither a product nor a scale nor a
    /// result leaves the range of normal `float` values.
    static final int FAST_LEAST = -90;

    static final int FAST_MOST = 120;

    /// Enough for the exact sum of any products of f32 and narrower formats is more than a `long`
    /// holds, so that the kernels only take rules that truncate.
    static FusedRule of(Form form, FusedSum sum) {
        return new FusedRule(
                sum.fractionBits().orElseThrow(),
                sum.result() == Result.F32_13_BITS_TOWARD_ZERO ? 13 : 23,
                sum.result() == Result.F16_NEAREST_EVEN,
                sum.grouping().accumulatorLast(),
                1 - ((FloatFormat) form.type(Role.C)).bias(),
                false);
    }

    static FusedRule of(ScaledSum sum) {
        int bits = sum.fractionBits().orElseThrow();
        return new FusedRule(bits, 23, false, false, -126, sum.productsPerTerm() > 1);
    }

    /// The top bits of an int that the result keeps if its highest bit is set.
    int kept() {
        return half ? 0xFFFFFF00 : -1 << (Integer.SIZE - 1 - resultFractionBits);
    }
}
