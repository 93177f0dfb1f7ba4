package dev.heddle.vm.compiler;

import dev.heddle.vm.semantics.FloatArithmetic;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/// Vector forms of the operations on floats and doubles, and of conversions to floats. Results of
/// float arithmetic may hold any NaN; the run that calls them makes it the canonical one where its
/// bits are seen.
final class VectorFloats {
    private static final float NAN = Float.intBitsToFloat(FloatArithmetic.CANONICAL_NAN);

    private VectorFloats() {}

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
        return (FloatVector) a.convertShape(VectorOperators.I2F, VectorLanes.FLOATS, 0);
    }

    /// Both halves convert exactly; the fused sum rounds once.
    static FloatVector f32FromU32(IntVector a) {
        return scaledSum(
                f32FromS32(VectorIntegers.high32(a)), f32FromS32(VectorIntegers.zeroExtend16(a)));
    }

    private static FloatVector scaledSum(FloatVector high, FloatVector low) {
        return high.lanewise(VectorOperators.FMA, high.broadcast(65536f), low);
    }
}
