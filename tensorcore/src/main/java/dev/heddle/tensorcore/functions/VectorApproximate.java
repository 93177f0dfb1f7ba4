package dev.heddle.tensorcore.functions;

import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.XOR;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;

/// [Approximate] on vectors of `.f32` values. Results are bits, so that NaNs keep theirs.
public final class VectorApproximate {
    private static final float TWO_24 = 0x1p24f;
    private static final float LEAST_NORMAL = 0x1p-126f;
    private static final float GREATEST_DIVISOR = 0x1p126f;
    private static final float REVOLUTION = Float.intBitsToFloat(0x3e22f983);
    private static final int MAGNITUDE = 0x7fff_ffff;
    private static final int INFINITY = 0x7f80_0000;

    private VectorApproximate() {}

    private static IntVector canonical(FloatVector value) {
        IntVector bits = value.reinterpretAsInts();
        return bits.blend(Mufu.NAN, bits.and(MAGNITUDE).compare(GT, INFINITY));
    }

    private static VectorMask<Float> tiny(FloatVector a) {
        return a.abs().compare(LT, LEAST_NORMAL);
    }

    /// `ex2.approx.ftz.f32`.
    public static IntVector ex2ApproxFtzF32(FloatVector a) {
        return VectorMufu.ex2(a.reinterpretAsInts());
    }

    /// `lg2.approx.ftz.f32`.
    public static IntVector lg2ApproxFtzF32(FloatVector a) {
        return VectorMufu.lg2(a.reinterpretAsInts());
    }

    /// `rcp.approx.ftz.f32`.
    public static IntVector rcpApproxFtzF32(FloatVector a) {
        return VectorMufu.rcp(a.reinterpretAsInts());
    }

    /// `rsqrt.approx.ftz.f32`.
    public static IntVector rsqrtApproxFtzF32(FloatVector a) {
        return VectorMufu.rsq(a.reinterpretAsInts());
    }

    /// `sqrt.approx.ftz.f32`.
    public static IntVector sqrtApproxFtzF32(FloatVector a) {
        return VectorMufu.sqrt(a.reinterpretAsInts());
    }

    /// `ex2.approx.f32`.
    public static IntVector ex2ApproxF32(FloatVector a) {
        VectorMask<Float> low = a.compare(LT, -126f);
        FloatVector result =
                VectorMufu.ex2(a.blend(a.mul(0.5f), low).reinterpretAsInts()).reinterpretAsFloats();
        return canonical(result.blend(result.mul(result), low));
    }

    /// `lg2.approx.f32`.
    public static IntVector lg2ApproxF32(FloatVector a) {
        VectorMask<Float> tiny = tiny(a);
        FloatVector result =
                VectorMufu.lg2(a.blend(a.mul(TWO_24), tiny).reinterpretAsInts())
                        .reinterpretAsFloats();
        return canonical(result.blend(result.sub(24f), tiny));
    }

    /// What the ends of the range are multiplied by, before a reciprocal and after it.
    private static FloatVector scale(FloatVector a) {
        FloatVector magnitude = a.abs();
        return magnitude
                .broadcast(1f)
                .blend(TWO_24, magnitude.compare(LT, LEAST_NORMAL))
                .blend(0.25f, magnitude.compare(GT, GREATEST_DIVISOR));
    }

    /// `rcp.approx.f32`.
    public static IntVector rcpApproxF32(FloatVector a) {
        FloatVector scale = scale(a);
        return canonical(
                VectorMufu.rcp(a.mul(scale).reinterpretAsInts()).reinterpretAsFloats().mul(scale));
    }

    /// `rsqrt.approx.f32`.
    public static IntVector rsqrtApproxF32(FloatVector a) {
        VectorMask<Float> tiny = tiny(a);
        FloatVector result =
                VectorMufu.rsq(a.blend(a.mul(TWO_24), tiny).reinterpretAsInts())
                        .reinterpretAsFloats();
        return canonical(result.blend(result.mul(4096f), tiny));
    }

    /// `sqrt.approx.f32`.
    public static IntVector sqrtApproxF32(FloatVector a) {
        VectorMask<Float> tiny = tiny(a);
        FloatVector result =
                VectorMufu.sqrt(a.blend(a.mul(TWO_24), tiny).reinterpretAsInts())
                        .reinterpretAsFloats();
        return canonical(result.blend(result.mul(0x1p-12f), tiny));
    }

    /// `tanh.approx.f32`.
    public static IntVector tanhApproxF32(FloatVector a) {
        return VectorMufu.tanh(a.reinterpretAsInts());
    }

