package dev.heddle.conformance.kernels;

import dev.heddle.cuda.DriverException;
import dev.heddle.cuda.Gpu;
import dev.heddle.cuda.LaunchShape;
import dev.heddle.cuda.Optimization;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.compiler.Compilations;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Runs random kernels on the interpreter, the compiler (lane by lane and by vectors) and, with
/// `--gpu`, on the GPU of this machine, assembled with the driver's optimiser and without, and
/// compares every bit of their outputs.
///
/// `RandomKernels [--kernels 1000] [--first-seed 1] [--only REGEX] [--gpu [--reduce FOLDER]]`; the
/// exit code is 1 where any differ. `--only` takes the kernels in whose text it is found.
/// `--reduce` writes the smallest kernels that the optimiser of the driver's assembler changes.
public final class RandomKernels {
    private final Machine interpreter = Machine.interpreter(Generation.SM_90);
    private final Machine compiler = Machine.compiler(Generation.SM_90);
    private final Machine vectors = Machine.compiler(new Compilations(0), Generation.SM_90);
    private final @Nullable Gpu gpu;
    private final PrintStream out;
    private @Nullable Path reductions;
    private Pattern only = Pattern.compile("");
    private final List<String> differences = new ArrayList<>();
    private final Map<String, Integer> blamed = new TreeMap<>();
    private final Map<String, Integer> byOptimizer = new TreeMap<>();

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
        Pattern only = Pattern.compile(option(given, "--only", ""));
        boolean differs;
        if (given.contains("--gpu")) {
            try (Gpu gpu = Gpu.open()) {
                System.out.println(gpu.description());
                RandomKernels machines = new RandomKernels(gpu, System.out);
                machines.only = only;
                String folder = option(given, "--reduce", "");
                machines.reductions = folder.isEmpty() ? null : Path.of(folder);
                differs = machines.compare(seed, kernels);
            }
        } else {
            RandomKernels machines = new RandomKernels(null, System.out);
            machines.only = only;
            differs = machines.compare(seed, kernels);
        }
        System.exit(differs ? 1 : 0);
    }

    private static String option(List<String> given, String name, String otherwise) {
        int at = given.indexOf(name);
        return at < 0 ? otherwise : given.get(at + 1);
    }

    /// Runs the kernels of consecutive seeds; returns whether any differ.
    public boolean compare(long firstSeed, int kernels) {
        int compared = 0;
        for (long seed = firstSeed; compared < kernels; seed++) {
            RandomKernel kernel = RandomKernel.of(seed);
            if (only.matcher(kernel.ptx()).find()) {
                compare(kernel);
                compared++;
            }
        }
        differences.forEach(out::println);
        blamed.forEach((what, count) -> out.printf("%5d  %s%n", count, what));
        out.printf(
                "%d kernels from seed %d: interpreter, compiler%s; %d differences%n",
                kernels, firstSeed, gpu == null ? "" : ", GPU", differences.size());
        if (!byOptimizer.isEmpty()) {
            out.printf(
                    "with the optimiser of the driver's assembler the GPU differs from itself in %d"
                            + " of them, first in%n",
                    byOptimizer.values().stream().mapToInt(Integer::intValue).sum());
            byOptimizer.forEach((what, count) -> out.printf("%5d  %s%n", count, what));
        }
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
        if (gpu != null) {
            compare(kernel, expected, gpu);
        }
    }

    /// The GPU computes what the manual says where the driver's assembler translates and does no
    /// more; what its optimiser makes of a kernel is reported apart.
    private void compare(RandomKernel kernel, byte[] expected, Gpu device) {
        byte[] measured = launch(kernel, device, Optimization.NONE);
        compare(kernel, "GPU", expected, measured);
        byte[] optimized = launch(kernel, device, Optimization.FULL);
        if (kernel.difference(measured, optimized) < 0) {
            return;
        }
        if (reductions != null) {
            reduce(kernel, device, reductions);
        }
        RandomKernel open = RandomKernel.of(kernel.seed(), true);
        byte[] plain = launch(open, device, Optimization.NONE);
        byte[] changed = launch(open, device, Optimization.FULL);
        int slot = open.difference(plain, changed);
        if (slot < 0) {
            byOptimizer.merge("seen only where no result is stored", 1, Integer::sum);
        } else {
            String what = open.slots().get(slot);
            byOptimizer.merge(what.replaceAll("^@\\S+ |[ ;].*", ""), 1, Integer::sum);
        }
    }

    private void reduce(RandomKernel kernel, Gpu device, Path folder) {
        String difference = changeByOptimizer(kernel, device);
        RandomKernel small =
                new KernelReducer(k -> changeByOptimizer(k, device).equals(difference))
                        .reduce(kernel);
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve("random-%d.ptx".formatted(kernel.seed())),
                    "// %s%n%s".formatted(difference, small.ptx()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The first difference between the GPU without the optimiser and with it, in words, or
    /// nothing.
    private static String changeByOptimizer(RandomKernel kernel, Gpu device) {
        try {
            byte[] plain = launch(kernel, device, Optimization.NONE);
            byte[] changed = launch(kernel, device, Optimization.FULL);
            int slot = kernel.difference(plain, changed);
            return slot < 0 ? "" : kernel.describe(slot, plain, changed);
        } catch (DriverException _) {
            return ""; // does not assemble
        }
    }

    private static byte[] run(RandomKernel kernel, Machine machine, String name) {
        Outcome outcome =
                machine.run(
                        Kernel.of(kernel.ptx(), "random-%d.ptx".formatted(kernel.seed()), ""),
                        kernel.launch().withChecks(Set.of()).withThreads(1));
        if (!outcome.isClean()) {
            throw new IllegalStateException(name + ": " + outcome.findings().getFirst().message());
        }
        return outcome.buffer("out");
    }

    private static byte[] launch(RandomKernel kernel, Gpu gpu, Optimization optimization) {
        byte[] result = new byte[kernel.outputBytes()];
        gpu.launch(
                kernel.ptx(),
                RandomKernel.ENTRY,
                LaunchShape.linear(RandomKernel.CTAS, RandomKernel.THREADS),
                List.of(
                        new Gpu.Argument.Buffer(kernel.input().clone()),
                        new Gpu.Argument.Buffer(result)),
                optimization);
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
