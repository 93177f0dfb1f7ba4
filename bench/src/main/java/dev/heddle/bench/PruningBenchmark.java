package dev.heddle.bench;

import dev.heddle.sparse.Pattern;
import dev.heddle.sparse.PruneReport;
import dev.heddle.sparse.Pruner;
import dev.heddle.sparse.StorageFormats;
import dev.heddle.sparse.StoredMatrix;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

import java.util.Optional;

/// What `heddle prune` does to the matrix, report included.
public class PruningBenchmark extends MatrixBenchmark {
    @Param({"2:4", "1:4", "4:8p", "2:4t", "64:2:8"})
    public String pattern;

    private StoredMatrix dense;
    private StoredMatrix target;

    @Setup
    public void prepare() {
        dense = random();
        target = StoredMatrix.allocate(StorageFormats.named("dense"), TYPE);
    }

    @Benchmark
    public PruneReport prune() {
        return new Pruner(Pattern.parse(pattern), Optional.empty()).prune(dense, target);
    }
}