    /// `sin.approx.ftz.f32`.
    public static IntVector sinApproxFtzF32(FloatVector a) {
        return sinApproxF32(a);
    }

    /// `sin.approx.f32`.
    public static IntVector sinApproxF32(FloatVector a) {
        return VectorMufu.sin(revolutions(a));
    }

    /// `cos.approx.ftz.f32`.
    public static IntVector cosApproxFtzF32(FloatVector a) {
        return cosApproxF32(a);
    }

    /// `cos.approx.f32`.
    public static IntVector cosApproxF32(FloatVector a) {
        return VectorMufu.cos(revolutions(a));
    }

    /// Radians as revolutions, toward zero: one step back where the error says that the nearest
    /// product is beyond the exact one. Where it is too small to say, both are zero to the unit.
    private static IntVector revolutions(FloatVector a) {
        FloatVector nearest = a.mul(REVOLUTION);
        FloatVector error = a.fma(a.broadcast(REVOLUTION), nearest.neg());
        IntVector bits = nearest.reinterpretAsInts();
        VectorMask<Integer> beyond =
                error.reinterpretAsInts()
                        .lanewise(XOR, bits)
                        .compare(LT, 0)
                        .and(error.compare(NE, 0f).cast(VectorMufu.WORDS))
                        .and(bits.and(MAGNITUDE).compare(LT, INFINITY));
        return bits.blend(bits.sub(1), beyond);
    }

    /// `div.approx.f32`.
    public static IntVector divApproxF32(FloatVector a, FloatVector b) {
        FloatVector scale = a.broadcast(1f).blend(TWO_24, tiny(b));
        return canonical(
                a.mul(scale)
                        .mul(
                                VectorMufu.rcp(b.mul(scale).reinterpretAsInts())
                                        .reinterpretAsFloats()));
    }

    /// `div.approx.ftz.f32`.
    public static IntVector divApproxFtzF32(FloatVector a, FloatVector b) {
        return canonical(
                multiplyFtzF32(VectorMufu.rcp(b.reinterpretAsInts()).reinterpretAsFloats(), a));
    }

    /// `div.full.f32`.
    public static IntVector divFullF32(FloatVector a, FloatVector b) {
        FloatVector scale = scale(b);
        return canonical(
                a.mul(scale)
                        .mul(
                                VectorMufu.rcp(b.mul(scale).reinterpretAsInts())
                                        .reinterpretAsFloats()));
    }

    /// `div.full.ftz.f32`.
    public static IntVector divFullFtzF32(FloatVector a, FloatVector b) {
        FloatVector scale = a.broadcast(1f).blend(0.25f, b.abs().compare(GT, GREATEST_DIVISOR));
        return canonical(
                multiplyFtzF32(
                        VectorMufu.rcp(b.mul(scale).reinterpretAsInts()).reinterpretAsFloats(),
                        multiplyFtzF32(a, scale)));
    }

    private static FloatVector flushed(FloatVector a) {
        return a.blend(a.mul(0f), tiny(a));
    }

    /// `FMUL.FTZ`, a NaN result with any bits. A product that rounds to 2^-126 is rounded again
    /// 2^64 times larger, where nothing is subnormal.
    public static FloatVector multiplyFtzF32(FloatVector a, FloatVector b) {
        FloatVector x = flushed(a);
        FloatVector y = flushed(b);
        FloatVector scaled = x.mul(0x1p32f).mul(y.mul(0x1p32f));
        return flushed(x.mul(y), scaled);
    }

    /// `FFMA.FTZ`, likewise.
    public static FloatVector fusedFtzF32(FloatVector a, FloatVector b, FloatVector c) {
        FloatVector x = flushed(a);
        FloatVector y = flushed(b);
        FloatVector z = flushed(c);
        FloatVector scaled = x.mul(0x1p32f).fma(y.mul(0x1p32f), z.mul(0x1p64f));
        return flushed(x.fma(y, z), scaled);
    }

    /// `div.rn.ftz.f32`, likewise.
    public static FloatVector divideFtzF32(FloatVector a, FloatVector b) {
        FloatVector x = flushed(a);
        FloatVector y = flushed(b);
        FloatVector scaled = x.mul(0x1p32f).div(y.mul(0x1p-32f));
        return flushed(x.div(y), scaled);
    }

    private static FloatVector flushed(FloatVector result, FloatVector scaled) {
        FloatVector magnitude = result.abs();
        VectorMask<Float> atTheEdge =
                magnitude.compare(EQ, LEAST_NORMAL).and(scaled.abs().compare(LT, 0x1p-62f));
        return result.blend(result.mul(0f), magnitude.compare(LT, LEAST_NORMAL).or(atTheEdge));
    }
}
