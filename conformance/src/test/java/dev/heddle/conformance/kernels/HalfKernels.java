package dev.heddle.conformance.kernels;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntBinaryOperator;

/// Halves in scalar atomics, comparisons and seldom arithmetic.
final class HalfKernels {
    private static final int[] F16 = {
        0x0000, 0x8000, 0x3c00, 0xbc01, 0x0001, 0x8001, 0x03ff, 0x8400, 0x7bff, 0xfbff, 0x1400,
        0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01
    };

    private static final int[] BF16 = {
        0x0000, 0x8000, 0x3f80, 0xbf81, 0x0001, 0x8001, 0x007f, 0x8080, 0x7f7f, 0xff7f, 0x3b80,
        0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81
    };

    private static final int[] WORDS = {
        0,
        1,
        -1,
        2,
        100,
        101,
        0x7fff_ffff,
        0x8000_0000,
        0x0001_0001,
        0xabcd_abcd,
        0x8000_8000,
        0x1234_5678,
        0xffff_0000,
        0x0000_ffff,
        0xffff_fffe,
        0x0bad_f00d
    };

    /// No NaN and no two infinities: the manual leaves the bits of an f64 NaN open.
    private static final double[] F64 = {
        0.0,
        -0.0,
        1.0,
        -1.0,
        Double.MIN_VALUE,
        -Double.MIN_VALUE,
        Double.MIN_NORMAL,
        -Double.MIN_NORMAL,
        Double.MAX_VALUE,
        Double.POSITIVE_INFINITY,
        0x1p-53,
        0x1.8p-53,
        1e300,
        -1e300,
        3.5,
        0x1.fffffffffffffp0
    };

    private HalfKernels() {}

    private static boolean subnormal(float value) {
        return value != 0 && Math.abs(value) < Float.MIN_NORMAL;
    }

    private static int flushed(int bits) {
        return subnormal(Float.intBitsToFloat(bits)) ? bits & 0x8000_0000 : bits;
    }

    private static int sum(int a, int b) {
        float sum = Float.intBitsToFloat(a) + Float.intBitsToFloat(b);
        return Float.isNaN(sum) ? 0x7fff_ffff : Float.floatToRawIntBits(sum);
    }

    /// The same operation on both halves of words.
    private static int each(IntBinaryOperator operation, int a, int b) {
        int low = operation.applyAsInt(a & 0xffff, b & 0xffff) & 0xffff;
        return operation.applyAsInt(a >>> 16, b >>> 16) << 16 | low;
    }

    /// The operation on the low half; the high one stays.
    private static int low(IntBinaryOperator operation, int a, int b) {
        return a & 0xffff_0000 | operation.applyAsInt(a & 0xffff, b & 0xffff) & 0xffff;
    }

    static RareKernel atomics() {
        int threads = 256;
        int input = 48;
        int outputs = threads * input;
        int output = 9 * 2 * 32;
        ByteBuffer before = RareKernel.zeros(outputs + threads * output);
        for (int thread = 0; thread < threads; thread++) {
            int i = thread / 16;
            int j = thread % 16;
            int at = thread * input;
            before.putInt(at, F16[i] | F16[15 - i] << 16);
            before.putInt(at + 4, F16[j] | F16[(j + 5) % 16] << 16);
            before.putInt(at + 8, BF16[i] | BF16[15 - i] << 16);
            before.putInt(at + 12, BF16[j] | BF16[(j + 5) % 16] << 16);
            before.putInt(at + 16, RareKernel.F32[i]);
            before.putInt(at + 20, RareKernel.F32[j]);
            before.putInt(at + 24, WORDS[i]);
            before.putInt(at + 28, WORDS[j]);
            before.putDouble(at + 32, F64[i]);
            before.putDouble(at + 40, F64[j]);
        }
        ByteBuffer after = RareKernel.copy(before);
        for (int thread = 0; thread < threads; thread++) {
            int in = thread * input;
            for (int i = 0; i < 18; i++) {
                int at = outputs + thread * output + 32 * i;
                boolean shared = i % 2 == 1;
                switch (i / 2) {
                    case 0 -> put(after, at, in, 2, (a, b) -> low(Halves.F16::sum, a, b));
                    case 1 -> put(after, at, in + 8, 2, (a, b) -> low(Halves.BF16::sum, a, b));
                    case 2 -> put(after, at, in, 4, (a, b) -> each(Halves.F16::sum, a, b));
                    case 3 -> put(after, at, in + 8, 4, (a, b) -> each(Halves.BF16::sum, a, b));
                    case 4 ->
                            put(
                                    after,
                                    at,
                                    in + 16,
                                    4,
                                    shared
                                            ? HalfKernels::sum
                                            : (a, b) -> flushed(sum(flushed(a), flushed(b))));
                    case 5 -> {
                        double old = after.getDouble(in + 32);
                        after.putDouble(at, old + after.getDouble(in + 40));
                        after.putDouble(at + 8, old);
                        after.putDouble(at + 16, old + after.getDouble(in + 40));
                    }
                    case 6 ->
                            put(
                                    after,
                                    at,
                                    in + 24,
                                    4,
                                    (a, b) -> Integer.compareUnsigned(a, b) >= 0 ? 0 : a + 1);
                    case 7 ->
                            put(
                                    after,
                                    at,
                                    in + 24,
                                    4,
                                    (a, b) ->
                                            a == 0 || Integer.compareUnsigned(a, b) > 0
                                                    ? b
                                                    : a - 1);
                    default -> {
                        int old = after.getInt(in + 24);
                        boolean equal = (old & 0xffff) == old >>> 16;
                        after.putInt(
                                at, equal ? low((_, b) -> b, old, after.getInt(in + 28)) : old);
                        after.putInt(at + 8, old & 0xffff);
                    }
                }
            }
        }
        return new RareKernel("half-atomics", 4, threads / 4, before, after);
    }

