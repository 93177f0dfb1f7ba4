package dev.heddle.cli;

import dev.heddle.cuda.DriverException;
import dev.heddle.cuda.Machines;
import dev.heddle.ptx.check.InvalidModule;
import dev.heddle.vm.launch.KernelCache;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Many launches, one line each, and a total.
final class RunBatch {
    private static final String EQUAL = "equal";
    private static final String REFUSED = "refused";

    private final RunMode mode;
    private final Machines machines;
    private final PrintWriter out;
    private final PrintWriter err;
    private final KernelCache kernels = new KernelCache();
    private final Map<String, Integer> verdicts = new TreeMap<>();
    private final Map<String, Integer> comparisons = new TreeMap<>();
    private final RunReports reports;
    private long elements;
    private long different;

    RunBatch(
            RunMode mode, Machines machines, RunReports reports, PrintWriter out, PrintWriter err) {
        this.reports = reports;
        this.mode = mode;
        this.machines = machines;
        this.out = out;
        this.err = err;
    }

    /// Runs them all.
    ///
    /// @return 0 where all are as expected and compare equal; 2 where a launch was refused
    int run(LaunchSet set) throws IOException {
        long start = System.nanoTime();
        for (LaunchSet.Request request : set.requests()) {
            run(request);
            out.flush();
        }
        for (Path launch : set.skipped()) {
            reports.add(launch.toString(), "skipped", "no module for this target");
            skip(launch);
        }
        total(set, (System.nanoTime() - start) / 1e9);
        return verdicts.containsKey(REFUSED) ? UsageError.CODE : allFine() ? 0 : 1;
    }

    private boolean allFine() {
        return verdicts.keySet().stream().allMatch(verdict -> verdict.equals("ok"))
                && comparisons.keySet().stream().allMatch(EQUAL::equals);
    }

    private void run(LaunchSet.Request request) {
        List<Execution> executions;
        try {
            LaunchPlan plan = request.read(kernels);
            executions = mode.execute(plan, machines, out, err);
            if (executions.getFirst().result().outcome().isClean()) {
                plan.saves().write(executions.getFirst().result());
            }
        } catch (InvalidModule e) {
            verdicts.merge(Rejection.VERDICT, 1, Integer::sum);
            reports.add(request.name(), new Rejection(e));
            reject(request, new Rejection(e));
            return;
        } catch (UsageError
                | IllegalArgumentException
                | IllegalStateException
                | DriverException
                | IOException e) {
            verdicts.merge(REFUSED, 1, Integer::sum);
            String why = ShownPath.in(String.valueOf(e.getMessage()));
            reports.add(request.name(), REFUSED, why);
            refuse(request, why);
            return;
        }
        reports.add(executions);
        List<MachineComparison> compared = RunMode.compare(executions);
        executions.forEach(one -> verdicts.merge(one.result().verdict(), 1, Integer::sum));
        compared.forEach(one -> comparisons.merge(verdict(one), 1, Integer::sum));
        for (MachineComparison one : compared) {
            elements += one.elements();
            different += one.different();
        }
        if (mode.json()) {
            out.println(Json.line(object(executions, compared)));
        } else {
            out.println(line(request, executions, compared));
            details(executions, compared);
        }
    }

    private static Map<String, Object> object(
            List<Execution> executions, List<MachineComparison> compared) {
        Map<String, Object> object =
                new LinkedHashMap<>(new ClosingReport(executions.getFirst()).json());
        if (!compared.isEmpty()) {
            object.put("machines", executions.stream().map(RunBatch::machine).toList());
            object.put("comparisons", compared.stream().map(MachineComparison::json).toList());
        }
        return object;
    }

    private static Map<String, String> machine(Execution one) {
        return Map.of("machine", one.result().machine(), "verdict", one.result().verdict());
    }

    private void refuse(LaunchSet.Request request, String message) {
        if (mode.json()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("launch", request.name());
            object.put("verdict", REFUSED);
            object.put("complaints", List.of(message));
            out.println(Json.line(object));
        } else {
            out.println("%-11s %s: %s".formatted(REFUSED, request.name(), message));
        }
    }

