package dev.heddle.bench;

import dev.heddle.formats.FloatFormat;
import dev.heddle.sparse.MatrixType;
import dev.heddle.sparse.StorageFormats;
import dev.heddle.sparse.StoredMatrix;

import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// What benchmarks of whole sparse matrices share: an f16 matrix of 8192 x 8192, 134 MB, in memory,
/// and one core.
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
public abstract class MatrixBenchmark {
    private static final long SEED = 20261122;
    static final MatrixType TYPE = new MatrixType(8192, 8192, FloatFormat.F16);

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
}
