package dev.heddle.vm.collective;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.sanitizer.Sanitizer;
import dev.heddle.vm.shadow.AsyncOperation.Completion.WgmmaGroup;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.RegisterPool;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Four neighbouring warps, the first of which has a number divisible by four: where they meet for
/// `wgmma`, and the products that are under way (PTX ISA 9.7.15).
///
/// A product is computed once all four warps have come to it. Its results are beside the
/// registers until a warp waits for the group that the product belongs to.
public final class Warpgroup {
    /// Warps of a warpgroup.
    public static final int WARPS = WgmmaGroup.WARPS;

    private static final int ALL = (1 << WARPS) - 1;
    private static final int[] NOTHING = {};

    private final Cta cta;
    private final Sanitizer sanitizer;
    private final int first;
    private final WarpgroupUnit unit;
    private final @Nullable Arrival[] arrivals = new Arrival[WARPS];
    private final List<Accumulator> underWay = new ArrayList<>();
    private final int[] committed = new int[WARPS];

    // Of an accumulator that nobody has any more, for the next of its size
    private int[] spare = NOTHING;

    /// A warp that waits for the others.
    public record Arrival(Frame frame, Exit.Synchronize exit) {}

    /// D of one or more products under way.
    private static final class Accumulator {
        final List<Register> registers;
        final Frame[] frames;
        final int[] values;

        /// The group of its last product, of each warp.
        final int[] groups = new int[WARPS];

        /// Warps that have not waited for it.
        int warps = ALL;

        Accumulator(List<Register> registers, Frame[] frames, int[] values) {
            this.registers = registers;
            this.frames = frames;
            this.values = values;
        }

        boolean isOf(List<Register> others, Frame[] where) {
            return registers.equals(others) && java.util.Arrays.equals(frames, where);
        }
    }

    /// The warpgroup whose first warp has this number.
    ///
    /// @param sanitizer the checks of the CTA
    public Warpgroup(Cta cta, int first, Sanitizer sanitizer) {
        this.sanitizer = sanitizer;
        this.cta = cta;
        this.first = first;
        unit = new WarpgroupUnit(cta, sanitizer);
    }

    public void clear() {
        java.util.Arrays.fill(arrivals, null);
        java.util.Arrays.fill(committed, 0);
        underWay.clear();
    }

    /// The warps that wait for others.
    public List<Arrival> waiting() {
        List<Arrival> all = new ArrayList<>();
        for (Arrival arrival : arrivals) {
            if (arrival != null) {
                all.add(arrival);
            }
        }
        return all;
    }

    /// A warp comes to a product: it goes on once all four have.
    void arrive(Frame frame, Exit.Synchronize exit, Collective.MultiplyAsync multiply) {
        requireWhole(frame.warp, exit);
        for (Arrival other : waiting()) {
            if (!other.exit().equals(exit)) {
                throw elsewhere(frame.warp, exit, other);
            }
        }
        arrivals[frame.warp.index() - first] = new Arrival(frame, exit);
        Frame[] frames = new Frame[WARPS];
        for (int warp = 0; warp < WARPS; warp++) {
            Arrival arrival = arrivals[warp];
            if (arrival == null) {
                return;
            }
            frames[warp] = arrival.frame();
        }
        java.util.Arrays.fill(arrivals, null);
        issue(frames, exit, multiply);
        for (Frame each : frames) {
            each.park(exit.next(), -1);
        }
    }

    private void issue(Frame[] frames, Exit.Synchronize exit, Collective.MultiplyAsync multiply) {
        Accumulator accumulator = accumulator(frames, multiply.d());
        unit.multiply(frames, exit.site(), multiply, accumulator.values, committed[0]);
        accumulator.warps = ALL;
        System.arraycopy(committed, 0, accumulator.groups, 0, WARPS);
    }

