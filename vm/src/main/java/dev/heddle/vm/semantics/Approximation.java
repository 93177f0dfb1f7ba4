package dev.heddle.vm.semantics;

import dev.heddle.tensorcore.functions.Approximate;
import dev.heddle.tensorcore.functions.Mufu;

/// The functions that the manual bounds instead of defining (PTX ISA 9.7.3, 9.7.4), with the bits
/// of an sm_90: see `dev.heddle.tensorcore.functions`. `Ftz` is part of a name here, because
/// `.ftz` chooses other machine instructions and not only flushes around the same ones.
public final class Approximation {
    private Approximation() {}

    public static float approximateEx2F32(float a) {
        return Approximate.ex2(a);
    }

    public static float approximateEx2FtzF32(float a) {
        return Approximate.ex2Ftz(a);
    }

    public static int approximateEx2F16(int a) {
        return Mufu.ex2F16(a);
    }

    public static int approximateEx2FtzBf16(int a) {
        return Mufu.ex2Bf16(a);
    }

    public static float approximateLg2F32(float a) {
        return Approximate.lg2(a);
    }

    public static float approximateLg2FtzF32(float a) {
        return Approximate.lg2Ftz(a);
    }

    public static float approximateRcpF32(float a) {
        return Approximate.rcp(a);
    }

    public static float approximateRcpFtzF32(float a) {
        return Approximate.rcpFtz(a);
    }

    public static double approximateRcpFtzF64(double a) {
        return Approximate.rcpFtz(a);
    }

    public static float approximateRsqrtF32(float a) {
        return Approximate.rsqrt(a);
    }

    public static float approximateRsqrtFtzF32(float a) {
        return Approximate.rsqrtFtz(a);
    }

    public static double approximateRsqrtF64(double a) {
        return Approximate.rsqrt(a);
    }

    public static double approximateRsqrtFtzF64(double a) {
        return Approximate.rsqrtFtz(a);
    }

    public static float approximateSqrtF32(float a) {
        return Approximate.sqrt(a);
    }

    public static float approximateSqrtFtzF32(float a) {
        return Approximate.sqrtFtz(a);
    }

    public static float approximateSinF32(float a) {
        return Approximate.sin(a);
    }

    public static float approximateSinFtzF32(float a) {
        return Approximate.sin(a);
    }

    public static float approximateCosF32(float a) {
        return Approximate.cos(a);
    }

    public static float approximateCosFtzF32(float a) {
        return Approximate.cos(a);
    }

    public static float approximateTanhF32(float a) {
        return Approximate.tanh(a);
    }

    public static int approximateTanhF16(int a) {
        return Mufu.tanhF16(a);
    }

    public static int approximateTanhBf16(int a) {
        return Mufu.tanhBf16(a);
    }

    public static float approximateDivF32(float a, float b) {
        return Approximate.divApprox(a, b);
    }

    public static float approximateDivFtzF32(float a, float b) {
        return Approximate.divApproxFtz(a, b);
    }

    public static float fullDivF32(float a, float b) {
        return Approximate.divFull(a, b);
    }

    public static float fullDivFtzF32(float a, float b) {
        return Approximate.divFullFtz(a, b);
    }
}
