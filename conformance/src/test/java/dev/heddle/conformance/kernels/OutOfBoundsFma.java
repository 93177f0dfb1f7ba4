package dev.heddle.conformance.kernels;

import java.nio.ByteBuffer;

/// `fma.rn.oob`: a factor that is out of bounds makes the result zero (PTX ISA 9.7.4.4).
final class OutOfBoundsFma {
    private static final int[] MULTIPLICANDS = {
        0x0000, 0x8000, 0x3c00, 0xbc00, 0x4200, 0x7c00, 0x7ff7, 0xfff7, 0x7fff, 0xffff, 0x7ff6,
        0x7f80
    };

    private OutOfBoundsFma() {}

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

    static RareKernel kernel() {
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
