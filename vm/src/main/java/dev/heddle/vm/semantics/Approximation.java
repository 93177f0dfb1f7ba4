package dev.heddle.vm.semantics;

import dev.heddle.tensorcore.functions.Approximate;
import dev.heddle.tensorcore.functions.Mufu;

/// The functions that the manual bounds instead of defining (PTX ISA 9.7.3, 9.7.4), with the bits
/// of an sm_90: see `dev.heddle.tensorcore.functions`. `Ftz` is part of a name here, because
/// `.ftz` chooses other machine instructions and not only flushes around the same ones.
public final class Approximation {
    private Approximation() {}

    public static float ex2ApproximateF32(float a) {
        return Approximate.ex2(a);
    }

    public static float ex2ApproximateFtzF32(float a) {
        return Approximate.ex2Ftz(a);
    }

    public static int ex2ApproximateF16(int a) {
        return Mufu.ex2F16(a);
    }

    public static int ex2ApproximateFtzBf16(int a) {
        return Mufu.ex2Bf16(a);
    }

    public static float lg2ApproximateF32(float a) {
        return Approximate.lg2(a);
    }

    public static float lg2ApproximateFtzF32(float a) {
        return Approximate.lg2Ftz(a);
    }

    public static float rcpApproximateF32(float a) {
        return Approximate.rcp(a);
    }

    public static float rcpApproximateFtzF32(float a) {
        return Approximate.rcpFtz(a);
    }

    public static double rcpApproximateFtzF64(double a) {
        return Approximate.rcpFtz(a);
    }

    public static float rsqrtApproximateF32(float a) {
        return Approximate.rsqrt(a);
    }

    public static float rsqrtApproximateFtzF32(float a) {
        return Approximate.rsqrtFtz(a);
    }

    public static double rsqrtApproximateF64(double a) {
        return Approximate.rsqrt(a);
    }

    public static double rsqrtApproximateFtzF64(double a) {
        return Approximate.rsqrtFtz(a);
    }

    public static float squareRootApproximateF32(float a) {
        return Approximate.sqrt(a);
    }

    public static float squareRootApproximateFtzF32(float a) {
        return Approximate.sqrtFtz(a);
    }

    public static float sinApproximateF32(float a) {
        return Approximate.sin(a);
    }

    public static float sinApproximateFtzF32(float a) {
        return Approximate.sin(a);
    }

    public static float cosApproximateF32(float a) {
        return Approximate.cos(a);
    }

    public static float cosApproximateFtzF32(float a) {
        return Approximate.cos(a);
    }

    public static float tanhApproximateF32(float a) {
        return Approximate.tanh(a);
    }

    public static int tanhApproximateF16(int a) {
        return Mufu.tanhF16(a);
    }

    public static int tanhApproximateBf16(int a) {
        return Mufu.tanhBf16(a);
    }

    public static float divideApproximateF32(float a, float b) {
        return Approximate.divApprox(a, b);
    }

    public static float divideApproximateFtzF32(float a, float b) {
        return Approximate.divApproxFtz(a, b);
    }

    public static float divideFullF32(float a, float b) {
        return Approximate.divFull(a, b);
    }

    public static float divideFullFtzF32(float a, float b) {
        return Approximate.divFullFtz(a, b);
    }
}
