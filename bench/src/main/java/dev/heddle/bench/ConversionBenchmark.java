package dev.heddle.bench;

import dev.heddle.sparse.MatrixConversion;
import dev.heddle.sparse.Pruning;
import dev.heddle.sparse.StorageFormats;
import dev.heddle.sparse.StoredMatrix;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

import java.lang.foreign.MemorySegment;

/// The matrix from memory to memory: pruned, compressed and reordered; compressed and reordered;
/// expanded. The baseline is a copy of its bytes.
public class ConversionBenchmark extends MatrixBenchmark {
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
