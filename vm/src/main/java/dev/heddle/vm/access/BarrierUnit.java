package dev.heddle.vm.access;

import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Step.MemoryBarrierObject.Action;
import dev.heddle.vm.ir.Step.MemoryBarrierObject.Part;
import dev.heddle.vm.sanitizer.AsideLanes;
import dev.heddle.vm.shadow.BarrierLog;
import dev.heddle.vm.shadow.CtaStarts;
import dev.heddle.vm.shadow.Locations;
import dev.heddle.vm.shadow.PhaseHandover;
import dev.heddle.vm.shadow.RelaxedBarriers;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.BarrierObject;
import dev.heddle.vm.state.BarrierState;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import java.lang.foreign.MemorySegment;

/// `mbarrier` (PTX ISA 9.7.13.15): lane after lane on a [BarrierObject].
public record BarrierUnit(Warp warp, MemoryUnit memory) {
    /// An operation of these lanes.
    public void apply(Frame frame, Step.MemoryBarrierObject step, int lanes) {
        if (step.action() == Action.PENDING_COUNT) {
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                BarrierState state = BarrierState.decode(frame.value(step.base(), lane));
                frame.set(step.targets().getFirst(), lane, state.pending());
            }
            return;
        }
        warp.addresses()
                .forEachSpace(
                        frame,
                        step.space(),
                        step.base(),
                        step.offset(),
                        lanes,
                        (space, segment, part) -> {
                            memory.spin(step.site(), space, part);
                            memory.requireShared(
                                    step.site(),
                                    space,
                                    BarrierObject.BYTES,
                                    part,
                                    AccessKind.BARRIER);
                            require(step, segment, part);
                            if (isWait(step.action())) {
                                test(frame, step, segment, part);
                                return;
                            }
                            long[] offsets = warp.addresses().offsets();
                            for (int rest = part; rest != 0; ) {
                                int first = Integer.numberOfTrailingZeros(rest);
                                int same = together(offsets, first, rest);
                                act(frame, step, segment, offsets[first], same);
                                rest &= ~same;
                            }
                        });
    }

    private BarrierUse use() {
        return new BarrierUse(warp, memory);
    }

    /// What makes an object, and what ends it, must be in order with all else; its operations are
    /// strong.
    private void require(Step.MemoryBarrierObject step, MemorySegment segment, int lanes) {
        int bytes = BarrierObject.BYTES;
        Access access = Access.weak(Space.SHARED, bytes);
        Site site = step.site();
        memory.requireInside(site, Space.SHARED, segment, bytes, lanes, AccessKind.BARRIER);
        switch (step.action()) {
            case INITIALIZE ->
                    memory.require(
                            site, access, Space.SHARED, segment, bytes, lanes, AccessKind.STORE);
            case INVALIDATE ->
                    memory.require(
                            site, access, Space.SHARED, segment, bytes, lanes, AccessKind.LOAD);
            default -> memory.requireObject(site, lanes);
        }
    }

    /// Lanes operate on one object, one after the other. Arrivals are told of together, up to the
    /// one that ends the phase.
    private void act(
            Frame frame,
            Step.MemoryBarrierObject step,
            MemorySegment segment,
            long offset,
            int lanes) {
        boolean arrives =
                step.action().part() == Part.ARRIVES || step.action() == Action.ASYNC_ARRIVE;
        boolean isAside =
                step.action() == Action.COMPLETE_TRANSACTION && AsideLanes.areOf(step.site());
        if (isAside) {
            memory.checks().requireAsidePlace(step.site(), lanes);
        }
        if (isAside && actAsOne(frame, step, segment, offset, lanes)) {
            return;
        }
        int untold = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            BarrierObject state = BarrierObject.at(segment, offset);
            if (untold == 0) {
                use().requireUsable(step, offset, lane);
                use().requireSeen(step, state, offset, lane);
                new HandedCopies(memory).hand(step.action(), state, offset, rest);
            }
            int operands = step.operands().size();
            long first = operands > 0 ? frame.value(step.operands().getFirst(), lane) : 1;
            BarrierObject next = after(frame, step, state, first, lane);
            if (!next.equals(state)) {
                next.store(segment, offset);
                warp.changed();
            }
            boolean completes = next.phase() != state.phase();
            untold |= 1 << lane;
            if (isAside) {
                new Transactions(warp, memory).wrote(step.site(), offset, first, lane);
            }
            if (completes || !arrives || (rest & rest - 1) == 0) {
                follow(step, offset, first, completes && !isAside, untold);
                untold = 0;
            }
            SharedShadow there = warp.addresses().owner().shadow();
            if (isAside && there != null) {
                there.order().transaction(offset, completes);
            }
        }
    }

    /// The same of bytes that lanes bring beside them, all at once where that comes to the same.
    /// Returns whether it does.
    private boolean actAsOne(
            Frame frame,
            Step.MemoryBarrierObject step,
            MemorySegment segment,
            long offset,
            int lanes) {
        int first = Integer.numberOfTrailingZeros(lanes);
        long bytes = frame.value(step.operands().getFirst(), first);
        BarrierObject state = BarrierObject.at(segment, offset);
        BarrierObject next = Transactions.received(state, bytes, lanes);
        Cta owner = warp.addresses().owner();
        AsideLanes all =
                new AsideLanes(step.site(), warp.index(), lanes, (int) bytes, owner, offset);
        Transactions counted = new Transactions(warp, memory);
        if (next == null || !counted.areOne(all)) {
            return false;
        }
        use().requireUsable(step, offset, first);
        next.store(segment, offset);
        warp.changed();
        counted.wrote(all, isOrdering(step), next.phase() != state.phase());
        return true;
    }

    /// The object after an operation of a lane.
    ///
    /// @param first its first operand
    private BarrierObject after(
            Frame frame, Step.MemoryBarrierObject step, BarrierObject state, long first, int lane) {
        return switch (step.action()) {
            case INITIALIZE -> initial(step.site(), lane, first);
            case INVALIDATE -> BarrierObject.decode(0);
            case ARRIVE, ARRIVE_NO_COMPLETE -> arrive(frame, step, state, first, 0, lane);
            case ARRIVE_DROP, ARRIVE_DROP_NO_COMPLETE ->
                    arrive(frame, step, state, first, first, lane);
            case EXPECT_TRANSACTION -> expecting(step.site(), lane, state, first);
            case COMPLETE_TRANSACTION -> state.received(first);
            case ARRIVE_EXPECT_TRANSACTION ->
                    arrive(frame, step, expecting(step.site(), lane, state, first), 1, 0, lane);
            case ARRIVE_DROP_EXPECT_TRANSACTION ->
                    arrive(frame, step, state.expecting(first), 1, 1, lane);
            case ASYNC_ARRIVE -> state;
            case ASYNC_ARRIVE_NO_INCREMENT -> arrive(frame, step, state, 1, 0, lane);
            case TEST_WAIT, TEST_WAIT_PARITY, PENDING_COUNT ->
                    throw new IllegalStateException("waits change no object");
        };
    }

    /// Lets the checks remember what lanes did, the last of which ended the phase, or not.
    private void follow(
            Step.MemoryBarrierObject step, long offset, long first, boolean completed, int lanes) {
        Cta owner = warp.addresses().owner();
        BarrierLog log = warp.cta().barrierLog();
        if (log != null && owner.rank() == warp.cta().rank()) {
            log.note(step, offset, warp.index(), lanes, completed, first);
        }
        SharedShadow own = warp.cta().shadow();
        SharedShadow there = owner.shadow();
        if (there != null && step.action() == Action.INITIALIZE) {
            there.order().strong().phases().make(offset);
            there.watchObject((int) offset);
        }
        if (own != null && there != null && step.action().part() != Part.NONE) {
            if (owner != warp.cta() && !isOrdering(step)) {
                CtaStarts.told(there.order());
            } else if (owner != warp.cta() && !AsideLanes.areOf(step.site())) {
                for (int rest = lanes; rest != 0; rest &= rest - 1) {
                    int thread = warp.thread(Integer.numberOfTrailingZeros(rest));
                    there.outside().arrived(own.order(), thread, step.site().number());
                }
            }
            PhaseHandover phases = own.order().strong().phases();
            if (!step.action().handsCopies()) {
                Locations in = there.order().strong().shared();
                phases.arrive(in, offset, warp.index(), lanes, isOrdering(step), completed);
                if (step.action().part() == Part.ARRIVES && !isOrdering(step)) {
                    RelaxedBarriers relaxed = own.order().strong().relaxed();
                    relaxed.arrived(own.order(), warp.index(), lanes, step.site().number());
                }
            } else if (completed) {
                phases.complete(offset);
            }
        }
    }

    /// A new object, whose count must be in the range of the manual (PTX ISA 9.7.13.15.9).
    private BarrierObject initial(Site site, int lane, long count) {
        long arrivals = count & 0xffff_ffffL;
        boolean counts = arrivals >= 1 && arrivals <= BarrierObject.MOST;
        if (!counts && use().isChecked()) {
            throw new BarrierFaults(warp).initialCount(site, lane, arrivals);
        }
        return BarrierObject.of(arrivals);
    }

    /// The bytes that are awaited must stay within what can be counted (PTX ISA 9.7.13.15.5).
    private BarrierObject expecting(Site site, int lane, BarrierObject state, long bytes) {
        long awaited = state.transactions() + bytes;
        if (Math.abs(awaited) > BarrierObject.MOST && use().isChecked()) {
            throw new BarrierFaults(warp).transactionRange(site, lane, awaited);
        }
        return state.expecting(bytes);
    }

    /// Arrivals release and waits acquire, unless they are `.relaxed`. In `red.async.relaxed` that
    /// is said of the reduction: its `complete_tx` releases (PTX ISA 9.7.13.7).
    private static boolean isOrdering(Step.MemoryBarrierObject step) {
        return !step.site().is(Site.Mark.RELAXED)
                || step.site().kind() == InstructionKind.ASYNC_REDUCE;
    }

    private BarrierObject arrive(
            Frame frame,
            Step.MemoryBarrierObject step,
            BarrierObject state,
            long count,
            long dropped,
            int lane) {
        if (state.pending() < count) {
            throw new BarrierFaults(warp).tooMany(step.site(), lane, count, state.pending());
        }
        if (!step.targets().isEmpty()) {
            long place = warp.addresses().offsets()[lane];
            frame.set(step.targets().getFirst(), lane, BarrierState.of(state, place).encode());
        }
        BarrierObject next = state.arrived(count, dropped);
        boolean completes = next.phase() != state.phase();
        if (completes && step.action().mustNotComplete() && use().isChecked()) {
            throw new BarrierFaults(warp).completes(step.site(), lane);
        }
        return next;
    }

    // Waits.

    private static boolean isWait(Action action) {
        return action == Action.TEST_WAIT || action == Action.TEST_WAIT_PARITY;
    }

    /// Lanes ask whether a phase is over, mostly all of one object.
    private void test(
            Frame frame, Step.MemoryBarrierObject step, MemorySegment segment, int lanes) {
        long[] offsets = warp.addresses().offsets();
        SharedShadow shadow = warp.cta().shadow();
        Register target = step.targets().getFirst();
        boolean isInVain = true;
        for (int rest = lanes; rest != 0; ) {
            int first = Integer.numberOfTrailingZeros(rest);
            int same = together(offsets, first, rest);
            rest &= ~same;
            use().requireUsable(step, offsets[first], first);
            BarrierObject object = BarrierObject.at(segment, offsets[first]);
            if (step.action() == Action.TEST_WAIT) {
                use().requireOfPhase(frame, step, object, offsets[first], same);
            }
            int complete = otherThan(object.parity(), frame, step, same);
            isInVain &= complete == 0;
            frame.setWhere(complete, target, 1);
            frame.setWhere(same & ~complete, target, 0);
            BarrierLog log = warp.addresses().owner().barrierLog();
            if (complete != 0 && log != null) {
                log.seen(offsets[first], object.phase());
            }
            if (complete != 0 && shadow != null) {
                shadow.order()
                        .strong()
                        .phases()
                        .waited(
                                offsets[first],
                                warp.index(),
                                complete,
                                isOrdering(step) ? Stamp.NO_SITE : step.site().number());
            }
        }
        if (isInVain) {
            warp.waitsInVain(); // one worker runs all who can complete the phase
        }
    }

    /// Those of some lanes that name the object of the first.
    private static int together(long[] offsets, int first, int lanes) {
        int same = 0;
        for (int lane = first; lane < 32; lane++) {
            same |= offsets[lane] == offsets[first] ? 1 << lane : 0;
        }
        return same & lanes;
    }

    /// The lanes that ask for a phase of another parity than the current one.
    private static int otherThan(
            long current, Frame frame, Step.MemoryBarrierObject step, int lanes) {
        Source operand = step.operands().getFirst();
        boolean parity = step.action() == Action.TEST_WAIT_PARITY;
        int others = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long asked = frame.value(operand, lane);
            long phase = parity ? asked & 1 : BarrierState.decode(asked).parity();
            others |= current != phase ? 1 << lane : 0;
        }
        return others;
    }
}
