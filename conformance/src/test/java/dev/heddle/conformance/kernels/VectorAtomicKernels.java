package dev.heddle.conformance.kernels;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/// `atom` and `red` of vectors.
final class VectorAtomicKernels {
    private static final int CTAS = 2;
    private static final int THREADS = 64;
    private static final int INPUT = 48;

    private VectorAtomicKernels() {}

    private static final int[] F16 = {
        0x0000, 0x8000, 0x3c00, 0xbc00, 0x3c01, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400,
        0x7bff, 0xfbff, 0x7800, 0x1400, 0x9000, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01, 0xffff
    };

    private static final int[] BF16 = {
        0x0000, 0x8000, 0x3f80, 0xbf80, 0x3f81, 0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080,
        0x7f7f, 0xff7f, 0x7e80, 0x3b80, 0xbb00, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81, 0xffff
    };

    /// An element of the vectors.
    private interface Update {
        int of(int memory, int operand);
    }

    private static void update(ByteBuffer buffer, int at, int operand, Update update) {
        int old = buffer.getShort(at) & 0xffff;
        buffer.putShort(at, (short) update.of(old, operand));
    }

    private static int half(ByteBuffer buffer, int at) {
        return buffer.getShort(at) & 0xffff;
    }

    static RareKernel halves(Halves format) {
        int[] edges = format == Halves.F16 ? F16 : BF16;
        int bound = format == Halves.F16 ? 15 : 1;
        Update[] operations = {
            format::sum,
            (a, b) -> format.extremum(a, b, true),
            (a, b) -> format.extremum(a, b, false)
        };
        // How many halves v2, v4 and v8 of halves and v2 and v4 of pairs have.
        int[] sizes = {2, 4, 8, 4, 8};
        int inputs = 128;
        int outputs = inputs + THREADS * INPUT;
        int output = 48 * operations.length * sizes.length;
        ByteBuffer before = RareKernel.zeros(outputs + THREADS * output);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 8 * THREADS; i++) {
            int at = inputs + i / 8 * INPUT + i % 8 * 2;
            boolean drawn = i >= edges.length * edges.length;
            before.putShort(
                    at,
                    (short) (drawn ? random.nextInt() : edges[i / edges.length % edges.length]));
            before.putShort(at + 16, (short) (drawn ? random.nextInt() : edges[i % edges.length]));
            int number = (i / 8 * 7 + i % 8 * 13) % (2 * bound + 1) - bound;
            before.putShort(at + 32, (short) format.nearest(number));
        }
        ByteBuffer after = RareKernel.copy(before);
        for (int thread = 0; thread < THREADS; thread++) {
            int input = inputs + thread * INPUT;
            for (int variant = 0; variant < operations.length * sizes.length; variant++) {
                Update operation = operations[variant / sizes.length];
                int at = outputs + thread * output + 48 * variant;
                for (int i = 0; i < 8; i++) {
                    int old = half(before, input + 2 * i);
                    boolean touched = i < sizes[variant % sizes.length];
                    int next = touched ? operation.of(old, half(before, input + 16 + 2 * i)) : old;
                    after.putShort(at + 2 * i, (short) next);
                    after.putShort(at + 16 + 2 * i, (short) (touched ? old : 0));
                    after.putShort(at + 32 + 2 * i, (short) next);
                }
            }
            for (int i = 0; i < 8; i++) {
                int operand = half(before, input + 32 + 2 * i);
                update(after, 2 * i, operand, operations[0]);
                update(after, 16 + 2 * i, operand, operations[0]);
                if (i < 4) {
                    update(after, 32 + 2 * i, operand, operations[1]);
                    update(after, 48 + 2 * i, operand, operations[2]);
                    update(after, 88 + 2 * i, operand, operations[0]);
                }
                update(after, 64 + 2 * i, operand, operations[2]);
                if (i < 2) {
                    update(after, 80 + 2 * i, operand, operations[0]);
                }
            }
        }
        String file = format == Halves.F16 ? "vector-atomics-f16" : "vector-atomics-bf16";
        return new RareKernel(file, CTAS, THREADS / CTAS, before, after);
    }

    private static float flushed(float value) {
        return Math.abs(value) < Float.MIN_NORMAL ? Math.copySign(0, value) : value;
    }

    /// What `add.f32` on global memory makes of two words.
    private static int sum(int a, int b) {
        float sum = flushed(flushed(Float.intBitsToFloat(a)) + flushed(Float.intBitsToFloat(b)));
        return Float.isNaN(sum) ? 0x7fff_ffff : Float.floatToRawIntBits(sum);
    }

    static RareKernel floats() {
        int inputs = 64;
        int outputs = inputs + THREADS * INPUT;
        int output = 80;
        ByteBuffer before = RareKernel.zeros(outputs + THREADS * output);
        for (int i = 0; i < 4 * THREADS; i++) {
            int at = inputs + i / 4 * INPUT + i % 4 * 4;
            before.putInt(at, RareKernel.F32[i / RareKernel.F32.length]);
            // Every pair meets in v4 and, by the turn, in v2.
            before.putInt(
                    at + 16,
                    RareKernel.F32[(i + i / RareKernel.F32.length) % RareKernel.F32.length]);
            before.putFloat(at + 32, (i * 37 + 11) % 2001 - 1000);
        }
        ByteBuffer after = RareKernel.copy(before);
        for (int thread = 0; thread < THREADS; thread++) {
            int input = inputs + thread * INPUT;
            int out = outputs + thread * output;
            for (int i = 0; i < 4; i++) {
                int old = before.getInt(input + 4 * i);
                int next = sum(old, before.getInt(input + 16 + 4 * i));
                after.putInt(out + 4 * i, next);
                after.putInt(out + 16 + 4 * i, old);
                after.putInt(out + 32 + 4 * i, i < 2 ? next : old);
                boolean second = i >= 2;
                after.putInt(out + 48 + 4 * i, second ? next : old);
                int operand = before.getInt(input + 32 + 4 * i);
                after.putInt(4 * i, sum(after.getInt(4 * i), operand));
                after.putInt(16 + 4 * i, sum(after.getInt(16 + 4 * i), operand));
            }
            after.putInt(out + 64, before.getInt(input + 12));
            after.putInt(out + 68, before.getInt(input + 8));
        }
        return new RareKernel("vector-atomics-f32", CTAS, THREADS / CTAS, before, after);
    }
}
