package dev.heddle.programs.device;

import dev.heddle.formats.Counted;
import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.programs.device.StreamOrder.Accessed;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.ir.GridDependencies;
import dev.heddle.vm.ir.GridDependencies.Dependency;
import dev.heddle.vm.ir.PerProgram;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.Footprint;
import dev.heddle.vm.memory.Footprint.Common;
import dev.heddle.vm.memory.Footprint.Run;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.report.Finding;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Looks for work of several streams that accesses the same memory, where one of them writes and
/// nothing orders them, and for launches that do so before they wait for the one in front of them,
/// which lets them begin early. The device goes on: the work is done, if not in the order that was
/// meant.
///
/// Launches that may order themselves, by strong operations on the same place (a flag that one
/// stores and the other waits for), are passed over.
final class StreamRaces {
    private static final String NOT_AWAITED =
            ": that one lets it begin early, by griddepcontrol.launch_dependents, and no"
                    + " griddepcontrol.wait stands before the access";

    private final boolean isAsked;
    private final StreamOrder order;
    private final Memory memory;
    private final GlobalMemory global;
    private final ProgramFindings findings;
    private final PerProgram<GridDependencies> dependencies =
            new PerProgram<>(GridDependencies::of);
    private final Set<List<Object>> told = new HashSet<>();

    /// @param checks those of the program
    StreamRaces(
            Set<RuleGroup> checks,
            StreamOrder order,
            Memory memory,
            GlobalMemory global,
            ProgramFindings findings) {
        isAsked = checks.contains(RuleGroup.RACES);
        this.order = order;
        this.memory = memory;
        this.global = global;
        this.findings = findings;
    }

    /// Whether it matters what work accesses.
    boolean areFollowed() {
        return isAsked && order.isFollowed();
    }

    /// A kernel is to be launched.
    void expect(Kernel kernel) {
        if (isAsked && dependency(kernel).startsNext()) {
            order.follow();
        }
    }

    private Dependency dependency(Kernel kernel) {
        return dependencies.of(kernel.program()).of(kernel.code());
    }

    /// The copy or fill that this thread does has accessed memory.
    ///
    /// @param origin what it is, in words
    void look(Supplier<Origin> origin, List<Footprint> footprints) {
        look(new Accessed(Operation.current(), origin, Dependency.NONE, footprints));
    }

    /// The launch that this thread does has accessed memory.
    ///
    /// @param origin what it is, in words
    void look(Supplier<Origin> origin, Kernel kernel, List<Footprint> footprints) {
        look(new Accessed(Operation.current(), origin, dependency(kernel), footprints));
    }

    private void look(Accessed now) {
        Accessed running = order.overlapping(now);
        if (running != null && !maySignal(now, running)) {
            Common common =
                    conflict(now, running, both -> now.dependency().isEarly(both.own().site()));
            if (common != null) {
                tell(now, running, common, Rule.PREREQUISITE_NOT_AWAITED, NOT_AWAITED);
            }
        }
        List<Accessed> others = order.add(now);
        if (others.stream().anyMatch(other -> maySignal(now, other))) {
            return;
        }
        for (Accessed other : others) {
            Common common = conflict(now, other, _ -> true);
            if (common != null) {
                boolean isInGraph = now.operation().stream() == other.operation().stream();
                String where = isInGraph ? "branch of the graph" : "stream";
                String why = " in another %s: neither waits for the other".formatted(where);
                tell(now, other, common, Rule.UNORDERED_STREAMS, why);
            }
        }
    }

    private static boolean maySignal(Accessed one, Accessed other) {
        return one.footprints().stream()
                .anyMatch(own -> other.footprints().stream().anyMatch(own::signals));
    }

    private @Nullable Common conflict(Accessed one, Accessed other, Predicate<Common> matters) {
        int known = Math.min(one.operation().allocations(), other.operation().allocations());
        for (Footprint own : one.footprints()) {
            for (Footprint theirs : other.footprints()) {
                for (Common common : own.conflicts(theirs)) {
                    if (matters.test(common) && isOfProgram(common.from(), known)) {
                        return common;
                    }
                }
            }
        }
        return null;
    }

    /// Whether memory is the program's, and was already when it gave the work: else it was
    /// something else to the one than it was to the other.
    private boolean isOfProgram(long address, int allocations) {
        Memory.Allocation allocation = memory.at(address);
        return allocation == null
                ? global.modules().hold(address)
                : allocation.number() <= allocations;
    }

    /// @param why nothing orders them, behind what the two do
    private void tell(Accessed now, Accessed other, Common common, Rule rule, String why) {
        Origin own = now.origin().get();
        Origin theirs = other.origin().get();
        synchronized (told) {
            if (!told.add(List.of(key(own, common.own()), key(theirs, common.other())))) {
                return;
            }
        }
        Finding finding =
                new Finding(
                        rule,
                        rule.section(),
                        common.own().site(),
                        "%s, %s %s, which %s, %s%s"
                                .formatted(
                                        own.words(),
                                        verb(common.own()),
                                        place(common),
                                        theirs.words(),
                                        verb(common.other()),
                                        why),
                        null,
                        List.of(
                                new Finding.Note(
                                        common.other().site(),
                                        "%s here by %s"
                                                .formatted(
                                                        common.other().isWritten()
                                                                ? "written"
                                                                : "read",
                                                        theirs.whole()))));
        findings.tell(own, finding);
    }

    private static List<Object> key(Origin origin, Run run) {
        return List.of(origin.kernel(), origin.from(), String.valueOf(run.site()), run.isWritten());
    }

    private static String verb(Run run) {
        return run.isWritten() ? "writes" : "reads";
    }

    private String place(Common common) {
        long from = common.from();
        long bytes = common.bytes();
        Buffer buffer = global.at(from);
        String where =
                buffer == null
                        ? ""
                        : " (%s, byte%s)"
                                .formatted(buffer.name(), range(from - buffer.address(), bytes));
        return "%s at global address 0x%x%s".formatted(Counted.bytes(bytes), from, where);
    }

    private static String range(long first, long bytes) {
        return bytes == 1 ? " " + first : "s %d..%d".formatted(first, first + bytes - 1);
    }
}