    private void reject(LaunchSet.Request request, Rejection rejection) {
        out.println(
                mode.json()
                        ? Json.line(rejection.json(request.name()))
                        : "%-11s %s: %s"
                                .formatted(
                                        Rejection.VERDICT,
                                        request.name(),
                                        rejection.invalid().getMessage()));
    }

    private void skip(Path launch) {
        if (mode.json()) {
            out.println(Json.line(Map.of("launch", launch.toString(), "verdict", "skipped")));
        } else {
            out.println("%-11s %s: no module for this target".formatted("skipped", launch));
        }
    }

    private static String verdict(MachineComparison comparison) {
        return comparison.agrees() ? EQUAL : comparison.comparable() ? "different" : "not compared";
    }

    private static String line(
            LaunchSet.Request request,
            List<Execution> executions,
            List<MachineComparison> compared) {
        List<String> parts = new ArrayList<>();
        for (Execution execution : executions) {
            String counts = execution.counts();
            parts.add(
                    String.format(
                            Locale.ROOT,
                            "%s%s%s %.3f s",
                            executions.size() > 1 ? execution.result().machine() + " " : "",
                            execution.result().verdict().equals("ok")
                                    ? ""
                                    : execution.result().verdict() + " ",
                            counts.isEmpty() ? "" : counts,
                            execution.result().outcome().report().nanoseconds() / 1e9));
        }
        for (MachineComparison one : compared) {
            parts.add(
                    one.agrees()
                            ? "equal bits"
                            : one.comparable()
                                    ? "%d of %d elements differ"
                                            .formatted(one.different(), one.elements())
                                    : "not compared");
        }
        String verdict =
                compared.isEmpty()
                        ? executions.getFirst().result().verdict()
                        : compared.stream()
                                .map(RunBatch::verdict)
                                .filter(one -> !one.equals(EQUAL))
                                .findFirst()
                                .orElse(EQUAL);
        return "%-11s %s: %s".formatted(verdict, request.name(), String.join("; ", parts));
    }

    private void details(List<Execution> executions, List<MachineComparison> compared) {
        for (Execution execution : executions) {
            for (String complaint : execution.result().complaints()) {
                out.print(complaint.stripTrailing().indent(4));
            }
            for (String warning : execution.warnings()) {
                out.print(warning.stripTrailing().indent(4));
            }
            execution.omissions().forEach(line -> out.println("    " + line));
            execution.advised().forEach(line -> out.println("    " + line));
        }
        for (MachineComparison one : compared) {
            if (one.comparable() && !one.agrees()) {
                one.lines().forEach(line -> out.println("    " + line));
            }
        }
    }

    private void total(LaunchSet set, double seconds) throws IOException {
        if (mode.json()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("launches", set.requests().size());
            object.put("verdicts", verdicts);
            object.put("comparisons", comparisons);
            object.put("elements", elements);
            object.put("different", different);
            object.put("skipped", set.skipped().size());
            object.put("seconds", seconds);
            object.put("unused_suppressions", reports.unused());
            out.println(Json.line(object));
            return;
        }
        List<String> parts = new ArrayList<>();
        verdicts.forEach((verdict, count) -> parts.add(count + " " + verdict));
        if (!set.skipped().isEmpty()) {
            parts.add(set.skipped().size() + " skipped");
        }
        String total =
                String.format(
                        Locale.ROOT,
                        "%d launches in %.1f s, executions: %s",
                        set.requests().size(),
                        seconds,
                        String.join(", ", parts));
        out.println(total);
        if (!comparisons.isEmpty()) {
            List<String> compared = new ArrayList<>();
            comparisons.forEach((verdict, count) -> compared.add(count + " " + verdict));
            out.println(
                    "comparisons: %s; %d of %d elements differ"
                            .formatted(String.join(", ", compared), different, elements));
        }
    }
}
