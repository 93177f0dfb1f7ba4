package dev.heddle.conformance.kernels;

import dev.heddle.vm.Argument;
import dev.heddle.vm.Launch;
import dev.heddle.vm.ir.Extent;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// A kernel drawn from a seed, with its input.
///
/// @param seed it follows from
/// @param ptx its text
/// @param slots what is in each 64-bit slot of a thread's output
/// @param input the bits every thread loads its registers from
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RandomKernel(long seed, String ptx, List<String> slots, byte[] input) {
    /// The name of the entry.
    public static final String ENTRY = "random";

    /// CTAs and threads of each.
    public static final int CTAS = 2;

    public static final int THREADS = 64;

    static final int INPUT_BYTES = 112;

    private static final long[] SPECIAL = {
        0L,
        0x8000_0000_8000_0000L,
        0x7f80_0000_ff80_0000L,
        0x7fc0_0000_7fff_ffffL,
        0x0000_0001_807f_ffffL,
        0x3f80_0000_bf80_0000L,
        0x7f7f_ffff_0080_0000L,
        0x7ff0_0000_0000_0000L,
        0xfff8_0000_0000_0000L,
        0x000f_ffff_ffff_ffffL,
        0x3ff0_0000_0000_0000L,
        0x7fff_ffff_ffff_ffffL,
        0x7c00_fc00_7e00_0001L,
        0x3c00_bc00_03ff_7bffL,
        -1L
    };

    /// The kernel of a seed: every other seed's kernel stores each result.
    public static RandomKernel of(long seed) {
        return of(seed, seed % 2 == 0);
    }

    /// The kernel of a seed.
    ///
    /// @param everyResult whether the result of each instruction is stored
    public static RandomKernel of(long seed, boolean everyResult) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        byte[] input = input(random);
        KernelWriter writer = new KernelWriter(random, everyResult);
        String ptx = writer.write();
        return new RandomKernel(seed, ptx, writer.slots(), input);
    }

    private static byte[] input(RandomGenerator random) {
        ByteBuffer bytes =
                ByteBuffer.allocate(CTAS * THREADS * INPUT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            bytes.putLong(
                    switch (random.nextInt(8)) {
                        case 0 -> SPECIAL[random.nextInt(SPECIAL.length)];
                        case 1 -> random.nextInt(64) - 32L;
                        case 2 -> Double.doubleToRawLongBits(random.nextGaussian());
                        case 3, 4 ->
                                (long) Float.floatToRawIntBits((float) random.nextGaussian()) << 32
                                        | Float.floatToRawIntBits((float) random.nextGaussian())
                                                & 0xffff_ffffL;
                        default -> random.nextLong();
                    });
        }
        return bytes.array();
    }

    /// The lines of the kernel's own statements: from the first behind the prologue to the last.
    List<String> body() {
        List<String> lines = ptx.lines().toList();
        return lines.subList(first(lines), lines.size() - 2);
    }

    /// The same kernel with other statements.
    RandomKernel withBody(List<String> body) {
        List<String> lines = ptx.lines().toList();
        List<String> all = new ArrayList<>(lines.subList(0, first(lines)));
        all.addAll(body);
        all.addAll(lines.subList(lines.size() - 2, lines.size()));
        return new RandomKernel(seed, String.join("\n", all) + "\n", slots, input);
    }

    private static int first(List<String> lines) {
        int at = 0;
        while (!lines.get(at).strip().equals(KernelWriter.LAST_OF_PROLOGUE)) {
            at++;
        }
        return at + 1;
    }

    /// The bytes of the output.
    public int outputBytes() {
        return CTAS * THREADS * slots.size() * Long.BYTES;
    }

    /// Its launch.
    public Launch launch() {
        return Launch.of(
                new Extent(CTAS, 1, 1),
                new Extent(THREADS, 1, 1),
                Argument.buffer("in", input),
                Argument.zeros("out", outputBytes()));
    }

    /// The first slot in which two outputs differ, or -1.
    int difference(byte[] one, byte[] other) {
        int first = -1;
        for (int at = 0; at < one.length; at++) {
            if (one[at] != other[at]) {
                int slot = at / Long.BYTES % slots.size();
                first = first < 0 ? slot : Math.min(first, slot);
            }
        }
        return first;
    }

    /// A slot's bits in the first thread where two outputs differ, in words.
    String describe(int slot, byte[] one, byte[] other) {
        ByteBuffer left = ByteBuffer.wrap(one).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer right = ByteBuffer.wrap(other).order(ByteOrder.LITTLE_ENDIAN);
        for (int thread = 0; thread < CTAS * THREADS; thread++) {
            int at = (thread * slots.size() + slot) * Long.BYTES;
            if (left.getLong(at) != right.getLong(at)) {
                return "thread %d, %s: 0x%016x and 0x%016x"
                        .formatted(thread, slots.get(slot), left.getLong(at), right.getLong(at));
            }
        }
        throw new IllegalArgumentException("slot " + slot + " does not differ");
    }
}
