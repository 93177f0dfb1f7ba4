package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.F2I;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.I2F;
import static jdk.incubator.vector.VectorOperators.IS_NAN;
import static jdk.incubator.vector.VectorOperators.LEADING_ZEROS_COUNT;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.XOR;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;

/// The steps of a fused sum that do not depend on how its terms are found.
///
/// A lane is one element of D. A term is a product of two `float` values, exact because no format
/// has more than eleven significant bits; scaled so that the unit of the truncation is 1, it
/// becomes an `int` by the truncation that the sum asks for. Where a number would leave the range
/// in which that holds, the lane's result is NaN: the caller computes it again, the slow way.
final class FusedVector {
    private FusedVector() {}

    /// The exponents with which the accumulators enter a sum.
    static IntVector accumulatorExponents(FloatVector c, FusedRule rule) {
        IntVector magnitude = c.reinterpretAsInts().and(Integer.MAX_VALUE);
        return magnitude
                .lanewise(LSHR, 23)
                .sub(127)
                .max(rule.accumulatorMinimumExponent())
                .blend(FloatCode.ZERO, magnitude.compare(EQ, 0));
    }

    /// Two to the (fraction bits - largest exponent), for exponents in range.
    static FloatVector scale(IntVector largest, FusedRule rule) {
        return largest.max(FusedRule.FAST_LEAST)
                .neg()
                .add(rule.fractionBits() + 127)
                .lanewise(LSHL, 23)
                .reinterpretAsFloats();
    }

    static IntVector truncated(FloatVector term) {
        return (IntVector) term.convert(F2I, 0);
    }

    /// The rounded results of sums of truncated terms; NaN where the fast way does not hold.
    static FloatVector result(
            IntVector largest, IntVector sum0, IntVector sum1, IntVector c, FusedRule rule) {
        IntVector products = sum0.add(sum1);
        IntVector total = products.add(c);
        VectorMask<Integer> outside =
                overflow(sum0, sum1, products)
                        .or(overflow(products, c, total))
                        .or(largest.compare(GT, FusedRule.FAST_MOST))
                        .or(
                                largest.compare(LT, FusedRule.FAST_LEAST)
                                        .and(largest.compare(GT, FloatCode.ZERO_LIMIT)));
        IntVector sign = total.lanewise(ASHR, 31);
        IntVector magnitude = total.lanewise(XOR, sign).sub(sign);
        IntVector kept =
                IntVector.broadcast(Lanes.INT, rule.kept())
                        .lanewise(ASHR, magnitude.lanewise(LEADING_ZEROS_COUNT));
        IntVector head = magnitude.and(kept);
        if (rule.half()) {
            // The lost bits leave a mark in the last place, so that the second rounding is right
            head = head.blend(head.or(kept.and(kept.neg())), head.compare(NE, magnitude));
        }
        FloatVector unscale =
                largest.max(FusedRule.FAST_LEAST)
                        .add(127 - rule.fractionBits())
                        .lanewise(LSHL, 23)
                        .reinterpretAsFloats();
        FloatVector rounded = ((FloatVector) head.convert(I2F, 0)).mul(unscale);
        if (rule.half()) {
            rounded = nearestHalf(rounded);
        }
        // Zero has no sign: its sum's sign is clear only where the total is not negative
        IntVector signBits = sign.lanewise(LSHL, 31);
        IntVector bits = rounded.reinterpretAsInts();
        return bits.or(signBits)
                .blend(0, bits.compare(EQ, 0))
                .blend(Integer.MAX_VALUE, outside)
                .reinterpretAsFloats();
    }

    /// The f16 value nearest to each magnitude, ties to even, as a `float`.
    static FloatVector nearestHalf(FloatVector magnitude) {
        IntVector bits = magnitude.reinterpretAsInts();
        IntVector normal = bits.add(0xFFF).add(bits.lanewise(LSHR, 13).and(1)).and(-1 << 13);
        // Adding 1/2 leaves exactly the bits down to 2^-24
        IntVector subnormal = magnitude.add(0.5f).sub(0.5f).reinterpretAsInts();
        IntVector rounded = normal.blend(subnormal, bits.compare(LT, 113 << 23));
        return rounded.blend(0x7F80_0000, rounded.compare(GT, 0x477F_E000)).reinterpretAsFloats();
    }

    /// One IEEE addition in the accumulator's type; NaN stays NaN.
    static FloatVector addAccumulator(FloatVector sum, FloatVector c, FusedRule rule) {
        FloatVector total = sum.add(c);
        if (!rule.half()) {
            return total;
        }
        IntVector sign = total.reinterpretAsInts().and(Integer.MIN_VALUE);
        return nearestHalf(total.abs())
                .reinterpretAsInts()
                .or(sign)
                .reinterpretAsFloats()
                .blend(total, total.test(IS_NAN));
    }

    private static VectorMask<Integer> overflow(IntVector x, IntVector y, IntVector sum) {
        return x.lanewise(XOR, sum).and(y.lanewise(XOR, sum)).compare(LT, 0);
    }
}
