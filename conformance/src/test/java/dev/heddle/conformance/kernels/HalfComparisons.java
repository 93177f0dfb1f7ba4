package dev.heddle.conformance.kernels;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;

/// Comparisons of halves, their signs, minima and maxima, and seldom arithmetic.
final class HalfComparisons {
    private HalfComparisons() {}

    /// A comparison: what it is of two numbers, and of a NaN.
    private enum Comparison {
        EQ,
        NE,
        LT,
        LE,
        GT,
        GE;

        boolean of(int order) {
            return switch (this) {
                case EQ -> order == 0;
                case NE -> order != 0;
                case LT -> order < 0;
                case LE -> order <= 0;
                case GT -> order > 0;
                case GE -> order >= 0;
            };
        }

        /// Of floats; `unordered` is what it is of a NaN. -0 equals +0.
        boolean of(float a, float b, boolean unordered) {
            if (Float.isNaN(a) || Float.isNaN(b)) {
                return unordered;
            }
            return of(a == b ? 0 : a < b ? -1 : 1);
        }
    }

    private static boolean nan(float a, float b) {
        return Float.isNaN(a) || Float.isNaN(b);
    }

    /// A subnormal of f16 becomes zero, with its sign.
    private static int flushedHalf(int bits) {
        return (bits & 0x7c00) == 0 ? bits & 0x8000 : bits;
    }

    private static int word(boolean holds) {
        return holds ? -1 : 0;
    }

    private static int half(boolean holds) {
        return holds ? 0xffff : 0;
    }

    private static int pair(boolean low, boolean high, int one) {
        return (low ? one : 0) | (high ? one << 16 : 0);
    }

    private static int bits(boolean first, boolean second) {
        return (first ? 1 : 0) | (second ? 2 : 0);
    }

    /// PTX ISA 9.7.4.7: `.NaN` and `.xorsign.abs` of a minimum or maximum.
    private static int magnitude(
            Halves format, int a, int b, boolean least, boolean propagates, boolean signs) {
        if (propagates && nan(format.value(a), format.value(b))) {
            return Halves.NAN;
        }
        int mask = signs ? 0x7fff : 0xffff;
        int result = format.extremum(a & mask, b & mask, least);
        if (signs && !Float.isNaN(format.value(result))) {
            return result & 0x7fff | (a ^ b) & 0x8000;
        }
        return result;
    }

    private static int magnitude32(int a, int b, boolean least, boolean propagates) {
        float x = Math.abs(Float.intBitsToFloat(a));
        float y = Math.abs(Float.intBitsToFloat(b));
        boolean none = Float.isNaN(x) && Float.isNaN(y);
        if (none || propagates && nan(x, y)) {
            return 0x7fff_ffff;
        }
        float result;
        if (nan(x, y)) {
            result = Float.isNaN(x) ? y : x;
        } else {
            result = least ? Math.min(x, y) : Math.max(x, y);
        }
        return Float.floatToRawIntBits(result) | (a ^ b) & 0x8000_0000;
    }

    private static int saturatedSum(int a, int b) {
        float sum = Halves.F16.value(flushedHalf(a)) + Halves.F16.value(flushedHalf(b));
        float clamped = Float.isNaN(sum) || sum <= 0 ? 0 : Math.min(sum, 1);
        return flushedHalf(Halves.F16.nearest(clamped));
    }

    private static float float16(int bits) {
        return Halves.F16.value(bits);
    }

    private static float bfloat16(int bits) {
        return Halves.BF16.value(bits);
    }

