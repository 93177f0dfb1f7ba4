package dev.heddle.conformance.kernels;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/// Barriers that threads leave, memory of the stack, packed integers, vectors in registers and
/// short addresses.
final class SmallKernels {
    private SmallKernels() {}

    static RareKernel barrierDrops() {
        int threads = 64;
        int[] flags = {
            // Three are expected, 16 bytes come.
            0,
            0,
            0,
            0,
            0,
            1,
            1,
            1,
            1,
            0,
            // Two.
            0,
            1,
            1,
            1,
            0,
            // One.
            0,
            1,
            // The last one.
            0,
            1,
            1,
            // Bytes before they are expected.
            0,
            1,
            1,
            1,
            // Nine, of whom five leave.
            9,
            7,
            4,
            0,
            0,
            1,
            1,
            1,
            4,
            0,
            1,
            // By addresses of the cluster.
            0,
            0,
            1,
            1
        };
        ByteBuffer before = RareKernel.zeros(256 + 8 * threads);
        ByteBuffer after = RareKernel.copy(before);
        for (int i = 0; i < flags.length; i++) {
            after.putInt(4 * i, flags[i]);
        }
        int sum = threads * (threads - 1) / 2;
        for (int thread = 0; thread < threads; thread++) {
            after.putInt(256 + 8 * thread, sum);
            after.putInt(260 + 8 * thread, thread % 2 == 0 ? sum + threads / 2 * 1000 : 0);
        }
        return new RareKernel("mbarrier-drops", 1, threads, before, after);
    }

    static RareKernel dynamicStack() {
        int threads = 64;
        ByteBuffer before = RareKernel.zeros(64 * threads);
        for (int i = 0; i < before.capacity(); i += 4) {
            before.putInt(i, -1);
        }
        ByteBuffer after = RareKernel.copy(before);
        for (int thread = 0; thread < threads; thread++) {
            int at = 64 * thread;
            int size = thread % 8 * 8 + 8;
            long sum = 0;
            long last = 0;
            for (long i = 0; i < size; i += 8) {
                sum += i * 1000 + size;
                last ^= ~(i * 1000 + size);
            }
            after.putInt(at, size * 3 + 1);
            after.putLong(at + 8, sum);
            after.putLong(at + 16, last);
            after.putInt(at + 24, 0);
            after.putInt(at + 28, 1);
            after.putInt(at + 32, 1);
            after.putLong(at + 40, 0);
            after.putLong(at + 48, size);
            after.putLong(at + 56, 0);
        }
        return new RareKernel("dynamic-stack", 1, threads, before, after);
    }

    private static final int[] WORDS = {
        0,
        1,
        -1,
        2,
        -2,
        -3,
        3,
        4,
        7,
        8,
        -8,
        -9,
        15,
        16,
        127,
        128,
        -128,
        -129,
        255,
        256,
        0x7fff,
        0x8000,
        -0x8000,
        -0x8001,
        0xffff,
        0x1_0000,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        0x1234_5678,
        0x89ab_cdef
    };

    /// The manual's: two saturated values below what is shifted up.
    private static int packed(int a, int b, int c, boolean signed, int size) {
        BigInteger bound = BigInteger.ONE.shiftLeft(signed ? size - 1 : size);
        BigInteger least = signed ? bound.negate() : BigInteger.ZERO;
        BigInteger most = bound.subtract(BigInteger.ONE);
        BigInteger mask = BigInteger.ONE.shiftLeft(size).subtract(BigInteger.ONE);
        BigInteger high = BigInteger.valueOf(a).max(least).min(most).and(mask);
        BigInteger low = BigInteger.valueOf(b).max(least).min(most).and(mask);
        BigInteger rest = size == 16 ? BigInteger.ZERO : BigInteger.valueOf(c);
        return rest.shiftLeft(2 * size).or(high.shiftLeft(size)).or(low).intValue();
    }

