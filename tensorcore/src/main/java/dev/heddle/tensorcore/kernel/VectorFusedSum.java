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
import jdk.incubator.vector.VectorSpecies;

/// Fused sums of a block of D on their way. In what order its elements are in the vectors, the
/// terms decide.
///
/// A sum goes through four methods: [#begin], the search for its largest exponent and the summation
/// of its truncated terms, which depend on how terms are found ([FusedTerms]), and [#finish]. A
/// term is a product of two `float` values, exact because no format has more than eleven
/// significant bits; scaled so that the unit of the truncation is 1, it becomes an `int` by just
/// that truncation. Where a number would leave the range in which this holds, the result is NaN: it
/// is to be computed again, element by element.
///
/// Each method loops over all elements and leaves its vectors in arrays, and none has a helper with
/// vectors for arguments: vectors that cross a call which the compiler does not inline become
/// objects.
final class VectorFusedSum {
    // The widest vectors that kernels are made for and the machine has
    private static final VectorSpecies<Integer> INT =
            Lanes.native512() ? Lanes.INT : ColumnLanes.INT;
    private static final VectorSpecies<Float> FLOAT =
            Lanes.native512() ? Lanes.FLOAT : ColumnLanes.FLOAT;
    private static final int COUNT = INT.length();

    private final FusedRule rule;
    private final int[] zeros;
    private final int[] largest;
    private final int[] sum0;
    private final int[] sum1;
    private final float[] scales;

    /// @param elements of D in a block: a multiple of the lanes of a vector
    VectorFusedSum(FusedRule rule, int elements) {
        this.rule = rule;
        this.zeros = new int[rule.accumulatorLast() ? elements : 0];
        this.largest = new int[elements];
        this.sum0 = new int[elements];
        this.sum1 = new int[elements];
        this.scales = new float[elements];
    }

    /// For each element, the largest exponent of the terms so far.
    int[] largest() {
        return largest;
    }

    /// Room for as many words as [#largest], while the search goes on.
    int[] halves() {
        return sum0;
    }

    /// For each element, what makes the unit of the truncation 1; negative if products
    /// change sign.
    ///
    /// @param negation the sign bit if products change sign, else 0
    float[] scales(int negation) {
        int offset = rule.fractionBits() + 127;
        for (int at = 0; at < largest.length; at += COUNT) {
            IntVector.fromArray(INT, largest, at)
                    .max(FusedRule.FAST_LEAST)
                    .neg()
                    .add(offset)
                    .lanewise(LSHL, 23)
                    .or(negation)
                    .reinterpretAsFloats()
                    .intoArray(scales, at);
        }
        return scales;
    }

    /// For each element, a partial sum of truncated terms: sixteen of them fit an int.
    int[] sum0() {
        return sum0;
    }

    int[] sum1() {
        return sum1;
    }

    /// Computes the sums of a block of rows.
    ///
    /// @param c    accumulators as `float` bits
    /// @param from where this block's begin
    /// @param d    receives the results likewise
    /// @return whether some are NaN
    boolean run(
            FusedTerms terms, int block, int negation, KOrder order, int[] c, int from, int[] d) {
        int first = 0;
        boolean rare = false;
        int[] accumulators = rule.accumulatorLast() ? zeros : c;
        int at = rule.accumulatorLast() ? 0 : from;
        for (int end : order.passEnds()) {
            begin(accumulators, at);
            terms.findLargest(block, first, end, this);
            terms.sum(block, first, end, negation, this);
            rare |= finish(accumulators, at, d, from);
            if (rule.half()) {
                roundToHalf(d, from);
            }
            accumulators = d;
            at = from;
            first = end;
        }
        if (rule.accumulatorLast()) {
            rare |= addAccumulators(c, d, from);
            if (rule.half()) {
                roundToHalf(d, from);
            }
        }
        return rare;
    }

    /// Begins sums with the exponents of their accumulators.
    private void begin(int[] accumulators, int from) {
        int minimum = rule.accumulatorMinimumExponent();
        for (int at = 0; at < largest.length; at += COUNT) {
            IntVector magnitude =
                    IntVector.fromArray(INT, accumulators, from + at).and(Integer.MAX_VALUE);
            magnitude
                    .lanewise(LSHR, 23)
                    .sub(127)
                    .max(minimum)
                    .blend(FloatCode.ZERO, magnitude.compare(EQ, 0))
                    .intoArray(largest, at);
        }
    }

