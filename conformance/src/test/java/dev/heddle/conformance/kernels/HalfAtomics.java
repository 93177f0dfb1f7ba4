package dev.heddle.conformance.kernels;

import java.nio.ByteBuffer;
import java.util.function.IntBinaryOperator;

/// Scalar atomics of halves, and of the seldom types beside them.
final class HalfAtomics {
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

    private HalfAtomics() {}

    private static int sum(int a, int b) {
        float sum = Float.intBitsToFloat(a) + Float.intBitsToFloat(b);
        return Float.isNaN(sum) ? 0x7fff_ffff : Float.floatToRawIntBits(sum);
    }

    static RareKernel kernel() {
        int threads = 256;
        int input = 48;
        int outputs = threads * input;
        int output = 9 * 2 * 32;
        ByteBuffer before = RareKernel.zeros(outputs + threads * output);
        for (int thread = 0; thread < threads; thread++) {
            int i = thread / 16;
            int j = thread % 16;
            int at = thread * input;
            before.putInt(at, Halves.F16.samples[i] | Halves.F16.samples[15 - i] << 16);
            before.putInt(at + 4, Halves.F16.samples[j] | Halves.F16.samples[(j + 5) % 16] << 16);
            before.putInt(at + 8, Halves.BF16.samples[i] | Halves.BF16.samples[15 - i] << 16);
            before.putInt(
                    at + 12, Halves.BF16.samples[j] | Halves.BF16.samples[(j + 5) % 16] << 16);
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
                    case 0 -> put(after, at, in, 2, (a, b) -> Halves.low(Halves.F16::sum, a, b));
                    case 1 ->
                            put(after, at, in + 8, 2, (a, b) -> Halves.low(Halves.BF16::sum, a, b));
                    case 2 -> put(after, at, in, 4, (a, b) -> Halves.each(Halves.F16::sum, a, b));
                    case 3 ->
                            put(
                                    after,
                                    at,
                                    in + 8,
                                    4,
                                    (a, b) -> Halves.each(Halves.BF16::sum, a, b));
                    case 4 ->
                            put(
                                    after,
                                    at,
                                    in + 16,
                                    4,
                                    shared
                                            ? HalfAtomics::sum
                                            : (a, b) ->
                                                    RareKernel.flushed(
                                                            sum(
                                                                    RareKernel.flushed(a),
                                                                    RareKernel.flushed(b))));
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
                                at,
                                equal ? Halves.low((_, b) -> b, old, after.getInt(in + 28)) : old);
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
}
