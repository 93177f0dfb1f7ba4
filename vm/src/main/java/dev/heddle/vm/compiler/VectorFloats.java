package dev.heddle.vm.compiler;

import dev.heddle.vm.semantics.FloatArithmetic;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
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

    static FloatVector flushF32(FloatVector a) {
        return a.blend(a.mul(0f), a.abs().compare(VectorOperators.LT, Float.MIN_NORMAL));
    }

    static DoubleVector canonicalDouble(DoubleVector a) {
        return a.blend(
                Double.longBitsToDouble(0xfff8_0000_0000_0000L), a.test(VectorOperators.IS_NAN));
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
