package dev.heddle.vm.scheduling;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.collective.Warpgroup;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.LaneText;
import dev.heddle.vm.sanitizer.SymbolNames;
import dev.heddle.vm.shadow.BarrierLog;
import dev.heddle.vm.state.BarrierObject;
import dev.heddle.vm.state.ClusterBarrier;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.NamedBarrier;
import dev.heddle.vm.state.RegisterPool;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Says what the threads of a CTA wait for that cannot come.
final class Deadlock {
    private static final int MOST_NOTES = 8;

    private final Cta cta;
    private final List<Warpgroup> warpgroups;
    private final MissingRegisters missing;
    private final List<Finding.Note> notes = new ArrayList<>();
    private final Map<Wait, BitSet> waits = new LinkedHashMap<>();
    private @Nullable String section;
    private @Nullable Site first;
    private @Nullable Warp warp;
    private int lanes;

    /// What lanes of one warp do, or the same lanes of several.
    private record Wait(Site site, int lanes, String what) {
        Finding.Note note(BitSet warps) {
            return new Finding.Note(site, LaneText.describe(warps, lanes) + " " + what);
        }
    }

    private Deadlock(Cta cta, List<Warpgroup> warpgroups) {
        this.cta = cta;
        this.warpgroups = warpgroups;
        missing = new MissingRegisters(cta);
    }

    /// Every thread waits at a barrier or for lanes of its warp.
    static KernelFault waiting(Cta cta, List<Warpgroup> warpgroups) {
        Deadlock deadlock = new Deadlock(cta, warpgroups);
        deadlock.registers();
        deadlock.others();
        return deadlock.missing.any()
                ? deadlock.fault(Rule.REGISTERS_NEVER_FREE, deadlock.missing.message())
                : deadlock.fault(Rule.INCOMPLETE_BARRIER, deadlock.incomplete());
    }

    private String incomplete() {
        for (int i = 0; i < cta.barriers().length; i++) {
            NamedBarrier barrier = cta.barriers()[i];
            if (!barrier.waiting().isEmpty()) {
                int expected = barrier.expected(cta.alive());
                return "barrier %d waits for %d threads, %d of the CTA's %d have arrived, and no thread is left that will come"
                        .formatted(i, expected, barrier.arrived(), cta.grid().shape().threads());
            }
        }
        for (Warp each : cta.warps()) {
            if (each.waiters().size() > 1) {
                return apart(each);
            }
        }
        return "every thread that is left waits for others";
    }

    /// Lanes of a warp wait for one another in instructions in which they do not meet.
    private String apart(Warp where) {
        section = where.waiters().getFirst().site.section();
        String waits =
                where.waiters().stream()
                        .limit(MOST_NOTES)
                        .map(
                                waiter ->
                                        LaneText.describe(waiter.mask)
                                                + " in "
                                                + instruction(waiter))
                        .collect(Collectors.joining(", "));
        return "lanes of warp %d wait for one another, %s: %s"
                .formatted(
                        where.index(),
                        waits,
                        cta.grid().program().meetsAcrossPlaces()
                                ? "they meet only in an instruction with the same qualifiers and"
                                        + " member mask"
                                : "before sm_70 all must execute the same instruction together");
    }

    private static String instruction(Warp.Waiter waiter) {
        if (waiter.joint instanceof Collective.Masked joint && joint.members() != null) {
            int lane = Integer.numberOfTrailingZeros(waiter.mask);
            int members = (int) waiter.frame.value(joint.members(), lane);
            return "%s with mask 0x%08x".formatted(waiter.site.mnemonic(), members);
        }
        return waiter.site.mnemonic();
    }

    /// Some threads spin, and whatever they look at stays as it is.
    static KernelFault spinning(Cta cta, List<Warpgroup> warpgroups) {
        Deadlock deadlock = new Deadlock(cta, warpgroups);
        deadlock.registers();
        boolean lacksRegisters = deadlock.missing.any();
        Rule rule = lacksRegisters ? Rule.REGISTERS_NEVER_FREE : Rule.ENDLESS_SPIN;
        String message = lacksRegisters ? deadlock.missing.message() : "";
        for (Warp each : cta.warps()) {
            Warp.Spin spin = each.isDone() ? null : each.spinning();
            if (spin == null) {
                continue;
            }
            if (message.isEmpty()) {
                deadlock.blame(spin.site(), each, spin.lanes());
                boolean object = spin.site().kind() == InstructionKind.MEMORY_BARRIER;
                rule = object ? Rule.MBARRIER_NEVER_COMPLETES : rule;
                message = deadlock.describe(each, spin);
            } else {
                deadlock.note(spin.site(), each, spin.lanes(), "spin here too");
            }
        }
        deadlock.others();
        return deadlock.fault(rule, message);
    }