    /// Adds the truncated accumulators to the sums and rounds.
    private boolean finish(int[] accumulators, int from, int[] results, int to) {
        int fractionBits = rule.fractionBits();
        int keptAtTop = rule.kept();
        int sticky = rule.half() ? -1 : 0;
        VectorMask<Integer> rare = INT.maskAll(false);
        for (int at = 0; at < largest.length; at += COUNT) {
            IntVector exponent = IntVector.fromArray(INT, largest, at);
            IntVector inRange = exponent.max(FusedRule.FAST_LEAST);
            FloatVector toUnits =
                    inRange.neg().add(127 + fractionBits).lanewise(LSHL, 23).reinterpretAsFloats();
            FloatVector accumulator =
                    IntVector.fromArray(INT, accumulators, from + at).reinterpretAsFloats();
            IntVector c = (IntVector) accumulator.mul(toUnits).convert(F2I, 0);
            IntVector x = IntVector.fromArray(INT, sum0, at);
            IntVector y = IntVector.fromArray(INT, sum1, at);
            IntVector products = x.add(y);
            IntVector total = products.add(c);
            IntVector overflow =
                    x.lanewise(XOR, products)
                            .and(y.lanewise(XOR, products))
                            .or(products.lanewise(XOR, total).and(c.lanewise(XOR, total)));
            VectorMask<Integer> outside =
                    overflow.compare(LT, 0)
                            .or(exponent.compare(GT, FusedRule.FAST_MOST))
                            .or(
                                    exponent.compare(LT, FusedRule.FAST_LEAST)
                                            .and(exponent.compare(GT, FloatCode.ZERO_LIMIT)));
            IntVector magnitude = total.abs();
            IntVector kept =
                    IntVector.broadcast(INT, keptAtTop)
                            .lanewise(ASHR, magnitude.lanewise(LEADING_ZEROS_COUNT));
            IntVector head = magnitude.and(kept);
            // For f16, lost bits leave a mark in the last place, so that the second rounding is
            // right
            IntVector mark = kept.and(kept.neg()).and(sticky);
            head = head.blend(head.or(mark), head.compare(NE, magnitude));
            FloatVector unit =
                    inRange.add(127 - fractionBits).lanewise(LSHL, 23).reinterpretAsFloats();
            FloatVector rounded = ((FloatVector) head.convert(I2F, 0)).mul(unit);
            // A sum of zero is +0, for its total is not negative
            rounded.reinterpretAsInts()
                    .or(total.and(Integer.MIN_VALUE))
                    .blend(Integer.MAX_VALUE, outside)
                    .intoArray(results, to + at);
            rare = outside.or(rare);
        }
        return rare.anyTrue();
    }

    /// Rounds results to the nearest f16 value, ties to even; NaN stays NaN.
    private void roundToHalf(int[] results, int from) {
        for (int at = from; at < from + largest.length; at += COUNT) {
            IntVector value = IntVector.fromArray(INT, results, at);
            IntVector bits = value.and(Integer.MAX_VALUE);
            IntVector normal = bits.add(0xFFF).add(bits.lanewise(LSHR, 13).and(1)).and(-1 << 13);
            // Adding 1/2 leaves exactly the bits down to 2^-24
            IntVector subnormal =
                    bits.reinterpretAsFloats().add(0.5f).sub(0.5f).reinterpretAsInts();
            IntVector rounded = normal.blend(subnormal, bits.compare(LT, 113 << 23));
            IntVector signed =
                    rounded.blend(0x7F80_0000, rounded.compare(GT, 0x477F_E000))
                            .or(value.and(Integer.MIN_VALUE));
            // A negative sum that vanishes is +0
            signed.blend(0, rounded.compare(EQ, 0))
                    .blend(value, bits.compare(GT, 0x7F80_0000))
                    .intoArray(results, at);
        }
    }

    /// One IEEE addition of C to each result.
    private boolean addAccumulators(int[] c, int[] results, int from) {
        VectorMask<Float> rare = FLOAT.maskAll(false);
        for (int at = from; at < from + largest.length; at += COUNT) {
            FloatVector sum =
                    IntVector.fromArray(INT, results, at)
                            .reinterpretAsFloats()
                            .add(IntVector.fromArray(INT, c, at).reinterpretAsFloats());
            sum.reinterpretAsInts().intoArray(results, at);
            rare = sum.test(IS_NAN).or(rare);
        }
        return rare.anyTrue();
    }
}
