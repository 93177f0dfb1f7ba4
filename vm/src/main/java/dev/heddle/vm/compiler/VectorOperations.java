package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.functions.VectorApproximate;
import dev.heddle.tensorcore.functions.VectorMufu;
import dev.heddle.vm.semantics.FloatArithmetic;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// Twins of semantic methods on vectors of lanes, by the same names. Results of float arithmetic
/// may hold any NaN; the run that calls them makes it the canonical one where its bits are seen.
///
/// There is one shape, as many lanes as a vector of longs has: with two, the profiles of these
/// methods would mix, and the JIT would no longer know what kind of vector it holds.
final class VectorOperations {
    /// Longs, as many as the machine's vectors hold.
    static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;

    static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    /// Words, as many as there are longs in a vector.
    static final VectorSpecies<Integer> WORDS =
            VectorSpecies.of(int.class, VectorShape.forBitSize(32 * LONGS.length()));

    static final VectorSpecies<Float> FLOATS =
            VectorSpecies.of(float.class, VectorShape.forBitSize(32 * LONGS.length()));

    private static final float NAN = Float.intBitsToFloat(FloatArithmetic.CANONICAL_NAN);

    private VectorOperations() {}

    static IntVector move32(IntVector a) {
        return a;
    }

    static IntVector add32(IntVector a, IntVector b) {
        return a.add(b);
    }

    static IntVector subtract32(IntVector a, IntVector b) {
        return a.sub(b);
    }

    static IntVector multiply32(IntVector a, IntVector b) {
        return a.mul(b);
    }

    static IntVector and32(IntVector a, IntVector b) {
        return a.and(b);
    }

    static IntVector or32(IntVector a, IntVector b) {
        return a.or(b);
    }

    static IntVector xor32(IntVector a, IntVector b) {
        return a.lanewise(VectorOperators.XOR, b);
    }

    static IntVector minimumS32(IntVector a, IntVector b) {
        return a.min(b);
    }

    static IntVector maximumS32(IntVector a, IntVector b) {
        return a.max(b);
    }

    static IntVector minimumU32(IntVector a, IntVector b) {
        return a.lanewise(VectorOperators.UMIN, b);
    }

    static IntVector maximumU32(IntVector a, IntVector b) {
        return a.lanewise(VectorOperators.UMAX, b);
    }

    static IntVector not32(IntVector a) {
        return a.not();
    }

    static IntVector negate32(IntVector a) {
        return a.neg();
    }

    static IntVector absolute32(IntVector a) {
        return a.abs();
    }

