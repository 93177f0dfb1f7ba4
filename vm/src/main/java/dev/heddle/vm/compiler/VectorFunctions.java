package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.functions.VectorApproximate;
import dev.heddle.tensorcore.functions.VectorMufu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// Vector forms of the approximate functions, and of what flushes subnormals. The functions make
/// NaNs of their own: their results are bits.
final class VectorFunctions {
    private VectorFunctions() {}

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
}
