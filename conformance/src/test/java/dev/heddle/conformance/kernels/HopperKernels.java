package dev.heddle.conformance.kernels;

import dev.heddle.cuda.GpuMachine;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.report.Finding;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Runs random Hopper kernels on the interpreter, the compiler and, with `--gpu`, the GPU of this
/// machine, and compares every bit that they leave. No check may find anything.
///
/// `HopperKernels [--kernels 500] [--first-seed 1] [--gpu] [--write FOLDER]`; the exit code is 1
/// where any differ. `--write` keeps the text of kernels that do.
public final class HopperKernels {
    private final Map<String, Machine> machines = new LinkedHashMap<>();
    private final PrintStream out;
    private final List<String> differences = new ArrayList<>();
    private final List<HopperKernel> blamed = new ArrayList<>();

    /// Interpreter and compiler.
    public HopperKernels(PrintStream out) {
        this.out = out;
        machines.put("interpreter", Machine.interpreter(Generation.SM_90));
        machines.put("compiler", Machine.compiler(Generation.SM_90));
    }

    @SuppressWarnings("SystemOut") // the report of a command
    public static void main(String[] arguments) {
        List<String> given = List.of(arguments);
        int kernels = Integer.parseInt(option(given, "--kernels", "500"));
        long seed = Long.parseLong(option(given, "--first-seed", "1"));
        HopperKernels all = new HopperKernels(System.out);
        boolean differs;
        if (given.contains("--gpu")) {
            try (GpuMachine gpu = GpuMachine.open()) {
                all.machines.put(gpu.name(), gpu);
                differs = all.compare(seed, kernels);
            }
        } else {
            differs = all.compare(seed, kernels);
        }
        String folder = option(given, "--write", "");
        if (!folder.isEmpty()) {
            all.write(Path.of(folder));
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
            HopperKernel kernel = HopperKernel.of(seed);
            int before = differences.size();
            compare(kernel);
            if (differences.size() > before) {
                blamed.add(kernel);
            }
        }
        differences.forEach(out::println);
        out.printf(
                "%d Hopper kernels from seed %d: %s; %d differences%n",
                kernels, firstSeed, String.join(", ", machines.keySet()), differences.size());
        return !differences.isEmpty();
    }

    private void compare(HopperKernel random) {
        Kernel kernel = random.kernel();
        Map<String, byte[]> expected = null;
        for (Map.Entry<String, Machine> machine : machines.entrySet()) {
            Outcome outcome = machine.getValue().run(kernel, random.launch());
            if (!outcome.isClean()) {
                Finding finding = outcome.findings().getFirst();
                differences.add(
                        "seed %d: %s: %s: %s"
                                .formatted(
                                        random.seed(),
                                        machine.getKey(),
                                        finding.rule().id(),
                                        finding.message()));
                return;
            }
            Map<String, byte[]> found = new LinkedHashMap<>();
            HopperKernel.RESULTS.forEach(name -> found.put(name, outcome.buffer(name)));
            if (expected == null) {
                expected = found;
            } else {
                compare(random, machine.getKey(), expected, found);
            }
        }
    }

    private void compare(
            HopperKernel random,
            String machine,
            Map<String, byte[]> expected,
            Map<String, byte[]> found) {
        for (String name : HopperKernel.RESULTS) {
            byte[] one = expected.getOrDefault(name, new byte[0]);
            byte[] other = found.getOrDefault(name, new byte[0]);
            int at = java.util.Arrays.mismatch(one, other);
            if (at >= 0) {
                differences.add(
                        "seed %d: interpreter and %s: byte %d of %s (%d blocks a cluster): %02x and %02x"
                                .formatted(
                                        random.seed(),
                                        machine,
                                        at,
                                        name,
                                        random.cluster(),
                                        one[at],
                                        other[at]));
                return;
            }
        }
    }

    private void write(Path folder) {
        try {
            Files.createDirectories(folder);
            for (HopperKernel kernel : blamed) {
                Files.writeString(
                        folder.resolve("hopper-%d.ptx".formatted(kernel.seed())), kernel.ptx());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
