package dev.heddle.programs.device;

import dev.heddle.programs.host.HostCode;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.ir.Extent;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What ran in a program, launch by launch and kernel by kernel.
final class RunReport {
    /// Launches that are kept one by one: of a program with a million only the kernels are told.
    static final int MOST_LAUNCHES = 10_000;

    private final HostCode host;
    private final Map<String, Totals> kernels = new LinkedHashMap<>();
    private final List<Launched> launches = new ArrayList<>();
    private long omitted;

    RunReport(HostCode host) {
        this.host = host;
    }

    /// Of all launches of a kernel.
    record Totals(long launches, long instructions, long nanoseconds) {
        Totals plus(Totals other) {
            return new Totals(
                    launches + other.launches,
                    instructions + other.instructions,
                    nanoseconds + other.nanoseconds);
        }

        double seconds() {
            return nanoseconds / 1e9;
        }
    }

    /// A launch that ran.
    private record Launched(
            long number,
            String kernel,
            Launch.Shape shape,
            long from,
            Totals totals,
            String verdict) {}

    synchronized void add(Kernel kernel, Launch launch, long number, long from, Outcome outcome) {
        String name = kernel.code().name();
        Totals one = new Totals(1, outcome.report().total(), outcome.report().nanoseconds());
        kernels.merge(name, one, Totals::plus);
        if (launches.size() == MOST_LAUNCHES) {
            omitted++;
            return;
        }
        String verdict = outcome.isClean() ? "ok" : "failed";
        launches.add(new Launched(number, name, launch.shape(), from, one, verdict));
    }

    /// All kernels, in the order of their first launches.
    synchronized Map<String, Totals> kernels() {
        return new LinkedHashMap<>(kernels);
    }

    /// Its fields, named as those of `heddle run --json`.
    synchronized void into(Map<String, Object> object) {
        Totals all = kernels.values().stream().reduce(new Totals(0, 0, 0), Totals::plus);
        object.put("seconds", all.seconds());
        object.put("thread_instructions", all.instructions);
        List<Object> each = new ArrayList<>();
        kernels.forEach((name, totals) -> each.add(kernel(name, totals)));
        object.put("kernels", each);
        object.put("launches", launches.stream().map(this::launch).toList());
        object.put("launches_omitted", omitted);
    }

    private static Map<String, Object> kernel(String name, Totals totals) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kernel", name);
        fields.put("launches", totals.launches);
        fields.put("seconds", totals.seconds());
        fields.put("thread_instructions", totals.instructions);
        return fields;
    }

    private Map<String, Object> launch(Launched one) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("launch", one.number);
        fields.put("kernel", one.kernel);
        fields.put("launched_by", host.call(one.from).toString());
        fields.put("grid", list(one.shape.grid()));
        fields.put("block", list(one.shape.block()));
        if (one.shape.cluster() != null) {
            fields.put("cluster", list(one.shape.cluster()));
        }
        fields.put("shared", one.shape.dynamicShared());
        fields.put("verdict", one.verdict);
        fields.put("seconds", one.totals.seconds());
        fields.put("thread_instructions", one.totals.instructions);
        return fields;
    }

    private static List<Integer> list(Extent extent) {
        return List.of(extent.x(), extent.y(), extent.z());
    }
}
