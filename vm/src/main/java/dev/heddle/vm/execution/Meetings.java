package dev.heddle.vm.execution;

import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Joint;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Lanes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where lanes of a warp meet: who must be there, who waits, and what happens once all have come.
public final class Meetings {
    private final Warp warp;
    private final WarpUnit unit;

    Meetings(Warp warp) {
        this.warp = warp;
        unit = new WarpUnit(warp);
    }

    void indexedBranch(Frame frame, Exit.IndexedBranch branch, int mask) {
        int lanes = frame.where(branch.guard(), mask);
        if (lanes != mask) {
            frame.park(branch.next(), mask & ~lanes);
        }
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            long index = frame.value(branch.index(), lane);
            if (index >= branch.targets().size()) {
                throw warp.faults()
                        .undefined(
                                "brx-index-in-range",
                                "9.7.12.4",
                                branch.site(),
                                1 << lane,
                                "index %d of %d targets".formatted(index, branch.targets().size()));
            }
            frame.park(branch.targets().get((int) index), 1 << lane);
        }
    }

    /// Lanes arrive at a joint: done at once if all are there, else they wait.
    public void arrive(Frame frame, Exit.Synchronize exit, int mask) {
        int lanes = frame.where(exit.guard(), mask);
        if (lanes != mask) {
            frame.park(exit.next(), mask & ~lanes);
        }
        if (lanes == 0) {
            return;
        }
        Warp.Waiter waiter = waiterAt(frame, exit);
        int together = lanes;
        if (waiter != null) {
            together |= waiter.mask;
            warp.waiters().remove(waiter);
        }
        int left = attempt(frame, exit, together);
        if (left != 0) {
            warp.waiters()
                    .add(
                            new Warp.Waiter(
                                    frame, blockOf(frame, exit), exit.site(), exit.joint(), left));
        }
    }

    private Warp.@Nullable Waiter waiterAt(Frame frame, Exit.Synchronize exit) {
        for (Warp.Waiter waiter : warp.waiters()) {
            if (waiter.frame == frame && waiter.site.equals(exit.site())) {
                return waiter;
            }
        }
        return null;
    }

    private static int blockOf(Frame frame, Exit.Synchronize exit) {
        for (var block : frame.code.blocks()) {
            if (block.exit() instanceof Exit.Synchronize other
                    && other.site().equals(exit.site())) {
                return block.number();
            }
        }
        throw new IllegalStateException("a joint that is in no block");
    }

    private static Exit.Synchronize exitOf(Warp.Waiter waiter) {
        if (waiter.frame.code.blocks().get(waiter.block).exit() instanceof Exit.Synchronize exit) {
            return exit;
        }
        throw new IllegalStateException("a waiter before no joint");
    }

    /// Lanes may have ended since: waiters that lack nobody now go on. Returns whether any did.
    boolean retry() {
        boolean any = false;
        for (Warp.Waiter waiter : new ArrayList<>(warp.waiters())) {
            int left = attempt(waiter.frame, exitOf(waiter), waiter.mask);
            any |= left != waiter.mask;
            waiter.mask = left;
        }
        warp.waiters().removeIf(waiter -> waiter.mask == 0);
        return any || joinDistant();
    }

    /// `bar.warp.sync` at several places with the same members completes as one.
    private boolean joinDistant() {
        for (Warp.Waiter waiter : warp.waiters()) {
            if (!(waiter.joint instanceof Joint.WarpBarrier(Source members))) {
                continue;
            }
            int wanted =
                    (int) waiter.frame.value(members, Integer.numberOfTrailingZeros(waiter.mask))
                            & warp.live();
            int present = 0;
            for (Warp.Waiter other : warp.waiters()) {
                present |= other.joint instanceof Joint.WarpBarrier ? other.mask : 0;
            }
            if ((wanted & ~present) == 0) {
                for (Warp.Waiter other : new ArrayList<>(warp.waiters())) {
                    if (other.joint instanceof Joint.WarpBarrier) {
                        int gone = other.mask & wanted;
                        other.frame.park(exitOf(other).next(), gone);
                        other.mask &= ~gone;
                    }
                }
                ordered();
                warp.waiters().removeIf(other -> other.mask == 0);
                return true;
            }
        }
        return false;
    }

    /// No lane of the warp can go on: lanes that wait at an aligned instruction for lanes that
    /// wait elsewhere are divergent.
    boolean settle() {
        for (Warp.Waiter waiter : new ArrayList<>(warp.waiters())) {
            int missing = warp.live() & ~waiter.mask;
            if (isAligned(waiter.joint) && missing != 0) {
                if (warp.cta().grid().checked()
                        || !(waiter.joint instanceof Joint.Barrier barrier)) {
                    throw divergent(waiter, missing);
                }
                warp.waiters().remove(waiter);
                barrier(waiter.frame, exitOf(waiter), barrier, waiter.mask);
                return true;
            }
        }
        return false;
    }

    private dev.heddle.vm.report.KernelFault divergent(Warp.Waiter waiter, int missing) {
        List<Finding.Note> notes = new ArrayList<>();
        for (Warp.Waiter other : warp.waiters()) {
            if (other != waiter) {
                notes.add(
                        new Finding.Note(
                                other.site, Lanes.describe(other.mask) + " wait here instead"));
            }
        }
        String name = waiter.site.instruction().mnemonic();
        return warp.faults()
                .undefined(
                        waiter.joint instanceof Joint.Barrier
                                ? "barrier-aligned"
                                : "aligned-all-lanes",
                        waiter.joint instanceof Joint.Barrier ? "9.7.13.1" : "9.7.14",
                        waiter.site,
                        waiter.mask,
                        "%s must be executed by all lanes of the warp together; %s did not come"
                                .formatted(name, Lanes.describe(missing)),
                        notes.toArray(Finding.Note[]::new));
    }

    private static boolean isAligned(Joint joint) {
        return switch (joint) {
            case Joint.Barrier barrier -> barrier.aligned();
            case Joint.Multiply _,
                    Joint.LoadMatrix _,
                    Joint.StoreMatrix _,
                    Joint.TransposeMatrix _ ->
                    true;
            case Joint.WarpBarrier _,
                    Joint.Shuffle _,
                    Joint.Vote _,
                    Joint.Match _,
                    Joint.Reduce _,
                    Joint.Elect _ ->
                    false;
        };
    }

    private static @Nullable Source members(Joint joint) {
        return switch (joint) {
            case Joint.WarpBarrier(Source members) -> members;
            case Joint.Shuffle shuffle -> shuffle.members();
            case Joint.Vote vote -> vote.members();
            case Joint.Match match -> match.members();
            case Joint.Reduce reduce -> reduce.members();
            case Joint.Elect elect -> elect.members();
            case Joint.Barrier _,
                    Joint.Multiply _,
                    Joint.LoadMatrix _,
                    Joint.StoreMatrix _,
                    Joint.TransposeMatrix _ ->
                    null;
        };
    }

    /// Does what can be done with the lanes that are here; returns those that must wait.
    private int attempt(Frame frame, Exit.Synchronize exit, int mask) {
        Joint joint = exit.joint();
        if (joint instanceof Joint.Barrier barrier) {
            if (barrier.aligned() && (warp.live() & ~mask) != 0) {
                return mask;
            }
            barrier(frame, exit, barrier, mask);
            return 0;
        }
        if (isAligned(joint)) {
            if ((warp.live() & ~mask) != 0) {
                return mask;
            }
            requireFullWarp(exit.site(), mask);
            unit.matrix(frame, exit.site(), joint, mask);
            frame.park(exit.next(), mask);
            return 0;
        }
        Source members = members(joint);
        if (members == null) {
            unit.exchange(frame, exit.site(), joint, mask);
            frame.park(exit.next(), mask);
            return 0;
        }
        return attemptMembers(frame, exit, members, mask);
    }

    private int attemptMembers(Frame frame, Exit.Synchronize exit, Source members, int mask) {
        int unseen = mask;
        int left = 0;
        while (unseen != 0) {
            int lane = Integer.numberOfTrailingZeros(unseen);
            int named = (int) frame.value(members, lane);
            int same = 0;
            for (int other = lane; other < 32; other++) {
                if ((unseen >>> other & 1) != 0 && (int) frame.value(members, other) == named) {
                    same |= 1 << other;
                }
            }
            unseen &= ~same;
            if ((same & ~named) != 0) {
                throw warp.faults()
                        .undefined(
                                "sync-executed-by-members",
                                "9.7.13.2",
                                exit.site(),
                                same & ~named,
                                "%s executed with member mask 0x%08x, which does not name the executing lanes"
                                        .formatted(exit.site().instruction().mnemonic(), named));
            }
            if ((named & warp.live() & ~same) != 0) {
                left |= same;
                continue;
            }
            unit.exchange(frame, exit.site(), exit.joint(), same);
            if (exit.joint() instanceof Joint.WarpBarrier) {
                ordered();
            }
            frame.park(exit.next(), same);
        }
        return left;
    }

    private void ordered() {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow != null) {
            shadow.order().synchronizeWarp(warp.index());
        }
    }

    private void requireFullWarp(Site site, int mask) {
        if (mask != -1 && warp.cta().grid().checked()) {
            throw warp.faults()
                    .undefined(
                            "mma-no-exited-lane",
                            "9.7.14.5.14",
                            site,
                            mask,
                            "%s executed after %s ended"
                                    .formatted(
                                            site.instruction().mnemonic(), Lanes.describe(~mask)));
        }
    }

    private void barrier(Frame frame, Exit.Synchronize exit, Joint.Barrier joint, int mask) {
        int unseen = mask;
        while (unseen != 0) {
            int lane = Integer.numberOfTrailingZeros(unseen);
            long number = frame.value(joint.barrier(), lane);
            long threads = joint.threads() == null ? 0 : frame.value(joint.threads(), lane);
            int same = 0;
            for (int other = lane; other < 32; other++) {
                if ((unseen >>> other & 1) != 0 && frame.value(joint.barrier(), other) == number) {
                    same |= 1 << other;
                }
            }
            unseen &= ~same;
            if (number > 15 || threads % 32 != 0) {
                throw warp.faults()
                        .undefined(
                                "barrier-operands",
                                "9.7.13.1",
                                exit.site(),
                                same,
                                "barrier %d with %d threads: barriers are 0 to 15, threads a multiple of 32"
                                        .formatted(number, threads));
            }
            if (warp.cta()
                    .arrive(
                            frame,
                            exit.site(),
                            joint,
                            same,
                            exit.next(),
                            (int) number,
                            (int) threads)) {
                frame.park(exit.next(), same);
            }
        }
    }
}