    private static void put(
            ByteBuffer buffer, int at, int in, int returned, IntBinaryOperator operation) {
        int old = buffer.getInt(in);
        int next = operation.applyAsInt(old, buffer.getInt(in + 4));
        buffer.putInt(at, next);
        buffer.putInt(at + 8, returned == 2 ? old & 0xffff : old);
        buffer.putInt(at + 16, next);
    }

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
                each((a, _) -> flushedHalf(a ^ 0x8000), z, 0),
                z & 0x7fff_7fff,
                w ^ 0x8000_8000,
                w & 0x7fff_7fff,
                each((a, b) -> magnitude(Halves.F16, a, b, true, false, false), x, y),
                each(
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
                each((a, b) -> magnitude(Halves.F16, a, b, true, false, true), x, y),
                each((a, b) -> magnitude(Halves.F16, a, b, false, true, true), x, y),
                each((a, b) -> magnitude(Halves.BF16, a, b, true, true, true), u, v),
                each((a, b) -> magnitude(Halves.BF16, a, b, false, false, true), u, v),
                magnitude32(x, y, true, false),
                magnitude32(flushed(x), flushed(y), false, true),
                each(HalfKernels::saturatedSum, x, y),
                each((a, b) -> Halves.BF16.nearest(bfloat16(a) * bfloat16(b)), u, v),
                each((a, b) -> Halves.BF16.nearest(bfloat16(a) - bfloat16(b)), u, v),
                each(Halves.BF16::sum, u, v));
    }

    static RareKernel comparisons() {
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
            before.putInt(at, drawn ? random.nextInt() : F16[i] | F16[j] << 16);
            before.putInt(at + 4, drawn ? random.nextInt() : F16[j] | F16[k] << 16);
            before.putInt(at + 8, drawn ? random.nextInt() : BF16[i] | BF16[j] << 16);
            before.putInt(at + 12, drawn ? random.nextInt() : BF16[j] | BF16[k] << 16);
            // The last three are NaNs, whose bits neg and abs leave open.
            before.putInt(at + 16, F16[i % 13] | F16[j % 13] << 16);
            before.putInt(at + 20, BF16[i % 13] | BF16[j % 13] << 16);
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

    private static final int[] MULTIPLICANDS = {
        0x0000, 0x8000, 0x3c00, 0xbc00, 0x4200, 0x7c00, 0x7ff7, 0xfff7, 0x7fff, 0xffff, 0x7ff6,
        0x7f80
    };

    private static boolean outOfBounds(int bits) {
        return (bits & 0x7fff) == 0x7ff7;
    }

    /// The numbers are such that `double` holds every sum, or its nearest half is that of the
    /// larger summand.
    private static int fused(Halves format, int a, int b, int c, boolean rectified) {
        if (outOfBounds(a) || outOfBounds(b)) {
            return 0;
        }
        double sum = (double) format.value(a) * format.value(b) + format.value(c);
        int result = format.nearest((float) sum);
        return rectified && result >= 0x8000 ? 0 : result;
    }

    static RareKernel outOfBounds() {
        int size = MULTIPLICANDS.length;
        int threads = size * size * size;
        int outputs = 12 * threads;
        ByteBuffer before = RareKernel.zeros(outputs + 24 * threads);
        for (int thread = 0; thread < threads; thread++) {
            int[] numbers = {thread % size, thread / size % size, thread / size / size};
            for (int i = 0; i < 3; i++) {
                before.putShort(12 * thread + 4 * i, (short) MULTIPLICANDS[numbers[i]]);
                int other = (numbers[i] * 5 + i + thread / 7) % size;
                before.putShort(12 * thread + 4 * i + 2, (short) MULTIPLICANDS[other]);
            }
        }
        ByteBuffer after = RareKernel.copy(before);
        for (int thread = 0; thread < threads; thread++) {
            int at = outputs + 24 * thread;
            for (int i = 0; i < 4; i++) {
                Halves format = i < 2 ? Halves.F16 : Halves.BF16;
                boolean rectified = i % 2 == 1;
                int[] results = new int[2];
                for (int half = 0; half < 2; half++) {
                    int in = 12 * thread + 2 * half;
                    results[half] =
                            fused(
                                    format,
                                    before.getShort(in) & 0xffff,
                                    before.getShort(in + 4) & 0xffff,
                                    before.getShort(in + 8) & 0xffff,
                                    rectified);
                }
                after.putShort(at + 2 * i, (short) results[0]);
                after.putInt(at + 8 + 4 * i, results[0] | results[1] << 16);
            }
        }
        return new RareKernel("fma-out-of-bounds", 9, threads / 9, before, after);
    }
}
