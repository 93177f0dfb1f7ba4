package dev.heddle.bench;

import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.ir.Extent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/// The four kernels on which other engines were timed (`anchors.cu`), their launches, and their
/// results as plain Java computes them.
public enum AnchorKernel {
    /// An xorshift and a multiply-add, 1,000 times, in 16,384 threads.
    ALU("alu", new Extent(64, 1, 1), new Extent(256, 1, 1)) {
        @Override
        Argument[] arguments() {
            return new Argument[] {Argument.poison("out", 4L * THREADS), Argument.s32(ITERATIONS)};
        }

        @Override
        IntUnaryOperator expected() {
            return AnchorKernel::alu;
        }
    },
    /// The sum of two vectors of four million elements, in CTAs of 256 threads.
    VADD("vadd", new Extent(16_384, 1, 1), new Extent(256, 1, 1)) {
        @Override
        Argument[] arguments() {
            return new Argument[] {
                Argument.buffer("a", bytes(A)),
                Argument.buffer("b", bytes(B)),
                Argument.poison("out", 4L * LENGTH),
                Argument.s32(LENGTH)
            };
        }

        @Override
        IntUnaryOperator expected() {
            return i -> Float.floatToRawIntBits(A[i] + B[i]);
        }
    },
    /// The product of two 512 x 512 matrices through 16 x 16 tiles in shared memory.
    SGEMM("sgemm", new Extent(32, 32, 1), new Extent(16, 16, 1)) {
        @Override
        Argument[] arguments() {
            return new Argument[] {
                Argument.buffer("a", bytes(java.util.Arrays.copyOf(A, N * N))),
                Argument.buffer("b", bytes(java.util.Arrays.copyOf(B, N * N))),
                Argument.poison("out", 4L * N * N),
                Argument.s32(N)
            };
        }

        @Override
        IntUnaryOperator expected() {
            return AnchorKernel::product;
        }
    },
    /// The Mandelbrot set, 512 x 512, at most 256 iterations: lanes leave their loop apart.
    MANDELBROT("mandel", new Extent(32, 32, 1), new Extent(16, 16, 1)) {
        @Override
        Argument[] arguments() {
            return new Argument[] {
                Argument.poison("out", 4L * N * N), Argument.s32(N), Argument.s32(256)
            };
        }

        @Override
        IntUnaryOperator expected() {
            return AnchorKernel::escape;
        }
    };

    private static final int THREADS = 64 * 256;
    private static final int ITERATIONS = 1000;
    private static final int LENGTH = 1 << 22;
    private static final int N = 512;
    private static final float[] A = random(1);
    private static final float[] B = random(2);

    private final String entry;
    private final Extent grid;
    private final Extent block;

    AnchorKernel(String entry, Extent grid, Extent block) {
        this.entry = entry;
        this.grid = grid;
        this.block = block;
    }

    abstract Argument[] arguments();

    /// The bits of element i of the result.
    abstract IntUnaryOperator expected();

    /// The kernel, parsed and lowered.
    public Kernel kernel() {
        String file = entry + ".ptx";
        try (InputStream text = AnchorKernel.class.getResourceAsStream(file)) {
            return Kernel.of(
                    new String(text.readAllBytes(), StandardCharsets.US_ASCII), file, entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The launch, checks off.
    public Launch launch(int threads) {
        return Launch.of(grid, block, arguments()).withChecks(Set.of()).withThreads(threads);
    }

    /// Runs the kernel and compares every word of its result.
    ///
    /// @return a hash of all words, FNV-1a
    /// @throws IllegalStateException where a word differs
    public long verify(Machine machine, Kernel kernel, Launch launch) {
        Outcome outcome = machine.run(kernel, launch);
        ByteBuffer out = ByteBuffer.wrap(outcome.buffer("out")).order(ByteOrder.LITTLE_ENDIAN);
        IntUnaryOperator expected = expected();
        long hash = 0xcbf2_9ce4_8422_2325L;
        for (int i = 0; i < out.capacity() / 4; i++) {
            if (out.getInt(4 * i) != expected.applyAsInt(i)) {
                throw new IllegalStateException(
                        "%s: element %d is 0x%08x, should be 0x%08x"
                                .formatted(this, i, out.getInt(4 * i), expected.applyAsInt(i)));
            }
            hash = (hash ^ out.getInt(4 * i) & 0xffff_ffffL) * 0x100_0000_01b3L;
        }
        return hash;
    }

    private static int alu(int thread) {
        int x = thread * (int) 2654435761L + 12345;
        float sum = 0;
        for (int i = 0; i < ITERATIONS; i++) {
            x ^= x << 13;
            x ^= x >>> 17;
            x ^= x << 5;
            sum = Math.fma(sum, 0.5f, (float) Integer.toUnsignedLong(x));
        }
        return Float.floatToRawIntBits(sum);
    }

    private static int product(int element) {
        int row = element / N;
        int column = element % N;
        float sum = 0;
        for (int k = 0; k < N; k++) {
            sum = Math.fma(A[row * N + k], B[k * N + column], sum);
        }
        return Float.floatToRawIntBits(sum);
    }

    private static int escape(int element) {
        float step = 3.0f / N;
        float cx = Math.fma((float) (element % N), step, -2.0f);
        float cy = Math.fma((float) (element / N), step, -1.5f);
        float x = 0;
        float y = 0;
        int count = 0;
        while (count < 256) {
            float x2 = x * x;
            float y2 = y * y;
            if (x2 + y2 > 4.0f) {
                break;
            }
            y = Math.fma(x + x, y, cy);
            x = x2 - y2 + cx;
            count++;
        }
        return count;
    }

    private static float[] random(long seed) {
        Random source = new Random(seed);
        float[] values = new float[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            values[i] = source.nextFloat() - 0.5f;
        }
        return values;
    }

    private static byte[] bytes(float[] values) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asFloatBuffer().put(values);
        return buffer.array();
    }
}
