package dev.heddle.vm.collective;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.access.MemoryUnit;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.LaneText;
import dev.heddle.vm.sanitizer.Definedness;
import dev.heddle.vm.sanitizer.WarpChecks;
import dev.heddle.vm.semantics.ExchangedValues;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.UndefinedBits;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Meeting;
import dev.heddle.vm.state.MeetingPlace;
import dev.heddle.vm.state.NamedBarrier;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Where lanes of a warp meet: who must be there, who waits, and what happens once all have come.
public final class WarpSynchronization {
    private final Warp warp;
    private final Warpgroup warpgroup;
    private final WarpChecks checks;
    private final WarpUnit unit;
    private final ExchangeUnit exchanges = new ExchangeUnit();
    private final Divergence divergence;

    /// Where the lanes of a warp meet.
    ///
    /// @param memory what matrix instructions read and write
    /// @param warpgroup that the warp multiplies with
    public WarpSynchronization(
            Warp warp, MemoryUnit memory, Warpgroup warpgroup, WarpChecks checks) {
        this.warp = warp;
        this.warpgroup = warpgroup;
        this.checks = checks;
        unit = new WarpUnit(warp, memory);
        divergence = new Divergence(warp);
    }

    public void clear() {
        divergence.clear();
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
    public boolean retry() {
        if (warp.waiters().isEmpty()) {
            return false;
        }
        boolean any = false;
        for (Warp.Waiter waiter : new ArrayList<>(warp.waiters())) {
            int left = attempt(waiter.frame, exitOf(waiter), waiter.mask);
            any |= left != waiter.mask;
            waiter.mask = left;
        }
        warp.waiters().removeIf(waiter -> waiter.mask == 0);
        return any || joinDistant();
    }

    /// Lanes that wait at several places of the code meet where what they execute is alike.
    private boolean joinDistant() {
        if (warp.waiters().size() < 2 || !warp.cta().grid().program().meetsAcrossPlaces()) {
            return false;
        }
        for (Warp.Waiter waiter : warp.waiters()) {
            if (!(waiter.joint instanceof Collective.Masked joint)
                    || joint.members() == null
                    || joint.aligned()) {
                continue;
            }
            int unseen = waiter.mask;
            while (unseen != 0) {
                int named = memberMask(waiter, Integer.numberOfTrailingZeros(unseen));
                unseen &= ~lanesNaming(waiter, named);
                if (meet(joint, named)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Lanes meet if all are there that a member mask names. Returns whether they did.
    private boolean meet(Collective.Masked joint, int named) {
        List<MeetingPlace> places = new ArrayList<>();
        int missing = named & warp.live();
        for (Warp.Waiter waiter : warp.waiters()) {
            if (waiter.joint instanceof Collective.Masked other && joint.isAlike(other)) {
                int lanes = lanesNaming(waiter, named);
                if (lanes != 0) {
                    places.add(new MeetingPlace(waiter.frame, exitOf(waiter), lanes));
                    missing &= ~lanes;
                }
            }
        }
        if (missing != 0) {
            return false;
        }
        for (MeetingPlace place : places) {
            Objects.requireNonNull(waiterAt(place.frame(), place.exit())).mask &= ~place.lanes();
        }
        warp.waiters().removeIf(waiter -> waiter.mask == 0);
        complete(joint, new Meeting(places), named);
        return true;
    }

    private static int memberMask(Warp.Waiter waiter, int lane) {
        Source members = ((Collective.Masked) waiter.joint).members();
        return members == null ? 0 : (int) waiter.frame.value(members, lane);
    }

    /// The lanes that wait with this member mask.
    private static int lanesNaming(Warp.Waiter waiter, int named) {
        int lanes = 0;
        for (int rest = waiter.mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            lanes |= memberMask(waiter, lane) == named ? 1 << lane : 0;
        }
        return lanes;
    }

    /// No lane of the warp can go on: lanes that wait at an aligned instruction for lanes that
    /// wait elsewhere are divergent.
    public boolean settle() {
        for (Warp.Waiter waiter : new ArrayList<>(warp.waiters())) {
            int missing = warp.live() & ~waiter.mask;
            if (waiter.joint.aligned() && missing != 0) {
                if (warp.checksLanes() || !(waiter.joint instanceof Collective.Barrier barrier)) {
                    throw divergence.of(waiter.frame, exitOf(waiter), waiter.mask, missing);
                }
                warp.waiters().remove(waiter);
                barrier(waiter.frame, exitOf(waiter), barrier, waiter.mask);
                return true;
            }
        }
        return false;
    }

    /// Does what can be done with the lanes that are here; returns those that must wait.
    private int attempt(Frame frame, Exit.Synchronize exit, int mask) {
        Collective joint = exit.joint();
        if (joint.aligned() && (warp.live() & ~mask) != 0) {
            return mask;
        }
        switch (joint) {
            case Collective.Masked masked -> {
                return masked(frame, exit, masked, mask);
            }
            case Collective.Barrier barrier -> {
                divergence.requireTogether(frame, exit, mask);
                barrier(frame, exit, barrier, mask);
            }
            case Collective.ClusterBarrier barrier -> {
                divergence.requireTogether(frame, exit, mask);
                warp.cta().cluster().barrier().come(frame, exit, barrier, mask);
            }
            case Collective.MatrixInstruction instruction -> {
                divergence.requireFullWarp(frame, exit, mask);
                follow(frame, exit, mask);
                unit.matrix(frame, exit.site(), instruction, mask);
                frame.park(exit.next(), mask);
            }
            case Collective.MultiplyAsync multiply -> {
                divergence.requireFullWarp(frame, exit, mask);
                follow(frame, exit, mask);
                warpgroup.arrive(frame, exit, multiply);
            }
            case Collective.SetRegisters step -> {
                divergence.requireTogether(frame, exit, mask);
                warpgroup.set(frame, exit, step, mask);
            }
            case Collective.Warpgroup step -> {
                divergence.requireFullWarp(frame, exit, mask);
                warpgroup.step(frame, exit, step);
                frame.park(exit.next(), mask);
            }
        }
        return 0;
    }

    private int masked(Frame frame, Exit.Synchronize exit, Collective.Masked joint, int mask) {
        if (joint.aligned()) {
            divergence.requireFullWarp(frame, exit, mask);
        }
        Source members = joint.members();
        if (members != null) {
            return masked(frame, exit, joint, members, mask);
        }
        complete(joint, Meeting.of(new MeetingPlace(frame, exit, mask)), mask);
        return 0;
    }

    private int masked(
            Frame frame, Exit.Synchronize exit, Collective.Masked joint, Source members, int mask) {
        int unseen = mask;
        int left = 0;
        while (unseen != 0) {
            int lane = Integer.numberOfTrailingZeros(unseen);
            int named = (int) frame.value(members, lane);
            int same = members instanceof Register ? 0 : unseen;
            for (int other = lane; same != unseen && other < 32; other++) {
                if ((unseen >>> other & 1) != 0 && (int) frame.value(members, other) == named) {
                    same |= 1 << other;
                }
            }
            unseen &= ~same;
            if ((same & ~named) != 0 && warp.checksLanes()) {
                warp.faults().tell(byNonMembers(exit.site(), same & ~named, named));
            }
            if ((named & warp.live() & ~same) != 0) {
                left |= same;
                continue;
            }
            complete(joint, Meeting.of(new MeetingPlace(frame, exit, same)), named);
        }
        return left;
    }

    /// Who executes an instruction takes part in it all the same, where the launch goes on.
    private KernelFault byNonMembers(Site site, int lanes, int named) {
        String members = named == 0 ? "no lane" : "only " + LaneText.describe(named);
        String message =
                "%s executed by %s with member mask 0x%08x, which names %s"
                        .formatted(site.mnemonic(), LaneText.describe(lanes), named, members);
        return warp.faults()
                .undefined(Rule.SYNC_BY_NON_MEMBER, site.section(), site, lanes, message);
    }

    /// All lanes are here that a member mask names.
    private void complete(Collective.Masked joint, Meeting meeting, int named) {
        switch (joint) {
            case Collective.WarpBarrier _ -> {
                for (MeetingPlace place : meeting.places()) {
                    follow(place.frame(), place.exit(), place.lanes());
                }
                ordered(meeting.lanes());
            }
            case Collective.Exchange _ -> exchange(meeting, named);
        }
        for (MeetingPlace place : meeting.places()) {
            place.frame().park(place.exit().next(), place.lanes());
        }
    }

    private void exchange(Meeting meeting, int named) {
        ExchangedValues values = exchanges.compute(meeting);
        Definedness definedness = checks.definedness();
        if (definedness != null) {
            definedness.exchange(meeting);
        }
        for (MeetingPlace place : meeting.places()) {
            int readers = values.readers() & place.lanes();
            if (readers != 0 && place.exchange().members() != null && warp.checksLanes()) {
                follow(place, readers, divergence.absent(place, readers, values.absent(), named));
            }
            exchanges.write(place);
        }
    }

    private void ordered(int lanes) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow != null) {
            shadow.order().synchronizeWarp(warp.index(), lanes);
        }
    }

    private void follow(Frame frame, Exit.Synchronize exit, int lanes) {
        Definedness definedness = checks.definedness();
        if (definedness != null) {
            definedness.together(frame, exit, lanes);
        }
    }

    /// Lanes take a value from lanes that do not take part: nobody knows which.
    private void follow(MeetingPlace place, int readers, KernelFault absent) {
        Definedness definedness = checks.definedness();
        Register target = place.exchange().targets().getFirst();
        if (definedness == null) {
            warp.faults().tell(absent);
        } else if (target != null) {
            definedness.spoil(place.frame(), target, readers, absent);
        }
    }

    private void barrier(Frame frame, Exit.Synchronize exit, Collective.Barrier joint, int mask) {
        follow(frame, exit, mask);
        int unseen = mask;
        while (unseen != 0) {
            int lane = Integer.numberOfTrailingZeros(unseen);
            long number = frame.value(joint.barrier(), lane);
            long threads = joint.threads() == null ? 0 : frame.value(joint.threads(), lane);
            int same = joint.barrier() instanceof Register ? 0 : unseen;
            for (int other = lane; same != unseen && other < 32; other++) {
                if ((unseen >>> other & 1) != 0 && frame.value(joint.barrier(), other) == number) {
                    same |= 1 << other;
                }
            }
            unseen &= ~same;
            if (number > 15 || threads % 32 != 0) {
                throw warp.faults()
                        .undefined(
                                Rule.WRONG_BARRIER_OPERANDS,
                                exit.site(),
                                same,
                                "barrier %d with %d threads: barriers are 0 to 15, threads a multiple of 32"
                                        .formatted(number, threads));
            }
            divergence.requireAlike(exit.site(), joint, same, warp.cta().barriers()[(int) number]);
            NamedBarrier.Arrival arrival =
                    new NamedBarrier.Arrival(frame, exit, same, junk(frame, exit, same));
            if (warp.cta().arrive(arrival, (int) number, (int) threads)) {
                frame.park(exit.next(), same);
            }
        }
    }

    /// Where undefined predicates of a reduction come from, or null.
    private UndefinedBits.@Nullable Origin junk(Frame frame, Exit.Synchronize exit, int lanes) {
        Definedness definedness = checks.definedness();
        return definedness == null ? null : definedness.reduced(frame, exit, lanes);
    }
}
