package dev.heddle.bench;

import dev.heddle.formats.FloatFormat;
import dev.heddle.sparse.MatrixConversion;
import dev.heddle.sparse.MatrixType;
import dev.heddle.sparse.Pruning;
import dev.heddle.sparse.StorageFormats;
import dev.heddle.sparse.StoredMatrix;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// A whole f16 matrix of 8192 x 8192, 134 MB, from memory to memory on one core: pruned, compressed
/// and reordered; compressed and reordered; expanded. The baseline is a copy of its bytes.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {
            // No thread of the common pool beside the one that measures
            "-Djava.util.concurrent.ForkJoinPool.common.parallelism=0",
            "-XX:ActiveProcessorCount=1",
            "-XX:+UseSerialGC",
            "-Xmx2g"
        })
public class ConversionBenchmark {
    private static final long SEED = 20261122;
    static final MatrixType TYPE = new MatrixType(8192, 8192, FloatFormat.F16);

    @Param({
        "indices",
        "bitmask",
        "cutlass-sm80",
        "cutlass-sm90-k32",
        "cutlass-sm90-k64",
        "cutlass-sm90-k128",
        "cutlass-sm100",
        "torch-cutlass",
        "cusparselt",
        "ptx-m16n8k16",
        "ptx-m16n8k32",
        "wgmma-swizzle128",
        "wgmma-swizzle64",
        "wgmma-swizzle32",
        "wgmma-plain"
    })
    public String format;

    private StoredMatrix dense;
    private StoredMatrix pruned;
    private StoredMatrix compressed;
    private StoredMatrix target;
    private StoredMatrix expanded;

    @Setup
    public void prepare() {
        dense = random();
        target = StoredMatrix.allocate(StorageFormats.named(format), TYPE);
        compressed = StoredMatrix.allocate(StorageFormats.named(format), TYPE);
        expanded = StoredMatrix.allocate(StorageFormats.named("dense"), TYPE);
        pruned = StoredMatrix.allocate(StorageFormats.named("dense"), TYPE);
        new MatrixConversion(dense, compressed, Pruning.MAGNITUDE, _ -> {}).run();
        new MatrixConversion(compressed, pruned).run();
    }

    /// The matrix with random elements of the normal distribution.
    static StoredMatrix random() {
        byte[] bytes = new byte[Math.toIntExact(TYPE.bytes())];
        Random random = new Random(SEED);
        for (int i = 0; i < bytes.length; i += Short.BYTES) {
            short code = Float.floatToFloat16((float) random.nextGaussian());
            bytes[i] = (byte) code;
            bytes[i + 1] = (byte) (code >> Byte.SIZE);
        }
        return StoredMatrix.of(StorageFormats.named("dense"), TYPE, MemorySegment.ofArray(bytes));
    }

    @Benchmark
    public long pruneAndCompress() {
        return new MatrixConversion(dense, target, Pruning.MAGNITUDE, _ -> {}).run();
    }

    @Benchmark
    public long compress() {
        return new MatrixConversion(pruned, target).run();
    }

    @Benchmark
    public long expand() {
        return new MatrixConversion(compressed, expanded).run();
    }

    @Benchmark
    public MemorySegment copy() {
        return expanded.values().copyFrom(dense.values());
    }
}