    private String describe(Warp spinner, Warp.Spin spin) {
        String who =
                "%s of warp %d spin%s on "
                        .formatted(
                                LaneText.describe(spin.lanes()),
                                spinner.index(),
                                Integer.bitCount(spin.lanes()) == 1 ? "s" : "");
        boolean object = spin.site().kind() == InstructionKind.MEMORY_BARRIER;
        long address = addressOf(spin);
        String place =
                "%s address 0x%x%s"
                        .formatted(
                                object ? "the mbarrier at shared" : spin.space().word(),
                                address,
                                new SymbolNames(spinner)
                                        .inVariable(spin.space(), address, object ? 8 : 0));
        if (!object) {
            return who + place + ", and no thread is left that will change it";
        }
        BarrierLog log = cta.barrierLog();
        if (log != null) {
            notes.addAll(log.notes(spin.offset()));
        }
        return who
                + place
                + ", whose phase cannot end: %s, and no thread is left that will come"
                        .formatted(BarrierObject.at(cta.shared(), spin.offset()).describe());
    }

    private static long addressOf(Warp.Spin spin) {
        return spin.space() == Space.GLOBAL ? spin.offset() + Addresses.GLOBAL : spin.offset();
    }

    /// Warps that wait for registers come first: for them whoever else waits may do so.
    private void registers() {
        if (!missing.any()) {
            return;
        }
        for (RegisterPool.Request request : cta.registers().waiting()) {
            note(
                    request.site(),
                    request.warp(),
                    request.mask(),
                    "wait for %d registers more each".formatted(cta.registers().more(request)));
        }
        notes.addAll(missing.owners());
    }

    private void others() {
        barriers();
        meetings();
        warpgroups();
        clusterBarrier();
    }

    private void barriers() {
        int alive = cta.alive();
        for (int i = 0; i < cta.barriers().length; i++) {
            NamedBarrier barrier = cta.barriers()[i];
            for (NamedBarrier.Arrival arrival : barrier.waiting()) {
                note(
                        arrival.site(),
                        arrival.frame().warp,
                        arrival.mask(),
                        "wait at barrier %d, which has %d of %d threads"
                                .formatted(i, barrier.arrived(), barrier.expected(alive)));
            }
        }
    }

    private void meetings() {
        for (Warp each : cta.warps()) {
            for (Warp.Waiter waiter : each.waiters()) {
                note(
                        waiter.site,
                        each,
                        waiter.mask,
                        "wait for %s of their warp"
                                .formatted(LaneText.describe(each.live() & ~waiter.mask)));
            }
        }
    }

    private void clusterBarrier() {
        ClusterBarrier barrier = cta.cluster().barrier();
        for (ClusterBarrier.Waiting each : barrier.waiting()) {
            note(
                    each.exit().site(),
                    each.frame().warp,
                    each.mask(),
                    "wait at the barrier of the cluster, which has %d of %d threads"
                            .formatted(barrier.arrived(), cta.cluster().alive()));
        }
    }

    private void warpgroups() {
        for (Warpgroup warpgroup : warpgroups) {
            for (Warpgroup.Arrival arrival : warpgroup.waiting()) {
                note(
                        arrival.exit().site(),
                        arrival.frame().warp,
                        -1,
                        "wait for the other warps of their warpgroup");
            }
        }
    }

    private void ended() {
        int ended = cta.grid().shape().threads() - cta.alive();
        if (ended > 0) {
            String threads =
                    ended == 1 ? "1 thread of the CTA has" : ended + " threads of the CTA have";
            notes.add(new Finding.Note(null, threads + " ended"));
        }
    }

    private void blame(Site site, Warp blamed, int mask) {
        if (first == null) {
            first = site;
            warp = blamed;
            lanes = mask;
        }
    }

    private void note(Site site, Warp where, int mask, String what) {
        blame(site, where, mask);
        waits.computeIfAbsent(new Wait(site, mask, what), wait -> new BitSet()).set(where.index());
    }

    private KernelFault fault(Rule rule, String message) {
        Warp blamed = warp == null ? cta.warps()[0] : warp;
        List<Finding.Note> all = new ArrayList<>();
        waits.forEach((wait, warps) -> all.add(wait.note(warps)));
        notes.addAll(Finding.Note.first(MOST_NOTES, all));
        ended();
        return blamed.faults()
                .fault(
                        rule,
                        section == null ? rule.section() : section,
                        first,
                        lanes == 0 ? blamed.live() : lanes,
                        message,
                        notes.toArray(Finding.Note[]::new));
    }
}