    static RareKernel packs() {
        int threads = WORDS.length * WORDS.length;
        int outputs = 12 * 1024;
        ByteBuffer before = RareKernel.zeros(outputs + 1024 * 40);
        SplittableRandom random = new SplittableRandom(5);
        for (int thread = 0; thread < 1024; thread++) {
            boolean drawn = thread >= threads;
            int a = drawn ? random.nextInt() >> random.nextInt(32) : WORDS[thread / WORDS.length];
            int b = drawn ? random.nextInt() >> random.nextInt(32) : WORDS[thread % WORDS.length];
            before.putInt(12 * thread, a);
            before.putInt(12 * thread + 4, b);
            before.putInt(12 * thread + 8, random.nextInt());
        }
        ByteBuffer after = RareKernel.copy(before);
        for (int thread = 0; thread < 1024; thread++) {
            int a = before.getInt(12 * thread);
            int b = before.getInt(12 * thread + 4);
            int c = before.getInt(12 * thread + 8);
            int at = outputs + 40 * thread;
            for (int i = 0; i < 8; i++) {
                after.putInt(at + 4 * i, packed(a, b, c, i % 2 == 1, 16 >> i / 2));
            }
            int chain = packed(a, b, packed(b, a, 0, true, 4), true, 4);
            after.putInt(at + 32, packed(a, b, chain, false, 4));
            after.putInt(at + 36, packed(packed(a, -1, c, false, 8), a, 0, true, 16));
        }
        return new RareKernel("cvt-pack", 4, 256, before, after);
    }

    /// The bytes of a thread's input, from which every result is put together.
    private record Bytes(ByteBuffer from, int at) {
        /// These bytes, the first the lowest.
        void gather(ByteBuffer to, int target, int... numbers) {
            for (int i = 0; i < numbers.length; i++) {
                to.put(target + i, from.get(at + numbers[i]));
            }
        }
    }

    static RareKernel vectorMoves() {
        int threads = 32;
        int outputs = 16 * threads;
        ByteBuffer before = RareKernel.zeros(outputs + 160 * threads);
        SplittableRandom random = new SplittableRandom(6);
        for (int i = 0; i < outputs; i += 8) {
            before.putLong(i, random.nextLong());
        }
        ByteBuffer after = RareKernel.copy(before);
        for (int thread = 0; thread < threads; thread++) {
            Bytes in = new Bytes(before, 16 * thread);
            int at = outputs + 160 * thread;
            in.gather(after, at, 3, 2, 1, 0);
            in.gather(after, at + 4, 2, 3, 0, 1);
            in.gather(after, at + 8, 1, 0, 3, 3);
            in.gather(after, at + 12, 5, 7, 7, 5);
            in.gather(after, at + 16, 6, 7, 4, 5, 2, 3, 0, 1);
            in.gather(after, at + 24, 12, 13, 14, 15, 8, 9, 10, 11);
            in.gather(after, at + 32, 8, 9, 10, 11, 4, 5, 6, 7);
            in.gather(after, at + 40, 10, 11, 10, 11, 12, 13, 10, 11);
            in.gather(after, at + 48, 12, 13, 10, 11, 12, 13, 10, 11);
            in.gather(after, at + 56, 8, 9, 10, 11, 4, 5, 6, 7);
            in.gather(after, at + 64, 4, 5, 6, 7, 8, 9, 10, 11);
            in.gather(after, at + 72, 12, 13, 14, 15, 0, 1, 2, 3);
            in.gather(after, at + 80, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
            in.gather(after, at + 96, 12, 13, 14, 15, 4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11);
            in.gather(after, at + 112, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
            in.gather(after, at + 128, 10, 11, 12, 13, 10, 11, 12, 13);
            in.gather(after, at + 136, 5, 4, 7, 6, 15, 12);
        }
        return new RareKernel("vector-moves", 1, threads, before, after);
    }

    static RareKernel shortAddresses() {
        int threads = 32;
        ByteBuffer before = RareKernel.zeros(48 * threads);
        ByteBuffer after = RareKernel.copy(before);
        int[] numbers = {70, 80, 90, 100};
        for (int thread = 0; thread < threads; thread++) {
            int at = 48 * thread;
            after.putInt(at, numbers[thread % 4]);
            after.putInt(at + 4, 120);
            after.putInt(at + 8, 110);
            after.putInt(at + 16, 130);
            after.putInt(at + 20, 140);
            after.putInt(at + 24, 80);
            after.putInt(at + 28, 130);
            after.putInt(at + 32, 100);
            after.putInt(at + 36, 1);
            after.putInt(at + 40, thread ^ 1);
            after.putInt(at + 44, thread);
        }
        return new RareKernel("short-addresses", 1, threads, before, after);
    }
}
