package dev.heddle.bench;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.launch.LaunchCheck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The anchor kernels and the sparse product, cold and warm, beside C: `bench/compare` calls it.
///
/// `SpeedComparison REPOSITORY C_TIMES ROUNDS [COMMIT]`, where C_TIMES is what `anchors.c` printed,
/// or an empty file. Every word of every result is compared: with plain Java, and by hash with C.
/// Writes charts into `docs/figures` and a line into `bench/history.jsonl`.
public final class SpeedComparison {
    private static final double SECOND = 1e-9;

    private final Path repository;
    private final Map<String, Reference> references;
    private final int rounds;
    private final List<Row> rows = new ArrayList<>();

    /// What C took, in seconds.
    private record Reference(double best, double median, long hash) {}

    /// What a kernel took, in seconds: the run alone, and the whole launch with memory set up,
    /// buffers copied in and out.
    ///
    /// @param cold the first whole launch of the process
    /// @param checked the best whole launch with all checks
    record Row(
            String name,
            double cold,
            double best,
            double median,
            double launchBest,
            double launchMedian,
            double checked,
            double reference) {}

    private SpeedComparison(Path repository, Map<String, Reference> references, int rounds) {
        this.repository = repository;
        this.references = references;
        this.rounds = rounds;
    }

    public static void main(String[] arguments) throws IOException {
        Path repository = Path.of(arguments[0]);
        SpeedComparison comparison =
                new SpeedComparison(
                        repository,
                        references(Path.of(arguments[1])),
                        Integer.parseInt(arguments[2]));
        for (AnchorKernel anchor : AnchorKernel.values()) {
            comparison.measure(anchor);
        }
        comparison.sparse();
        comparison.print();
        comparison.write(arguments.length > 3 ? arguments[3] : "");
    }

    private static Map<String, Reference> references(Path file) throws IOException {
        Map<String, Reference> found = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] fields = line.split(" ");
            found.put(
                    fields[0],
                    new Reference(
                            Double.parseDouble(fields[1]),
                            Double.parseDouble(fields[2]),
                            Long.parseUnsignedLong(fields[3], 16)));
        }
        return found;
    }

    private void measure(AnchorKernel anchor) {
        Machine machine = Machine.compiler();
        Kernel kernel = anchor.kernel();
        Launch launch = anchor.launch(1);
        Times times = new Times(machine, kernel, launch, rounds);
        long hash = anchor.verify(machine, kernel, launch);
        Reference reference = references.get(anchor.name());
        if (reference != null && reference.hash() != hash) {
            throw new IllegalStateException(anchor + ": C has other bits");
        }
        Times checked =
                new Times(machine, kernel, launch.withChecks(RuleGroup.CHECKS), rounds / 4 + 2);
        rows.add(
                times.row(
                        anchor.name(), checked, reference == null ? Double.NaN : reference.best()));
    }

    /// The sparse f16 product 1024 x 1024 x 1024 on two workers; its result is compared with the
    /// example's reference by the example's own test.
    private void sparse() throws IOException {
        Path folder = repository.resolve("examples/sparse-gemm-f16");
        LaunchCheck check =
                LaunchCheck.read(
                        folder.resolve("launch-1024.json"),
                        folder.resolve("sparse-gemm-f16.compute_80.ptx"));
        Launch launch = check.launches().getFirst().launch().withThreads(2);
        Machine machine = Machine.compiler();
        Times times =
                new Times(machine, check.kernel(), launch.withChecks(Set.of()), rounds / 2 + 1);
        Times checked =
                new Times(
                        machine,
                        check.kernel(),
                        launch.withChecks(RuleGroup.CHECKS),
                        rounds / 8 + 1);
        rows.add(times.row("SPARSE_1024", checked, Double.NaN));
    }

    /// Launches of one kernel, one behind the other.
    private static final class Times {
        private final List<Double> runs = new ArrayList<>();
        private final List<Double> launches = new ArrayList<>();
        private final double first;

        Times(Machine machine, Kernel kernel, Launch launch, int rounds) {
            for (int i = 0; i < rounds; i++) {
                long start = System.nanoTime();
                try (Outcome outcome = machine.run(kernel, launch)) {
                    launches.add((System.nanoTime() - start) * SECOND);
                    runs.add(outcome.report().nanoseconds() * SECOND);
                    if (!outcome.findings().isEmpty()) {
                        throw new IllegalStateException(outcome.findings().toString());
                    }
                }
            }
            first = launches.getFirst();
            // The first launches are part of the warm-up.
            int warm = rounds / 3;
            runs.subList(0, warm).clear();
            launches.subList(0, warm).clear();
            Collections.sort(runs);
            Collections.sort(launches);
        }

        Row row(String name, Times checked, double reference) {
            return new Row(
                    name,
                    first,
                    runs.getFirst(),
                    runs.get(runs.size() / 2),
                    launches.getFirst(),
                    launches.get(launches.size() / 2),
                    checked.launches.getFirst(),
                    reference);
        }
    }

    private void print() {
        System.out.printf(
                "%-12s %9s %9s %9s %9s %9s %9s %9s %7s%n",
                "seconds", "cold", "best", "median", "launch", "median", "checked", "C", "ratio");
        for (Row row : rows) {
            System.out.printf(
                    Locale.ROOT,
                    "%-12s %9.4f %9.4f %9.4f %9.4f %9.4f %9.4f %9.4f %7.1f%n",
                    row.name(),
                    row.cold(),
                    row.best(),
                    row.median(),
                    row.launchBest(),
                    row.launchMedian(),
                    row.checked(),
                    row.reference(),
                    row.best() / row.reference());
        }
    }

    private void write(String commit) throws IOException {
        Files.writeString(repository.resolve("docs/evidence/speed.svg"), SpeedChart.svg(rows));
        StringBuilder line = new StringBuilder();
        line.append("{\"date\":\"%s\",\"commit\":\"%s\"".formatted(LocalDate.now(), commit));
        line.append(",\"cores\":%d".formatted(Runtime.getRuntime().availableProcessors()));
        for (Row row : rows) {
            line.append(
                    String.format(
                            Locale.ROOT,
                            ",\"%s\":{\"cold\":%.4f,\"best\":%.4f,\"median\":%.4f,\"launch\":%.4f,\"checked\":%.4f%s}",
                            row.name().toLowerCase(Locale.ROOT),
                            row.cold(),
                            row.best(),
                            row.median(),
                            row.launchBest(),
                            row.checked(),
                            Double.isNaN(row.reference())
                                    ? ""
                                    : String.format(Locale.ROOT, ",\"c\":%.4f", row.reference())));
        }
        line.append("}\n");
        Files.writeString(
                repository.resolve("bench/history.jsonl"),
                line,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
