package dev.heddle.conformance.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.cuda.DriverUnavailableException;
import dev.heddle.cuda.Gpu;
import dev.heddle.cuda.LaunchShape;
import dev.heddle.cuda.Optimization;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.ir.Extent;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Instructions that no kernel of the corpus has, because no compiler emitted them there.
@DisplayName("instructions that compilers seldom emit, on every machine")
final class RareInstructionsTest {
    private static final int SHOWN = 40;

    static Stream<RareKernel> kernels() {
        return Stream.of(
                WideKernels.values(),
                WideKernels.atomics(),
                VectorAtomicKernels.halves(Halves.F16),
                VectorAtomicKernels.halves(Halves.BF16),
                VectorAtomicKernels.floats(),
                HalfAtomics.kernel(),
                HalfComparisons.kernel(),
                OutOfBoundsFma.kernel(),
                MixedProducts.kernel(),
                TypedProducts.kernel(),
                SmallKernels.barrierDrops(),
                SmallKernels.dynamicStack(),
                SmallKernels.packs(),
                SmallKernels.vectorMoves(),
                SmallKernels.shortAddresses(),
                MovementKernel.kernel());
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void theMachinesDoWhatTheManualSays(RareKernel example) throws IOException {
        Kernel kernel = Kernel.of(example.ptx(), example.file() + ".ptx", "kernel");
        Launch launch =
                Launch.of(
                        new Extent(example.ctas(), 1, 1),
                        new Extent(example.threads(), 1, 1),
                        Argument.buffer("data", example.data()));
        for (Machine machine :
                List.of(
                        Machine.interpreter(Generation.SM_90),
                        Machine.compiler(Generation.SM_90),
                        Machine.compiler(new Compilations(0), Generation.SM_90))) {
            Outcome outcome = machine.run(kernel, launch);
            assertThat(outcome.findings()).isEmpty();
            assertThat(differences(example, outcome.buffer("data"))).as(machine.name()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void theGpuDoesToo(RareKernel example) throws IOException {
        try (Gpu gpu = open()) {
            for (Optimization optimization : Optimization.values()) {
                byte[] data = example.data();
                gpu.launch(
                        example.ptx(),
                        "kernel",
                        LaunchShape.linear(example.ctas(), example.threads()),
                        List.of(new Gpu.Argument.Buffer(data)),
                        optimization);
                assertThat(differences(example, data)).as(optimization.name()).isEmpty();
            }
        }
    }

    private static Gpu open() {
        try {
            return Gpu.open();
        } catch (DriverUnavailableException e) {
            return Assumptions.abort("no GPU: " + e.getMessage());
        }
    }

    private static List<String> differences(RareKernel example, byte[] bytes) {
        ByteBuffer found = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        List<String> differences = new ArrayList<>();
        for (int at = 0; at < bytes.length; at += 4) {
            int expected = example.after().getInt(at);
            if (found.getInt(at) != expected && differences.size() < SHOWN) {
                differences.add(
                        "at %d: 0x%08x, not 0x%08x".formatted(at, found.getInt(at), expected));
            }
        }
        return differences;
    }
}
