package dev.heddle.conformance.kernels;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/// Values of 128 bits.
final class WideKernels {
    private static final int INPUT = 32;

    private WideKernels() {}

    /// Two 64-bit halves.
    private record Wide(long low, long high) {
        static Wide at(ByteBuffer buffer, int at) {
            return new Wide(buffer.getLong(at), buffer.getLong(at + 8));
        }

        /// Word 0 is the lowest.
        int word(int number) {
            long half = number < 2 ? low : high;
            return (int) (half >>> 32 * (number % 2));
        }

        static Wide ofWords(int w0, int w1, int w2, int w3) {
            return new Wide(
                    w0 & 0xffff_ffffL | (long) w1 << 32, w2 & 0xffff_ffffL | (long) w3 << 32);
        }

        Wide halvesExchanged() {
            return ofWords(word(2), word(3), word(0), word(1));
        }

        Wide wordsReversed() {
            return ofWords(word(3), word(2), word(1), word(0));
        }

        void put(ByteBuffer buffer, int at) {
            buffer.putLong(at, low);
            buffer.putLong(at + 8, high);
        }
    }

    private static void fill(ByteBuffer buffer, int from, int bytes, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int at = from; at < from + bytes; at += 8) {
            buffer.putLong(at, random.nextLong());
        }
    }

    static RareKernel values() {
        int threads = 32;
        int outputs = threads * INPUT;
        int output = 15 * 16;
        ByteBuffer before = RareKernel.zeros(outputs + threads * output);
        fill(before, 0, outputs, 1);
        ByteBuffer after = RareKernel.copy(before);
        for (int thread = 0; thread < threads; thread++) {
            Wide a = Wide.at(before, thread * INPUT);
            Wide b = Wide.at(before, thread * INPUT + 16);
            Wide neighbour = Wide.at(before, (thread ^ 1) * INPUT + 16);
            Wide q1 = a.halvesExchanged();
            Wide q2 = b.wordsReversed();
            Wide guarded = thread % 2 == 1 ? a : b;
            Wide table = Wide.ofWords(0x5555_5555, 0x6666_6666, 0x7777_7777, 0x8888_8888);
            Wide[] expected = {
                q1,
                q2,
                Wide.ofWords(q1.word(2), q1.word(3), q2.word(0), q2.word(1)),
                Wide.ofWords(q2.word(3), q1.word(2), q1.word(1), q2.word(0)),
                q1.wordsReversed(),
                b,
                neighbour,
                a,
                b,
                thread % 2 == 1 ? a : neighbour,
                table,
                Wide.ofWords(guarded.word(2), guarded.word(3), table.word(0), table.word(1)),
                a,
                a,
                new Wide(5, 0)
            };
            for (int i = 0; i < expected.length; i++) {
                expected[i].put(after, outputs + thread * output + 16 * i);
            }
        }
        return new RareKernel("wide-values", 1, threads, before, after);
    }

    static RareKernel atomics() {
        int ctas = 2;
        int threads = 64;
        int inputs = 64;
        int outputs = inputs + ctas * threads * INPUT;
        int output = 15 * 16;
        ByteBuffer before = RareKernel.zeros(outputs + ctas * threads * output);
        new Wide(-10, 7).put(before, 0);
        fill(before, inputs, outputs - inputs, 2);
        ByteBuffer after = RareKernel.copy(before);
        new Wide(ctas * threads - 10, 8).put(after, 0);
        for (int thread = 0; thread < ctas * threads; thread++) {
            int input = inputs + thread * INPUT;
            Wide a = Wide.at(before, input);
            Wide b = Wide.at(before, input + 16);
            Wide swapped = a.halvesExchanged();
            // In global memory the cell comes first, in shared memory last.
            Wide[] expected = {swapped, a, b, b, b, b, a, b, b, b, b, swapped, a, b, swapped};
            for (int i = 0; i < expected.length; i++) {
                expected[i].put(after, outputs + thread * output + 16 * i);
            }
            // What passed through a CTA's hands.
            int sum = 32 + 16 * (thread / threads);
            after.putLong(sum, after.getLong(sum) + a.low());
            after.putLong(sum + 8, after.getLong(sum + 8) + a.high());
        }
        return new RareKernel("wide-atomics", ctas, threads, before, after);
    }
}
