package dev.heddle.bench;

import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.launch.LaunchCheck;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/// How the time of a launch grows with its size, and shrinks with workers: the anchor kernels and
/// the sparse f16 product.
///
/// `Scaling REPOSITORY [WORKERS [ROUNDS]]`. The best run of each size with one worker; then that of
/// the largest with 2, 4 and so on workers, whose results are compared with those of one.
public final class Scaling {
    private static final double SECOND = 1e-9;

    private final int workers;
    private final int rounds;

    /// @param work of this size, relative to the first
    private record Size(String name, double work, Kernel kernel, Launch launch, String result) {}

    private Scaling(int workers, int rounds) {
        this.workers = workers;
        this.rounds = rounds;
    }

    public static void main(String[] arguments) throws IOException {
        int workers =
                arguments.length > 1
                        ? Integer.parseInt(arguments[1])
                        : Runtime.getRuntime().availableProcessors();
        Scaling scaling =
                new Scaling(workers, arguments.length > 2 ? Integer.parseInt(arguments[2]) : 10);
        scaling.measure(alu());
        scaling.measure(vadd());
        scaling.measure(sgemm());
        scaling.measure(mandelbrot());
        scaling.measure(sparse(Path.of(arguments[0])));
    }

    private void measure(List<Size> sizes) {
        double first = 0;
        for (Size size : sizes) {
            Machine machine = Machine.compiler();
            Times one = new Times(machine, size, 1, null);
            double relative = size.work() / sizes.getFirst().work();
            first = first == 0 ? one.best : first;
            print(size, 1, one, one.best / first / relative, "of linear");
            if (size == sizes.getLast()) {
                for (int count = 2; count <= workers; count *= 2) {
                    Times many = new Times(machine, size, count, one);
                    print(size, count, many, one.best / many.best, "times one worker");
                }
            }
        }
    }

    private static void print(Size size, int workers, Times times, double ratio, String of) {
        System.out.printf(
                Locale.ROOT,
                "%-22s %2d workers: best %.4f, median %.4f s; %.2f %s%n",
                size.name(),
                workers,
                times.best,
                times.median,
                ratio,
                of);
    }

    /// Runs of one launch, the first third of which warms up.
    private final class Times {
        final double best;
        final double median;
        final byte[] result;

        /// @param other whose result it must have; null for any
        Times(Machine machine, Size size, int workers, @Nullable Times other) {
            Launch launch = size.launch().withThreads(workers);
            List<Double> runs = new ArrayList<>();
            byte[] left = {};
            for (int i = 0; i < rounds; i++) {
                try (Outcome outcome = machine.run(size.kernel(), launch)) {
                    if (i >= rounds / 3) {
                        runs.add(outcome.report().nanoseconds() * SECOND);
                    }
                    left = i == rounds - 1 ? outcome.buffer(size.result()) : left;
                }
            }
            result = left;
            if (other != null && !Arrays.equals(result, other.result)) {
                throw new IllegalStateException(size.name() + ": other bits with " + workers);
            }
            Collections.sort(runs);
            best = runs.getFirst();
            median = runs.get(runs.size() / 2);
        }
    }

    private static List<Size> alu() {
        List<Size> sizes = new ArrayList<>();
        for (int ctas : new int[] {64, 256, 1024, 4096, 16384, 65536}) {
            Launch launch =
                    Launch.grid(ctas)
                            .block(256)
                            .passing(Argument.poison("out", 1024L * ctas), Argument.s32(1000));
            sizes.add(size(ctas + " CTAs", ctas, AnchorKernel.ALU, launch));
        }
        return sizes;
    }

    private static List<Size> vadd() {
        List<Size> sizes = new ArrayList<>();
        for (int million : new int[] {1, 4, 16, 64}) {
            int count = million << 20;
            Launch launch =
                    Launch.grid(count / 256)
                            .block(256)
                            .passing(
                                    floats("a", count, 1),
                                    floats("b", count, 2),
                                    Argument.poison("out", 4L * count),
                                    Argument.s32(count));
            sizes.add(size(million + " M", count, AnchorKernel.VADD, launch));
        }
        return sizes;
    }

    private static List<Size> sgemm() {
        List<Size> sizes = new ArrayList<>();
        for (int n : new int[] {256, 512, 1024, 2048}) {
            Launch launch =
                    Launch.grid(n / 16, n / 16, 1)
                            .block(16, 16, 1)
                            .passing(
                                    floats("a", n * n, 1),
                                    floats("b", n * n, 2),
                                    Argument.poison("out", 4L * n * n),
                                    Argument.s32(n));
            sizes.add(size(n + "^3", Math.pow(n, 3), AnchorKernel.SGEMM, launch));
        }
        return sizes;
    }

    private static List<Size> mandelbrot() {
        List<Size> sizes = new ArrayList<>();
        for (int n : new int[] {512, 1024, 2048, 4096, 8192, 16384}) {
            Launch launch =
                    Launch.grid(n / 16, n / 16, 1)
                            .block(16, 16, 1)
                            .passing(
                                    Argument.poison("out", 4L * n * n),
                                    Argument.s32(n),
                                    Argument.s32(256));
            sizes.add(size(n + "^2", Math.pow(n, 2), AnchorKernel.MANDELBROT, launch));
        }
        return sizes;
    }

    /// Each group of four keeps its first two elements.
    private static List<Size> sparse(Path repository) throws IOException {
        Path folder = repository.resolve("examples/sparse-gemm-f16");
        LaunchCheck check =
                LaunchCheck.read(
                        folder.resolve("launch-1024.json"),
                        folder.resolve("sparse-gemm-f16.compute_80.ptx"));
        List<Size> sizes = new ArrayList<>();
        for (int n : new int[] {256, 512, 1024, 2048, 4096}) {
            byte[] metadata = new byte[n * n / 8];
            Arrays.fill(metadata, (byte) 0x44);
            Launch launch =
                    Launch.grid(n / 64, n / 64, 1)
                            .block(128)
                            .passing(
                                    halves("a", n * n / 2, 1),
                                    Argument.buffer("metadata", metadata),
                                    halves("b", n * n, 3),
                                    Argument.poison("d", 4L * n * n),
                                    Argument.s32(n),
                                    Argument.s32(n));
            sizes.add(
                    new Size(
                            "SPARSE " + n + "^3",
                            Math.pow(n, 3),
                            check.kernel(),
                            unchecked(launch),
                            "d"));
        }
        return sizes;
    }

    private static Size size(String name, double work, AnchorKernel anchor, Launch launch) {
        return new Size(anchor + " " + name, work, anchor.kernel(), unchecked(launch), "out");
    }

    private static Argument floats(String name, int count, long seed) {
        Random source = new Random(seed);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = source.nextFloat() - 0.5f;
        }
        return Argument.of(name, values);
    }

    private static Argument halves(String name, int count, long seed) {
        Random source = new Random(seed);
        short[] codes = new short[count];
        for (int i = 0; i < count; i++) {
            codes[i] = Float.floatToFloat16(source.nextFloat() - 0.5f);
        }
        return Argument.of(name, codes);
    }

    private static Launch unchecked(Launch launch) {
        return launch.withChecks(Set.of());
    }
}
