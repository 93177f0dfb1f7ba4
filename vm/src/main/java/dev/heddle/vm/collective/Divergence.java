package dev.heddle.vm.collective;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.LaneText;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.MeetingPlace;
import dev.heddle.vm.state.NamedBarrier;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Which lanes must come to what their warp does together, and where those are that do not.
final class Divergence {
    private final Warp warp;
    private @Nullable Exit judged;
    private int judgedLanes;

    Divergence(Warp warp) {
        this.warp = warp;
    }

    void clear() {
        judged = null;
    }

    /// The fault of lanes at an instruction that some of their warp did not come to.
    KernelFault of(Frame frame, Exit.Synchronize exit, int mask, int missing) {
        List<Finding.Note> notes = whereabouts(frame, exit, missing);
        Site site = exit.site();
        String what = site.is(Site.Mark.ALIGNED) ? ".aligned" : "an aligned instruction";
        return warp.faults()
                .undefined(
                        Rule.ALIGNED_UNDER_DIVERGENCE,
                        site.section(),
                        site,
                        mask,
                        "%s executed by %s without %s: it is %s, so all lanes of a warp must come together"
                                .formatted(
                                        site.mnemonic(),
                                        LaneText.describe(mask),
                                        LaneText.describe(missing),
                                        what),
                        notes.toArray(Finding.Note[]::new));
    }

    /// Lanes at an aligned barrier whose neighbours have ended since: fine if those did nothing but
    /// leave, else the warp took two ways.
    void requireTogether(Frame frame, Exit.Synchronize exit, int mask) {
        int missing = warp.initial() & ~mask;
        if (missing == 0
                || !exit.joint().aligned()
                || !warp.checksLanes()
                || exit.equals(judged) && judgedLanes == missing) {
            return;
        }
        judged = exit;
        judgedLanes = missing;
        int elsewhere = tookAnotherWay(frame, exit, missing);
        if (elsewhere != 0) {
            throw of(frame, exit, mask, elsewhere);
        }
    }

    /// No lane may be missing from an instruction that takes all of them.
    void requireFullWarp(Frame frame, Exit.Synchronize exit, int mask) {
        if (mask == -1 || !warp.checksLanes()) {
            return;
        }
        Site site = exit.site();
        int never = ~warp.initial();
        if (never != 0) {
            int threads = warp.cta().grid().shape().threads();
            String message =
                    "%s executed by a warp without %s: the CTA has %d threads, no multiple of 32"
                            .formatted(site.mnemonic(), LaneText.describe(never), threads);
            throw warp.faults().undefined(Rule.EXITED_LANE, site.section(), site, mask, message);
        }
        if (tookAnotherWay(frame, exit, ~mask) != 0) {
            throw of(frame, exit, mask, ~mask);
        }
        String message =
                "%s executed by %s after %s ended"
                        .formatted(
                                site.mnemonic(), LaneText.describe(mask), LaneText.describe(~mask));
        Finding.Note[] notes = whereabouts(frame, exit, ~mask).toArray(Finding.Note[]::new);
        throw warp.faults().undefined(Rule.EXITED_LANE, site.section(), site, mask, message, notes);
    }

    /// Lanes come to a barrier at which either all reduce, or none (PTX ISA 9.7.13.1).
    void requireAlike(Site site, Collective.Barrier joint, int lanes, NamedBarrier barrier) {
        NamedBarrier.Arrival first = barrier.first();
        if (first == null
                || first.joint().arrival().reduces() == joint.arrival().reduces()
                || !warp.checksLanes()) {
            return;
        }
        warp.faults()
                .tell(
                        Rule.MIXED_BARRIER,
                        site,
                        first.site(),
                        () -> mixed(site, lanes, first.site(), first.frame().warp));
    }

    private KernelFault mixed(Site site, int lanes, Site other, Warp there) {
        String message =
                "%s at a barrier that counts %s of warp %d: either all reduce there, or none"
                        .formatted(site.mnemonic(), other.mnemonic(), there.index());
        return warp.faults()
                .undefined(
                        Rule.MIXED_BARRIER,
                        site.section(),
                        site,
                        lanes,
                        message,
                        new Finding.Note(other, "warp %d came here".formatted(there.index())));
    }

    /// Some lanes take their values from lanes that do not take part.
    ///
    /// @param readers the lanes that do
    /// @param sources the lanes that do not take part
    KernelFault absent(MeetingPlace place, int readers, int sources, int named) {
        Exit.Synchronize exit = place.exit();
        String why =
                (sources & named) == 0
                        ? "the member mask 0x%08x does not name".formatted(named)
                        : "do not take part, though the member mask 0x%08x names them"
                                .formatted(named);
        return warp.faults()
                .undefined(
                        Rule.SHUFFLE_FROM_ABSENT_LANE,
                        exit.site(),
                        readers,
                        "%s: %s would get the value of %s, which %s"
                                .formatted(
                                        exit.site().mnemonic(),
                                        LaneText.describe(readers),
                                        LaneText.describe(sources),
                                        why),
                        whereabouts(place.frame(), exit, sources).toArray(Finding.Note[]::new));
    }

