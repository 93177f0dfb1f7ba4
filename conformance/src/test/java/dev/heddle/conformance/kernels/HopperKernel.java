package dev.heddle.conformance.kernels;

import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.ir.Extent;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// A kernel for sm_90a drawn from a seed: copies in flight, phases of mbarriers, products of wgmma
/// and what blocks of a cluster do to each other's shared memory, in an order that the manual
/// allows and that fixes every bit of the result.
///
/// @param seed it follows from
/// @param ptx its text
/// @param cluster blocks of a cluster: 1, 2 or 4
/// @param input what the blocks begin with
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HopperKernel(long seed, String ptx, int cluster, byte[] input) {
    /// Buffers that a kernel leaves its results in.
    public static final List<String> RESULTS = List.of("out", "sums", "tensor");

    static final String ENTRY = "hopper";
    static final int CLUSTERS = 2;
    static final int THREADS = 128;

    /// Regions of shared memory and the bytes of each.
    static final int REGIONS = 4;

    static final int REGION = 4096;

    /// What a thread leaves besides its regions: its hash and its accumulators.
    static final int THREAD_WORDS = 40;

    /// Bytes that one operation reduces into, one area for each.
    static final int SUM = 1024;

    /// The tensor that is read: rows of 64 words.
    static final int COLUMNS = 64;

    static final int ROWS = 64;

    /// The boxes of a block in the tensor that is written.
    static final int BOXES = 8;

    static final int BOX_ROWS = 16;
    static final int BOX_COLUMNS = 16;

    private static final int MOST_BLOCKS = 8;
    private static final Format WORD = IntegerFormat.U32;

    /// The kernel of a seed.
    public static HopperKernel of(long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        int cluster = 1 << random.nextInt(3);
        byte[] input = input(random);
        return new HopperKernel(seed, new HopperWriter(random, cluster).write(), cluster, input);
    }

    /// Small numbers of the narrow formats, small integers, and any bits.
    private static byte[] input(RandomGenerator random) {
        ByteBuffer bytes = ByteBuffer.allocate(MOST_BLOCKS * REGIONS * REGION);
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        int kind = random.nextInt(4);
        while (bytes.hasRemaining()) {
            int word = random.nextInt();
            bytes.putInt(
                    switch (kind) {
                        case 0 -> word & 0xbfff_bfff;
                        case 1 -> word & 0xbfbf_bfbf;
                        case 2 -> word & 0x8f0f_0f0f | 0x3000_3000;
                        default -> word;
                    });
        }
        return bytes.array();
    }

    static int sumAreas() {
        return HopperWriter.REDUCTIONS.size();
    }

    private int blocks() {
        return CLUSTERS * cluster;
    }

    /// The kernel, ready to run.
    public Kernel kernel() {
        return Kernel.of(ptx, "hopper-%d.ptx".formatted(seed), ENTRY);
    }

    /// Its launch, with all checks: none of these kernels does what the manual leaves undefined.
    public Launch launch() {
        int perBlock = REGIONS * REGION + THREADS * THREAD_WORDS * Integer.BYTES;
        int tensorRows = blocks() * BOXES * BOX_ROWS;
        return Launch.of(
                        new Extent(blocks(), 1, 1),
                        new Extent(THREADS, 1, 1),
                        Argument.buffer("in", input),
                        Argument.zeros("out", blocks() * perBlock),
                        Argument.zeros("sums", sumAreas() * SUM),
                        map("in", ROWS, List.of(32, 16), 128),
                        map("in", ROWS, List.of(16, 16), 64),
                        map("in", ROWS, List.of(16, 16), 0),
                        map("tensor", tensorRows, List.of(BOX_COLUMNS, BOX_ROWS), 0))
                .with(Argument.zeros("tensor", tensorRows * COLUMNS * Integer.BYTES))
                .cluster(cluster, 1, 1);
    }

    private static Argument map(String buffer, long rows, List<Integer> box, int swizzle) {
        return new Argument.TensorMap(
                new Argument.Address(buffer, 0),
                WORD,
                List.of((long) COLUMNS, rows),
                List.of((long) COLUMNS * Integer.BYTES),
                box,
                List.of(1, 1),
                swizzle,
                0,
                Argument.TensorMap.Fill.ZERO);
    }
}
