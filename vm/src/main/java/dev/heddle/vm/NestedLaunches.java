package dev.heddle.vm;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Found;
import dev.heddle.vm.report.Report;
import dev.heddle.vm.state.Started;
import dev.heddle.vm.state.Started.Start;
import dev.heddle.vm.state.Started.Work;
import dev.heddle.vm.state.TimeLimit;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Runs what the threads of a grid have started, each with all that it starts itself before the
/// next: a grid is complete only when its children are.
final class NestedLaunches {
    /// How deep launches may be nested on a GPU (CUDA Programming Guide, "Nesting depth").
    static final int MOST_DEEP = 24;

    /// What runs a launch at a depth.
    @FunctionalInterface
    interface Runner {
        Outcome run(Kernel kernel, Launch launch, int depth);
    }

    private final Kernel parent;
    private final Launch launch;
    private final GlobalMemory memory;
    private final Runner runner;
    private Found found = Found.NOTHING;
    private final StringBuilder output = new StringBuilder();
    private final List<Report> reports = new ArrayList<>();

    /// @param parent the kernel whose threads started them
    /// @param launch how it was launched
    NestedLaunches(Kernel parent, Launch launch, GlobalMemory memory, Runner runner) {
        this.parent = parent;
        this.launch = launch;
        this.memory = memory;
        this.runner = runner;
    }

    /// Runs all.
    ///
    /// @param own how the grid itself ended
    /// @param depth of the grid: 0 for one that the host launched
    /// @param time which they share with the grid
    /// @return how all of it ended
    Outcome run(Outcome own, Started started, int depth, TimeLimit time) {
        started.left().forEach(memory::free);
        found = own.found();
        output.append(own.output());
        reports.add(own.report());
        for (Start start : started.inOrder()) {
            switch (start.work()) {
                case Work.Kernel kernel -> run(start, kernel, depth + 1, time.left());
                case Work.Copy(long from, long to, long bytes) -> {
                    MemorySegment source = range(start, from, bytes);
                    MemorySegment target = range(start, to, bytes);
                    if (source != null && target != null) {
                        target.copyFrom(source);
                        memory.markWritten(to, bytes);
                    }
                }
                case Work.Fill(long address, byte value, long bytes) -> {
                    MemorySegment target = range(start, address, bytes);
                    if (target != null) {
                        target.fill(value);
                        memory.markWritten(address, bytes);
                    }
                }
            }
            if (launch.reporting().ends(found)) {
                break;
            }
        }
        return new Outcome(found, Map.of(), output.toString(), Report.sum(reports));
    }

    private @Nullable MemorySegment range(Start start, long address, long bytes) {
        try {
            return memory.range(address, bytes);
        } catch (IllegalArgumentException e) {
            end(start, Finding.ofLaunch(Rule.OUT_OF_BOUNDS, "a copy or fill: " + e.getMessage()));
            return null;
        }
    }

    private void run(Start start, Work.Kernel work, int depth, Duration left) {
        boolean late = left.isNegative() || left.isZero();
        if (depth > MOST_DEEP || late) {
            Rule rule = late ? Rule.TIME_LIMIT_REACHED : Rule.MEMORY_LIMIT_REACHED;
            String message =
                    late
                            ? "no time is left for a kernel that a kernel started"
                            : "kernels started by kernels, more than %d deep".formatted(MOST_DEEP);
            end(start, Finding.ofLaunch(rule, message));
            return;
        }
        Code code = parent.program().codes().get(work.code());
        Kernel kernel = new Kernel(parent.program(), code, parent.source());
        try {
            Outcome outcome = runner.run(kernel, launch(code, work, left), depth);
            output.append(outcome.output());
            reports.add(outcome.report());
            Found child = outcome.found();
            found =
                    found.and(
                            new Found(
                                    started(start, child.findings()),
                                    started(start, child.warnings()),
                                    child.suppressed(),
                                    child.omitted(),
                                    child.complete()));
        } catch (IllegalArgumentException e) {
            end(start, Finding.ofLaunch(Rule.MEMORY_LIMIT_REACHED, String.valueOf(e.getMessage())));
        }
    }

    private Launch launch(Code code, Work.Kernel work, Duration time) {
        List<Argument> arguments = new ArrayList<>();
        for (Code.Parameter parameter : code.parameters()) {
            int from = parameter.offset();
            arguments.add(
                    new Argument.Value(
                            Arrays.copyOfRange(work.parameters(), from, from + parameter.bytes())));
        }
        return new Launch(
                new Launch.Shape(work.grid(), work.block(), null, work.dynamicShared(), false),
                arguments,
                Launch.State.NONE,
                launch.withLimits(launch.limits().withTime(time)).conditions());
    }

    private void end(Start start, Finding finding) {
        found = found.and(Found.ending(List.of(started(start, finding))));
    }

    private List<Finding> started(Start start, List<Finding> findings) {
        return findings.stream().map(finding -> started(start, finding)).toList();
    }

    /// A finding, and who started what was found.
    private Finding started(Start start, Finding finding) {
        List<Finding.Note> notes = new ArrayList<>(finding.notes());
        notes.add(
                new Finding.Note(
                        start.site(),
                        "started here, by CTA %d of %s"
                                .formatted(start.cta(), parent.code().sourceName())));
        return new Finding(
                finding.rule(),
                finding.section(),
                finding.site(),
                finding.message(),
                finding.where(),
                notes,
                finding.count());
    }
}