    static VectorMask<Integer> equal32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.EQ, b);
    }

    static VectorMask<Integer> notEqual32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.NE, b);
    }

    static VectorMask<Integer> lessS32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.LT, b);
    }

    static VectorMask<Integer> lessU32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.ULT, b);
    }

    static VectorMask<Integer> lessOrEqualS32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.LE, b);
    }

    static VectorMask<Integer> lessOrEqualU32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.ULE, b);
    }

    static VectorMask<Integer> greaterS32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.GT, b);
    }

    static VectorMask<Integer> greaterU32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.UGT, b);
    }

    static VectorMask<Integer> greaterOrEqualS32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.GE, b);
    }

    static VectorMask<Integer> greaterOrEqualU32(IntVector a, IntVector b) {
        return a.compare(VectorOperators.UGE, b);
    }

    static IntVector select32(VectorMask<Integer> condition, IntVector a, IntVector b) {
        return b.blend(a, condition);
    }

    static LongVector move64(LongVector a) {
        return a;
    }

    static LongVector add64(LongVector a, LongVector b) {
        return a.add(b);
    }

    static LongVector subtract64(LongVector a, LongVector b) {
        return a.sub(b);
    }

    static LongVector multiply64(LongVector a, LongVector b) {
        return a.mul(b);
    }

    static LongVector and64(LongVector a, LongVector b) {
        return a.and(b);
    }

    static LongVector or64(LongVector a, LongVector b) {
        return a.or(b);
    }

    static LongVector xor64(LongVector a, LongVector b) {
        return a.lanewise(VectorOperators.XOR, b);
    }

    static LongVector minimumS64(LongVector a, LongVector b) {
        return a.min(b);
    }

    static LongVector maximumS64(LongVector a, LongVector b) {
        return a.max(b);
    }

    static LongVector minimumU64(LongVector a, LongVector b) {
        return a.lanewise(VectorOperators.UMIN, b);
    }

    static LongVector maximumU64(LongVector a, LongVector b) {
        return a.lanewise(VectorOperators.UMAX, b);
    }

    static LongVector not64(LongVector a) {
        return a.not();
    }

    static LongVector negate64(LongVector a) {
        return a.neg();
    }

    static LongVector absolute64(LongVector a) {
        return a.abs();
    }

    static VectorMask<Long> equal64(LongVector a, LongVector b) {
        return a.compare(VectorOperators.EQ, b);
    }

    static VectorMask<Long> notEqual64(LongVector a, LongVector b) {
        return a.compare(VectorOperators.NE, b);
    }

    static VectorMask<Long> lessS64(LongVector a, LongVector b) {
        return a.compare(VectorOperators.LT, b);
    }

    static VectorMask<Long> lessU64(LongVector a, LongVector b) {
        return a.compare(VectorOperators.ULT, b);
    }

    static VectorMask<Long> lessOrEqualS64(LongVector a, LongVector b) {
        return a.compare(VectorOperators.LE, b);
    }

    static VectorMask<Long> lessOrEqualU64(LongVector a, LongVector b) {
        return a.compare(VectorOperators.ULE, b);
    }

    static VectorMask<Long> greaterS64(LongVector a, LongVector b) {
        return a.compare(VectorOperators.GT, b);
    }

    static VectorMask<Long> greaterU64(LongVector a, LongVector b) {
        return a.compare(VectorOperators.UGT, b);
    }

    static VectorMask<Long> greaterOrEqualS64(LongVector a, LongVector b) {
        return a.compare(VectorOperators.GE, b);
    }

    static VectorMask<Long> greaterOrEqualU64(LongVector a, LongVector b) {
        return a.compare(VectorOperators.UGE, b);
    }

    static LongVector select64(VectorMask<Long> condition, LongVector a, LongVector b) {
        return b.blend(a, condition);
    }

    static IntVector shiftLeft32(IntVector a, IntVector b) {
        return a.lanewise(VectorOperators.LSHL, b).blend(0, b.compare(VectorOperators.UGE, 32));
    }

    static IntVector shiftRightU32(IntVector a, IntVector b) {
        return a.lanewise(VectorOperators.LSHR, b).blend(0, b.compare(VectorOperators.UGE, 32));
    }

    static IntVector shiftRightS32(IntVector a, IntVector b) {
        return a.lanewise(VectorOperators.ASHR, b.lanewise(VectorOperators.UMIN, 31));
    }

    static IntVector shiftLeft32By(IntVector a, int amount) {
        return a.lanewise(VectorOperators.LSHL, amount);
    }

    static IntVector shiftRightU32By(IntVector a, int amount) {
        return a.lanewise(VectorOperators.LSHR, amount);
    }

    static IntVector shiftRightS32By(IntVector a, int amount) {
        return a.lanewise(VectorOperators.ASHR, amount);
    }

    static LongVector shiftLeft64By(LongVector a, int amount) {
        return a.lanewise(VectorOperators.LSHL, amount);
    }

    static LongVector shiftRightU64By(LongVector a, int amount) {
        return a.lanewise(VectorOperators.LSHR, amount);
    }

    static LongVector shiftRightS64By(LongVector a, int amount) {
        return a.lanewise(VectorOperators.ASHR, amount);
    }

    static IntVector zeroExtend16(IntVector a) {
        return a.and(0xffff);
    }

    static IntVector zeroExtend8(IntVector a) {
        return a.and(0xff);
    }

    static IntVector high32(IntVector a) {
        return a.lanewise(VectorOperators.LSHR, 16);
    }

    static IntVector signExtend16(IntVector a) {
        return a.lanewise(VectorOperators.LSHL, 16).lanewise(VectorOperators.ASHR, 16);
    }

    static IntVector signExtend8(IntVector a) {
        return a.lanewise(VectorOperators.LSHL, 24).lanewise(VectorOperators.ASHR, 24);
    }

    static IntVector pair16(IntVector a, IntVector b) {
        return a.and(0xffff).or(b.lanewise(VectorOperators.LSHL, 16));
    }

    static IntVector populationCount32(IntVector a) {
        return a.lanewise(VectorOperators.BIT_COUNT);
    }

    static IntVector leadingZeros32(IntVector a) {
        return a.lanewise(VectorOperators.LEADING_ZEROS_COUNT);
    }

    static IntVector reverse32(IntVector a) {
        return a.lanewise(VectorOperators.REVERSE);
    }

    static LongVector zeroExtend32(IntVector a) {
        return (LongVector) a.convertShape(VectorOperators.ZERO_EXTEND_I2L, LONGS, 0);
    }

    static LongVector signExtend32(IntVector a) {
        return (LongVector) a.convertShape(VectorOperators.I2L, LONGS, 0);
    }

    static IntVector truncate64(LongVector a) {
        return (IntVector) a.convertShape(VectorOperators.L2I, WORDS, 0);
    }

    static IntVector high64(LongVector a) {
        return truncate64(a.lanewise(VectorOperators.LSHR, 32));
    }

    static LongVector pair32(IntVector low, IntVector high) {
        return zeroExtend32(low).or(zeroExtend32(high).lanewise(VectorOperators.LSHL, 32));
    }

    static LongVector multiplyWideS32(IntVector a, IntVector b) {
        return signExtend32(a).mul(signExtend32(b));
    }

    static LongVector multiplyWideU32(IntVector a, IntVector b) {
        return zeroExtend32(a).mul(zeroExtend32(b));
    }

    static IntVector multiplyHighU32(IntVector a, IntVector b) {
        return high64(multiplyWideU32(a, b));
    }

    static IntVector multiplyHighS32(IntVector a, IntVector b) {
        return high64(multiplyWideS32(a, b));
    }

    static FloatVector canonical(FloatVector a) {
        return a.blend(NAN, a.test(VectorOperators.IS_NAN));
    }

    static FloatVector addF32(FloatVector a, FloatVector b) {
        return a.add(b);
    }

    static FloatVector subtractF32(FloatVector a, FloatVector b) {
        return a.sub(b);
    }

    static FloatVector multiplyF32(FloatVector a, FloatVector b) {
        return a.mul(b);
    }

    static FloatVector divideF32(FloatVector a, FloatVector b) {
        return a.div(b);
    }

    static FloatVector fusedF32(FloatVector a, FloatVector b, FloatVector c) {
        return a.fma(b, c);
    }

    static FloatVector squareRootF32(FloatVector a) {
        return a.sqrt();
    }

    static FloatVector absoluteF32(FloatVector a) {
        return a.abs();
    }

    static FloatVector negateF32(FloatVector a) {
        return a.neg();
    }

    static FloatVector flushF32(FloatVector a) {
        return a.blend(a.mul(0f), a.abs().compare(VectorOperators.LT, Float.MIN_NORMAL));
    }

    static VectorMask<Float> equalF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.EQ, b);
    }

    static VectorMask<Float> lessF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.LT, b);
    }

    static VectorMask<Float> lessOrEqualF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.LE, b);
    }

    static VectorMask<Float> greaterF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.GT, b);
    }

    static VectorMask<Float> greaterOrEqualF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.GE, b);
    }

    static VectorMask<Float> notEqualOrUnorderedF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.NE, b);
    }

    static VectorMask<Float> lessOrUnorderedF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.GE, b).not();
    }

    static VectorMask<Float> lessOrEqualOrUnorderedF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.GT, b).not();
    }

    static VectorMask<Float> greaterOrUnorderedF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.LE, b).not();
    }

    static VectorMask<Float> greaterOrEqualOrUnorderedF32(FloatVector a, FloatVector b) {
        return a.compare(VectorOperators.LT, b).not();
    }

    static DoubleVector addF64(DoubleVector a, DoubleVector b) {
        return canonicalDouble(a.add(b));
    }

    static DoubleVector subtractF64(DoubleVector a, DoubleVector b) {
        return canonicalDouble(a.sub(b));
    }

    static DoubleVector multiplyF64(DoubleVector a, DoubleVector b) {
        return canonicalDouble(a.mul(b));
    }

    static DoubleVector divideF64(DoubleVector a, DoubleVector b) {
        return canonicalDouble(a.div(b));
    }

    static DoubleVector fusedF64(DoubleVector a, DoubleVector b, DoubleVector c) {
        return canonicalDouble(a.fma(b, c));
    }

    static DoubleVector canonicalDouble(DoubleVector a) {
        return a.blend(
                Double.longBitsToDouble(0xfff8_0000_0000_0000L), a.test(VectorOperators.IS_NAN));
    }

    static VectorMask<Double> equalF64(DoubleVector a, DoubleVector b) {
        return a.compare(VectorOperators.EQ, b);
    }

    static VectorMask<Double> lessF64(DoubleVector a, DoubleVector b) {
        return a.compare(VectorOperators.LT, b);
    }

    static VectorMask<Double> lessOrEqualF64(DoubleVector a, DoubleVector b) {
        return a.compare(VectorOperators.LE, b);
    }

    static VectorMask<Double> greaterF64(DoubleVector a, DoubleVector b) {
        return a.compare(VectorOperators.GT, b);
    }

    static VectorMask<Double> greaterOrEqualF64(DoubleVector a, DoubleVector b) {
        return a.compare(VectorOperators.GE, b);
    }

    static VectorMask<Double> notEqualOrUnorderedF64(DoubleVector a, DoubleVector b) {
        return a.compare(VectorOperators.NE, b);
    }

    static VectorMask<Double> lessOrUnorderedF64(DoubleVector a, DoubleVector b) {
        return a.compare(VectorOperators.GE, b).not();
    }

    static VectorMask<Double> lessOrEqualOrUnorderedF64(DoubleVector a, DoubleVector b) {
        return a.compare(VectorOperators.GT, b).not();
    }

    static VectorMask<Double> greaterOrUnorderedF64(DoubleVector a, DoubleVector b) {
        return a.compare(VectorOperators.LE, b).not();
    }

    static VectorMask<Double> greaterOrEqualOrUnorderedF64(DoubleVector a, DoubleVector b) {
        return a.compare(VectorOperators.LT, b).not();
    }

    static FloatVector f32FromS32(IntVector a) {
        return (FloatVector) a.convertShape(VectorOperators.I2F, FLOATS, 0);
    }

    /// Both halves convert exactly; the fused sum rounds once.
    static FloatVector f32FromU32(IntVector a) {
        return scaledSum(f32FromS32(high32(a)), f32FromS32(zeroExtend16(a)));
    }

    private static FloatVector scaledSum(FloatVector high, FloatVector low) {
        return high.lanewise(VectorOperators.FMA, high.broadcast(65536f), low);
    }

    // The approximate functions make NaNs of their own: their results are bits.

    static IntVector ex2ApproximateF32(FloatVector a) {
        return VectorApproximate.ex2(a);
    }

    static IntVector ex2ApproximateFtzF32(FloatVector a) {
        return VectorMufu.ex2(a.reinterpretAsInts());
    }

    static IntVector lg2ApproximateF32(FloatVector a) {
        return VectorApproximate.lg2(a);
    }

    static IntVector lg2ApproximateFtzF32(FloatVector a) {
        return VectorMufu.lg2(a.reinterpretAsInts());
    }

    static IntVector rcpApproximateF32(FloatVector a) {
        return VectorApproximate.rcp(a);
    }

    static IntVector rcpApproximateFtzF32(FloatVector a) {
        return VectorMufu.rcp(a.reinterpretAsInts());
    }

    static IntVector rsqrtApproximateF32(FloatVector a) {
        return VectorApproximate.rsqrt(a);
    }

    static IntVector rsqrtApproximateFtzF32(FloatVector a) {
        return VectorMufu.rsq(a.reinterpretAsInts());
    }

    static IntVector squareRootApproximateF32(FloatVector a) {
        return VectorApproximate.sqrt(a);
    }

    static IntVector squareRootApproximateFtzF32(FloatVector a) {
        return VectorMufu.sqrt(a.reinterpretAsInts());
    }

    static IntVector sinApproximateF32(FloatVector a) {
        return VectorApproximate.sin(a);
    }

    static IntVector sinApproximateFtzF32(FloatVector a) {
        return VectorApproximate.sin(a);
    }

    static IntVector cosApproximateF32(FloatVector a) {
        return VectorApproximate.cos(a);
    }

    static IntVector cosApproximateFtzF32(FloatVector a) {
        return VectorApproximate.cos(a);
    }

    static IntVector tanhApproximateF32(FloatVector a) {
        return VectorMufu.tanh(a.reinterpretAsInts());
    }

    static IntVector divideApproximateF32(FloatVector a, FloatVector b) {
        return VectorApproximate.divApprox(a, b);
    }

    static IntVector divideApproximateFtzF32(FloatVector a, FloatVector b) {
        return VectorApproximate.divApproxFtz(a, b);
    }

    static IntVector divideFullF32(FloatVector a, FloatVector b) {
        return VectorApproximate.divFull(a, b);
    }

    static IntVector divideFullFtzF32(FloatVector a, FloatVector b) {
        return VectorApproximate.divFullFtz(a, b);
    }

    static FloatVector multiplyFtzF32(FloatVector a, FloatVector b) {
        return VectorApproximate.flushedProduct(a, b);
    }

    static FloatVector divideFtzF32(FloatVector a, FloatVector b) {
        return VectorApproximate.flushedQuotient(a, b);
    }

    static FloatVector fusedFtzF32(FloatVector a, FloatVector b, FloatVector c) {
        return VectorApproximate.flushedFused(a, b, c);
    }

    static VectorMask<Integer> andPredicate(VectorMask<Integer> a, VectorMask<Integer> b) {
        return a.and(b);
    }

    static VectorMask<Integer> orPredicate(VectorMask<Integer> a, VectorMask<Integer> b) {
        return a.or(b);
    }

    static VectorMask<Integer> xorPredicate(VectorMask<Integer> a, VectorMask<Integer> b) {
        return a.xor(b);
    }

    static VectorMask<Integer> notPredicate(VectorMask<Integer> a) {
        return a.not();
    }

    static VectorMask<Integer> movePredicate(VectorMask<Integer> a) {
        return a;
    }

    /// The table splits over `a` into two functions of `b` and `c`.
    static IntVector lookup32(IntVector a, IntVector b, IntVector c, int table) {
        IntVector set = function(b, c, table >> 4 & 15);
        IntVector clear = function(b, c, table & 15);
        return a.and(set).or(a.not().and(clear));
    }

    private static IntVector function(IntVector b, IntVector c, int table) {
        return switch (table) {
            case 0 -> b.lanewise(VectorOperators.XOR, b);
            case 1 -> b.or(c).not();
            case 2 -> b.not().and(c);
            case 3 -> b.not();
            case 4 -> b.and(c.not());
            case 5 -> c.not();
            case 6 -> b.lanewise(VectorOperators.XOR, c);
            case 7 -> b.and(c).not();
            case 8 -> b.and(c);
            case 9 -> b.lanewise(VectorOperators.XOR, c).not();
            case 10 -> c;
            case 11 -> b.not().or(c);
            case 12 -> b;
            case 13 -> b.or(c.not());
            case 14 -> b.or(c);
            default -> b.lanewise(VectorOperators.XOR, b).not();
        };
    }
}