    /// The kernel's results, in its order.
    private static List<Integer> results(int x, int y, int u, int v, int z, int w, boolean odd) {
        float x0 = float16(x & 0xffff);
        float x1 = float16(x >>> 16);
        float y0 = float16(y & 0xffff);
        float y1 = float16(y >>> 16);
        float u0 = bfloat16(u & 0xffff);
        float u1 = bfloat16(u >>> 16);
        float v0 = bfloat16(v & 0xffff);
        float v1 = bfloat16(v >>> 16);
        float fx0 = float16(flushedHalf(x & 0xffff));
        float fx1 = float16(flushedHalf(x >>> 16));
        float fy0 = float16(flushedHalf(y & 0xffff));
        float fy1 = float16(flushedHalf(y >>> 16));
        int one = Halves.F16.one;
        int brain = Halves.BF16.one;
        boolean numbers = !nan(Float.intBitsToFloat(x), Float.intBitsToFloat(y));
        return List.of(
                word(Comparison.LT.of(x0, y0, false)),
                word(Comparison.GE.of(fx0, fy0, true)),
                Comparison.NE.of(x0, y0, true) ? one : 0,
                half(Comparison.LE.of(x0, y0, false) && odd),
                x > y ? one : 0,
                numbers ^ odd ? one : 0,
                pair(Comparison.GT.of(x0, y0, true), Comparison.GT.of(x1, y1, true), one),
                pair(nan(x0, y0) || odd, nan(x1, y1) || odd, one),
                word(Comparison.NE.of(u0, v0, false)),
                Comparison.LT.of(u0, v0, true) ? brain : 0,
                half(Comparison.EQ.of(u0, v0, true) || !odd),
                Integer.compareUnsigned(u, v) >= 0 ? brain : 0,
                pair(Comparison.LE.of(u0, v0, true), Comparison.LE.of(u1, v1, true), brain),
                pair(!nan(u0, v0) ^ odd, !nan(u1, v1) ^ odd, brain),
                bits(Comparison.GE.of(x0, y0, false), Comparison.GE.of(x1, y1, false)),
                bits(
                        Comparison.LT.of(fx0, fy0, true) && odd,
                        Comparison.LT.of(fx1, fy1, true) && odd),
                bits(Comparison.NE.of(u0, v0, false), Comparison.NE.of(u1, v1, false)),
                bits(nan(u0, v0) ^ !odd, nan(u1, v1) ^ !odd),
                bits(
                        Comparison.GT.of(x0, y0, true) || odd,
                        Comparison.LE.of(u0, v0, false) && !odd),
                z ^ 0x8000_8000,
                Halves.each((a, _) -> flushedHalf(a ^ 0x8000), z, 0),
                z & 0x7fff_7fff,
                w ^ 0x8000_8000,
                w & 0x7fff_7fff,
                Halves.each((a, b) -> magnitude(Halves.F16, a, b, true, false, false), x, y),
                Halves.each(
                        (a, b) ->
                                magnitude(
                                        Halves.F16,
                                        flushedHalf(a),
                                        flushedHalf(b),
                                        false,
                                        true,
                                        false),
                        x,
                        y),
                Halves.each((a, b) -> magnitude(Halves.F16, a, b, true, false, true), x, y),
                Halves.each((a, b) -> magnitude(Halves.F16, a, b, false, true, true), x, y),
                Halves.each((a, b) -> magnitude(Halves.BF16, a, b, true, true, true), u, v),
                Halves.each((a, b) -> magnitude(Halves.BF16, a, b, false, false, true), u, v),
                magnitude32(x, y, true, false),
                magnitude32(RareKernel.flushed(x), RareKernel.flushed(y), false, true),
                Halves.each(HalfComparisons::saturatedSum, x, y),
                Halves.each((a, b) -> Halves.BF16.nearest(bfloat16(a) * bfloat16(b)), u, v),
                Halves.each((a, b) -> Halves.BF16.nearest(bfloat16(a) - bfloat16(b)), u, v),
                Halves.each(Halves.BF16::sum, u, v));
    }

    static RareKernel kernel() {
        int threads = 512;
        int input = 24;
        int outputs = threads * input;
        int output = 4 * results(0, 0, 0, 0, 0, 0, false).size();
        ByteBuffer before = RareKernel.zeros(outputs + threads * output);
        SplittableRandom random = new SplittableRandom(8);
        for (int thread = 0; thread < threads; thread++) {
            int i = thread / 16 % 16;
            int j = thread % 16;
            int at = thread * input;
            boolean drawn = thread >= 256;
            int k = (i + j) % 16;
            before.putInt(
                    at,
                    drawn ? random.nextInt() : Halves.F16.samples[i] | Halves.F16.samples[j] << 16);
            before.putInt(
                    at + 4,
                    drawn ? random.nextInt() : Halves.F16.samples[j] | Halves.F16.samples[k] << 16);
            before.putInt(
                    at + 8,
                    drawn
                            ? random.nextInt()
                            : Halves.BF16.samples[i] | Halves.BF16.samples[j] << 16);
            before.putInt(
                    at + 12,
                    drawn
                            ? random.nextInt()
                            : Halves.BF16.samples[j] | Halves.BF16.samples[k] << 16);
            // The last three are NaNs, whose bits neg and abs leave open.
            before.putInt(at + 16, Halves.F16.samples[i % 13] | Halves.F16.samples[j % 13] << 16);
            before.putInt(at + 20, Halves.BF16.samples[i % 13] | Halves.BF16.samples[j % 13] << 16);
        }
        ByteBuffer after = RareKernel.copy(before);
        for (int thread = 0; thread < threads; thread++) {
            int at = thread * input;
            List<Integer> results =
                    results(
                            before.getInt(at),
                            before.getInt(at + 4),
                            before.getInt(at + 8),
                            before.getInt(at + 12),
                            before.getInt(at + 16),
                            before.getInt(at + 20),
                            thread % 2 == 1);
            for (int i = 0; i < results.size(); i++) {
                after.putInt(outputs + thread * output + 4 * i, results.get(i));
            }
        }
        return new RareKernel("half-comparisons", 4, threads / 4, before, after);
    }
}