    /// Of these lanes, those that ran something on a way that does not lead to the meeting: not
    /// those that only left.
    int tookAnotherWay(Frame frame, Exit.Synchronize meeting, int missing) {
        int found = 0;
        Frame at = frame;
        Exit exit = meeting;
        while (at != null && exit != null) {
            BitSet leading = leadingTo(at.code, exit);
            int[] visited = at.visited();
            for (Block block : at.code.blocks()) {
                if (visited != null && !leading.get(block.number()) && doesSomething(block)) {
                    found |= visited[block.number()] & missing;
                }
            }
            exit = at.call;
            at = at.caller;
        }
        return found;
    }

    private static boolean doesSomething(Block block) {
        return block.steps().stream().anyMatch(step -> !(step instanceof Step.Bookkeeping))
                || block.exit() instanceof Exit.Call
                || block.exit() instanceof Exit.Synchronize;
    }

    /// The blocks from which a block with this exit can be reached, itself among them.
    private static BitSet leadingTo(Code code, Exit exit) {
        BitSet leading = new BitSet();
        for (Block block : code.blocks()) {
            if (block.exit().equals(exit)) {
                leading.set(block.number());
            }
        }
        boolean grew = true;
        while (grew) {
            grew = false;
            for (int i = code.blocks().size() - 1; i >= 0; i--) {
                if (!leading.get(i)) {
                    for (int next : code.blocks().get(i).exit().successors()) {
                        if (leading.get(next)) {
                            leading.set(i);
                            grew = true;
                            break;
                        }
                    }
                }
            }
        }
        return leading;
    }

    /// Where these lanes went: the branch by which they left the way to the meeting, where they
    /// wait, where they ended.
    List<Finding.Note> whereabouts(Frame frame, Exit.Synchronize meeting, int missing) {
        List<Finding.Note> notes = new ArrayList<>();
        Frame at = frame;
        Exit exit = meeting;
        while (at != null && exit != null && notes.isEmpty()) {
            parting(at, exit, missing, notes);
            exit = at.call;
            at = at.caller;
        }
        for (Warp.Waiter waiter : warp.waiters()) {
            int there = waiter.mask & missing;
            if (there != 0 && !waiter.site.equals(meeting.site())) {
                notes.add(
                        new Finding.Note(waiter.site, describe(there, "waits", "wait") + " here"));
            }
        }
        ends(missing & ~warp.live() & warp.initial(), notes);
        int never = missing & ~warp.initial();
        if (never != 0) {
            notes.add(
                    new Finding.Note(
                            null,
                            "%s: the CTA has only %d threads"
                                    .formatted(
                                            describe(never, "does not exist", "do not exist"),
                                            warp.cta().grid().shape().threads())));
        }
        return notes;
    }

    private static String describe(int lanes, String one, String many) {
        return LaneText.describe(lanes) + " " + (Integer.bitCount(lanes) == 1 ? one : many);
    }

    /// The last branch that some of the missing lanes took away from the meeting.
    private static void parting(Frame frame, Exit exit, int missing, List<Finding.Note> notes) {
        int[] visited = frame.visited();
        if (visited == null) {
            return;
        }
        BitSet leading = leadingTo(frame.code, exit);
        Finding.@Nullable Note found = null;
        for (Block block : frame.code.blocks()) {
            if (!(block.exit() instanceof Exit.Branch branch) || !leading.get(block.number())) {
                continue;
            }
            int gone = 0;
            for (int next : branch.successors()) {
                if (!leading.get(next)) {
                    gone |= visited[next];
                }
            }
            gone &= visited[block.number()] & missing;
            if (gone != 0) {
                found =
                        new Finding.Note(
                                branch.site(),
                                describe(gone, "took", "took") + " the other way here");
            }
        }
        if (found != null) {
            notes.add(found);
        }
    }

    private void ends(int ended, List<Finding.Note> notes) {
        Map<Site, Integer> places = new LinkedHashMap<>();
        int unknown = 0;
        for (int lane = 0; lane < 32; lane++) {
            if ((ended >>> lane & 1) != 0) {
                Site site = warp.endOf(lane);
                if (site == null) {
                    unknown |= 1 << lane;
                } else {
                    places.merge(site, 1 << lane, (a, b) -> a | b);
                }
            }
        }
        places.forEach(
                (site, lanes) ->
                        notes.add(
                                new Finding.Note(site, LaneText.describe(lanes) + " ended here")));
        if (unknown != 0) {
            notes.add(new Finding.Note(null, LaneText.describe(unknown) + " have ended"));
        }
    }
}
