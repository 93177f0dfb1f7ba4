package dev.heddle.bench;

import dev.heddle.sparse.Pattern;
import dev.heddle.sparse.PruneReport;
import dev.heddle.sparse.Pruner;
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

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// What `heddle prune` does to the matrix of [ConversionBenchmark], report included, on one core.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "-Djava.util.concurrent.ForkJoinPool.common.parallelism=0",
            "-XX:ActiveProcessorCount=1",
            "-XX:+UseSerialGC",
            "-Xmx2g"
        })
public class PruningBenchmark {
    @Param({"2:4", "1:4", "4:8p", "2:4t", "64:2:8"})
    public String pattern;

    private StoredMatrix dense;
    private StoredMatrix target;

    @Setup
    public void prepare() {
        dense = ConversionBenchmark.random();
        target = StoredMatrix.allocate(StorageFormats.named("dense"), ConversionBenchmark.TYPE);
    }

    @Benchmark
    public PruneReport prune() {
        return new Pruner(Pattern.parse(pattern), Optional.empty()).prune(dense, target);
    }
}
