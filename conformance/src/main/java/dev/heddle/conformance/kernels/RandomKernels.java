package dev.heddle.conformance.kernels;

import dev.heddle.cuda.Gpu;
import dev.heddle.cuda.LaunchShape;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.compiler.Compilations;

import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Runs random kernels on the interpreter, the compiler (lane by lane and by
/// vectors) and, with `--gpu`, on the GPU of this
/// machine, and compares every bit of their outputs.
///
/// `RandomKernels [--kernels 1000] [--first-seed 1] [--gpu]`; the exit code is 1 where any
/// differ.
public final class RandomKernels {
    private final Machine interpreter = Machine.interpreter();
    private final Machine compiler = Machine.compiler();
    private final Machine vectors = Machine.compiler(new Compilations(0));
    private final @Nullable Gpu gpu;
    private final PrintStream out;
    private final List<String> differences = new ArrayList<>();
    private final Map<String, Integer> blamed = new TreeMap<>();

    /// Machines to compare.
    ///
    /// @param gpu or null
    public RandomKernels(@Nullable Gpu gpu, PrintStream out) {
        this.gpu = gpu;
        this.out = out;
    }

    @SuppressWarnings("SystemOut") // the report of a command
    public static void main(String[] arguments) {
        List<String> given = List.of(arguments);
        int kernels = Integer.parseInt(option(given, "--kernels", "1000"));
        long seed = Long.parseLong(option(given, "--first-seed", "1"));
        boolean differs;
        if (given.contains("--gpu")) {
            try (Gpu gpu = Gpu.open()) {
                System.out.println(gpu.description());
                differs = new RandomKernels(gpu, System.out).compare(seed, kernels);
            }
        } else {
            differs = new RandomKernels(null, System.out).compare(seed, kernels);
        }
        System.exit(differs ? 1 : 0);
    }

    private static String option(List<String> given, String name, String otherwise) {
        int at = given.indexOf(name);
        return at < 0 ? otherwise : given.get(at + 1);
    }

    /// Runs the kernels of consecutive seeds; returns whether any differ.
    public boolean compare(long firstSeed, int kernels) {
        for (long seed = firstSeed; seed < firstSeed + kernels; seed++) {
            compare(RandomKernel.of(seed));
        }
        differences.forEach(out::println);
        blamed.forEach((what, count) -> out.printf("%5d  %s%n", count, what));
        out.printf(
                "%d kernels from seed %d: interpreter, compiler%s; %d differences%n",
                kernels, firstSeed, gpu == null ? "" : ", GPU", differences.size());
        return !differences.isEmpty();
    }

    private void compare(RandomKernel kernel) {
        byte[] expected;
        try {
            expected = run(kernel, interpreter, "interpreter");
            compare(kernel, "compiler", expected, run(kernel, compiler, "compiler"));
            compare(kernel, "vectors", expected, run(kernel, vectors, "vectors"));
        } catch (IllegalArgumentException | IllegalStateException e) {
            note(kernel, "fails", String.valueOf(e.getMessage()));
            return;
        }
        Gpu device = gpu;
        if (device == null) {
            return;
        }
        byte[] measured = launch(kernel, device);
        if (kernel.difference(expected, measured) >= 0 && kernel.seed() % 2 != 0) {
            // The same kernel with every result stored names the instruction.
            RandomKernel open = RandomKernel.of(kernel.seed(), true);
            byte[] openMeasured = launch(open, device);
            byte[] openExpected = run(open, interpreter, "interpreter");
            if (open.difference(openExpected, openMeasured) >= 0) {
                compare(open, "GPU", openExpected, openMeasured);
                return;
            }
        }
        compare(kernel, "GPU", expected, measured);
    }

    private static byte[] run(RandomKernel kernel, Machine machine, String name) {
        Outcome outcome =
                machine.run(
                        Kernel.of(kernel.ptx(), "random-%d.ptx".formatted(kernel.seed()), ""),
                        kernel.launch().withChecking(Launch.Checking.NONE).withThreads(1));
        if (!outcome.isClean()) {
            throw new IllegalStateException(name + ": " + outcome.findings().getFirst().message());
        }
        return outcome.buffer("out");
    }

    private static byte[] launch(RandomKernel kernel, Gpu gpu) {
        byte[] result = new byte[kernel.outputBytes()];
        gpu.launch(
                kernel.ptx(),
                RandomKernel.ENTRY,
                LaunchShape.linear(RandomKernel.CTAS, RandomKernel.THREADS),
                List.of(
                        new Gpu.Argument.Buffer(kernel.input().clone()),
                        new Gpu.Argument.Buffer(result)));
        return result;
    }

    private void compare(RandomKernel kernel, String machine, byte[] expected, byte[] found) {
        int slot = kernel.difference(expected, found);
        if (slot >= 0) {
            note(
                    kernel,
                    machine + ": " + kernel.slots().get(slot).replaceAll("[ ;].*", ""),
                    "interpreter and %s, slot %d, %s"
                            .formatted(machine, slot, kernel.describe(slot, expected, found)));
        }
    }

    private void note(RandomKernel kernel, String what, String message) {
        differences.add("seed %d: %s".formatted(kernel.seed(), message));
        blamed.merge(what, 1, Integer::sum);
    }
}