    /// The accumulator in these registers: as an earlier product leaves it, or as the registers
    /// have it.
    private Accumulator accumulator(Frame[] frames, List<Register> registers) {
        for (Accumulator known : underWay) {
            if (known.isOf(registers, frames)) {
                for (int warp = 0; warp < WARPS; warp++) {
                    if ((known.warps >>> warp & 1) == 0) {
                        WarpgroupUnit.gather(frames[warp], warp, registers, known.values);
                    }
                }
                return known;
            }
        }
        underWay.removeIf(
                known -> {
                    boolean overlaps = !Collections.disjoint(known.registers, registers);
                    if (overlaps) {
                        retire(known, known.warps);
                    }
                    return overlaps;
                });
        int words = 32 * WARPS * registers.size();
        int[] values = spare.length == words ? spare : new int[words];
        spare = NOTHING;
        for (int warp = 0; warp < WARPS; warp++) {
            WarpgroupUnit.gather(frames[warp], warp, registers, values);
        }
        Accumulator made = new Accumulator(registers, frames, values);
        underWay.add(made);
        return made;
    }

    private static void retire(Accumulator accumulator, int warps) {
        for (int warp = 0; warp < WARPS; warp++) {
            if ((warps & accumulator.warps & 1 << warp) != 0) {
                WarpgroupUnit.scatter(
                        accumulator.frames[warp], warp, accumulator.registers, accumulator.values);
            }
        }
        accumulator.warps &= ~warps;
    }

    /// A warp fences, ends a group, or waits.
    void step(Frame frame, Exit.Synchronize exit, Collective.Warpgroup step) {
        requireWhole(frame.warp, exit);
        int warp = frame.warp.index() - first;
        // The lanes come together. DeepGEMM counts on what they did before being over for all of
        // them, which the manual does not say.
        if (cta.shadow() != null) {
            cta.shadow().order().synchronizeWarp(frame.warp.index(), -1);
        }
        switch (step.action()) {
            case FENCE -> sanitizer.warp(first + warp).registersInFlight().fence();
            case COMMIT -> committed[warp]++;
            case WAIT -> waitFor(warp, committed[warp] - step.pending());
        }
    }

    /// A warp changes how many registers it has: it goes on once they are there.
    void set(Frame frame, Exit.Synchronize exit, Collective.SetRegisters step, int mask) {
        sanitizer.setRegisters(frame.warp, exit.site(), step);
        cta.registers().come(new RegisterPool.Request(frame, exit, step, mask));
    }

    /// Groups before this one are over for a warp.
    private void waitFor(int warp, int group) {
        underWay.removeIf(
                accumulator -> {
                    if (accumulator.groups[warp] < group) {
                        retire(accumulator, accumulator.warps & 1 << warp);
                    }
                    if (accumulator.warps == 0) {
                        spare = accumulator.values;
                    }
                    return accumulator.warps == 0;
                });
        unit.waited(first + warp, group - 1);
    }

    private void requireWhole(Warp warp, Exit.Synchronize exit) {
        Warp[] warps = cta.warps();
        int last = first + WARPS - 1;
        for (int i = first; i <= last; i++) {
            if (i >= warps.length || warps[i].initial() != -1) {
                Site site = exit.site();
                int threads = cta.grid().shape().threads();
                String message =
                        "%s executed by warp %d of a CTA of %d threads: its warpgroup, warps %d to %d, is not whole"
                                .formatted(site.mnemonic(), warp.index(), threads, first, last);
                throw warp.faults()
                        .undefined(Rule.PARTIAL_WARPGROUP, site.section(), site, -1, message);
            }
        }
    }

    private static KernelFault elsewhere(Warp warp, Exit.Synchronize exit, Arrival other) {
        Site site = exit.site();
        int elsewhere = other.frame().warp.index();
        return warp.faults()
                .undefined(
                        Rule.WARPGROUP_DIVERGENCE,
                        site.section(),
                        site,
                        -1,
                        "%s executed by warp %d while warp %d of its warpgroup executes another: all warps must execute the same"
                                .formatted(site.mnemonic(), warp.index(), elsewhere),
                        new Finding.Note(
                                other.exit().site(), "warp %d is here".formatted(elsewhere)));
    }
}
