package dev.heddle.bench;

import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;

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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/// Whole launches of the anchor kernels on the compiler, warm: memory filled, every CTA run, the
/// report made.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 8, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "-XX:+UseSerialGC"})
public class KernelBenchmark {
    @Param AnchorKernel anchor;

    @Param({"1", "2"})
    int threads;

    private Machine machine;
    private Kernel kernel;
    private Launch launch;

    @Setup
    public void prepare() {
        machine = Machine.compiler();
        kernel = anchor.kernel();
        launch = anchor.launch(threads);
    }

    @Benchmark
    public long launch() {
        try (Outcome outcome = machine.run(kernel, launch)) {
            return outcome.report().nanoseconds();
        }
    }

    /// The bits are right, and stay right once the JIT has done its work.
    @TearDown
    public void verify() {
        anchor.verify(machine, kernel, launch);
    }
}
