package dev.heddle.bench;

import dev.heddle.tensorcore.functions.Mufu;
import dev.heddle.tensorcore.functions.VectorMufu;

import jdk.incubator.vector.IntVector;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.Random;
import java.util.concurrent.TimeUnit;

/// `ex2.approx.ftz.f32` over an array that stays in the first cache, on one core: elements a
/// second. The launcher's hints are given (`hot-methods`), and taken away.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@OperationsPerInvocation(FunctionBenchmark.ELEMENTS)
public class FunctionBenchmark {
    static final int ELEMENTS = 2048;
    private static final long SEED = 20261122;

    private final int[] in = new int[ELEMENTS];
    private final int[] out = new int[ELEMENTS];

    /// Exponents that neither overflow nor are flushed, as a softmax has them.
    @Setup
    public void fill() {
        Random random = new Random(SEED);
        for (int i = 0; i < ELEMENTS; i++) {
            in[i] = Float.floatToRawIntBits(-40 * random.nextFloat());
        }
    }

    /// Lanes of a vector at once.
    @Benchmark
    @Fork(
            value = 1,
            jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "-XX:+UseSerialGC"})
    public int[] vectors() {
        return all();
    }

    /// The same with the methods of the function inlined whatever their size.
    @Benchmark
    @Fork(
            value = 1,
            jvmArgsAppend = {
                "--add-modules=jdk.incubator.vector",
                "-XX:+UseSerialGC",
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=inline,dev.heddle.tensorcore.functions.VectorMufu::*"
            })
    public int[] vectorsInlined() {
        return all();
    }

    /// One element after the other.
    @Benchmark
    @Fork(
            value = 1,
            jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "-XX:+UseSerialGC"})
    public int[] elements() {
        for (int i = 0; i < ELEMENTS; i++) {
            out[i] = Mufu.ex2(in[i]);
        }
        return out;
    }

    private int[] all() {
        for (int i = 0; i < ELEMENTS; i += VectorMufu.WORDS.length()) {
            VectorMufu.ex2(IntVector.fromArray(VectorMufu.WORDS, in, i)).intoArray(out, i);
        }
        return out;
    }
}
