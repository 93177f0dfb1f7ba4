package dev.heddle.tensorcore.kernel;

import dev.heddle.tensorcore.numerics.Accumulation.Grouping;

import java.util.Arrays;

/// A fused sum for one element of D and all inputs: the fallback of the vector kernels.
///
/// Every term is exact in a `double`, and so is its multiple by a power of two; the conversion to
/// `long` truncates it.
final class FusedScalar {
    private static final int FLOAT_BIAS = 127;
    private static final int DOUBLE_BIAS = 1023;

    private final FusedRule rule;
    private final int groups;
    // The group that each term belongs to
    private final int[] groupOf;
    private final double[] term;
    private final int[] exponent;

    /// @param count how many terms a sum has, C apart
    FusedScalar(FusedRule rule, Grouping grouping, int count) {
        this.rule = rule;
        this.groups = grouping.groups();
        this.groupOf = new int[count];
        Arrays.setAll(groupOf, index -> grouping.group(index, count));
        this.term = new double[count];
        this.exponent = new int[count];
    }

    /// Sets a term: its value, by IEEE 754 where an operand is not finite, and the exponent with
    /// which it enters the sum if it is finite and not zero.
    void set(int index, double value, int exponentOfTerm) {
        term[index] = value;
        exponent[index] = exponentOfTerm;
    }

    /// The element of D, as a `float` of its value; NaN is canonical.
    float sum(float c, boolean negateProducts) {
        float sum = rule.accumulatorLast() ? 0 : c;
        for (int group = 0; group < groups; group++) {
            sum = fuse(group, sum, negateProducts);
        }
        if (rule.accumulatorLast()) {
            sum = rule.half() ? toHalf((double) sum + c) : sum + c;
        }
        return Float.isNaN(sum) ? Float.intBitsToFloat(Integer.MAX_VALUE) : sum;
    }

    private float fuse(int group, float c, boolean negate) {
        int largest = FusedRule.LEAST_MAXIMUM;
        boolean finite = Float.isFinite(c);
        for (int k = 0; k < term.length; k++) {
            if (groupOf[k] == group) {
                finite &= Double.isFinite(term[k]);
                largest = term[k] == 0 ? largest : Math.max(largest, exponent[k]);
            }
        }
        if (!finite) {
            return special(group, c, negate);
        }
        if (c != 0) {
            largest = Math.max(largest, accumulatorExponent(c));
        }
        int shift = rule.fractionBits() - largest;
        double scale = powerOfTwo(shift);
        long sum = 0;
        for (int k = 0; k < term.length; k++) {
            if (groupOf[k] == group) {
                sum += (long) (term[k] * scale);
            }
        }
        long total = (negate ? -sum : sum) + (long) (c * scale);
        // A zero total is +0, since a long has no -0
        double exact = total * powerOfTwo(-shift);
        return rule.half() ? toHalf(exact) : truncate(exact);
    }

    private int accumulatorExponent(float c) {
        return Math.max(
                (Float.floatToRawIntBits(c) >>> 23 & 0xFF) - FLOAT_BIAS,
                rule.accumulatorMinimumExponent());
    }

    private static double powerOfTwo(int exponent) {
        return Double.longBitsToDouble((long) (exponent + DOUBLE_BIAS) << 52);
    }

    /// Infinities and NaN by the rules of IEEE 754; finite products never overflow.
    private float special(int group, float c, boolean negate) {
        double sum = Float.isFinite(c) ? 0 : c;
        for (int k = 0; k < term.length; k++) {
            if (groupOf[k] == group && !Double.isFinite(term[k])) {
                sum += negate ? -term[k] : term[k];
            }
        }
        return (float) sum;
    }

    /// Toward zero to a `float` of as many fraction bits as the rule keeps.
    private float truncate(double exact) {
        float nearest = (float) exact;
        int bits = Float.floatToRawIntBits(nearest);
        if (Math.abs((double) nearest) > Math.abs(exact)) {
            bits--;
        }
        boolean overflow = Math.abs(exact) >= 0x1p128;
        float truncated =
                overflow
                        ? (float) exact
                        : Float.intBitsToFloat(bits & -1 << (23 - rule.resultFractionBits()));
        return truncated == 0 ? 0 : truncated;
    }

    /// Toward zero to a `float` that keeps a mark of lost bits in its last place, then to the
    /// nearest f16: so the second rounding is right.
    private static float toHalf(double exact) {
        float nearest = (float) exact;
        int bits = Float.floatToRawIntBits(nearest);
        if (nearest != exact) {
            bits = (Math.abs((double) nearest) > Math.abs(exact) ? bits - 1 : bits) | 1;
        }
        float rounded = Float.float16ToFloat(Float.floatToFloat16(Float.intBitsToFloat(bits)));
        return rounded == 0 ? 0 : rounded;
    }
}
