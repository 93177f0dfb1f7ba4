package dev.heddle.vm.access;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.shadow.BarrierLog;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// An mbarrier object (PTX ISA 9.7.13.15) in the 64 bits it occupies: pending arrivals in bits 0 to
/// 19, expected arrivals in 20 to 39, the phase in 40, pending transactions in 41 to 63 (signed).
/// The state that an arrival returns is the word before it.
public final class BarrierObject {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int COUNT_MASK = 0xf_ffff;

    private BarrierObject() {}

    public static long pending(long state) {
        return state & COUNT_MASK;
    }

    private static long expected(long state) {
        return state >>> 20 & COUNT_MASK;
    }

    private static long phase(long state) {
        return state >>> 40 & 1;
    }

    private static long transactions(long state) {
        return state >> 41;
    }

    private static long pack(long pending, long expected, long phase, long transactions) {
        return pending & COUNT_MASK
                | (expected & COUNT_MASK) << 20
                | phase << 40
                | transactions << 41;
    }

    /// `mbarrier`: lane after lane on the 64-bit object.
    public static void apply(Warp warp, Frame frame, Step.MemoryBarrierObject step, int lanes) {
        MemoryUnit memory = warp.memory();
        if (step.action() == Step.MemoryBarrierObject.Action.PENDING_COUNT) {
            for (int lane = 0; lane < 32; lane++) {
                if ((lanes >>> lane & 1) != 0) {
                    frame.set(
                            step.targets().getFirst(),
                            lane,
                            pending(frame.value(step.base(), lane)));
                }
            }
            return;
        }
        memory.addresses()
                .forEachSpace(
                        frame,
                        step.space(),
                        step.base(),
                        step.offset(),
                        lanes,
                        (space, segment, part) -> {
                            memory.spin(step.site(), space, part);
                            memory.requireShared(step.site(), space, 8, part, false);
                            require(memory, step, segment, part);
                            for (int lane = 0; lane < 32; lane++) {
                                if ((part >>> lane & 1) != 0) {
                                    act(
                                            warp,
                                            frame,
                                            step,
                                            segment,
                                            memory.addresses().offsets()[lane],
                                            lane);
                                }
                            }
                        });
    }

    /// What makes an object, and what ends it, must be in order with all else; its operations are
    /// strong.
    private static void require(
            MemoryUnit memory, Step.MemoryBarrierObject step, MemorySegment segment, int lanes) {
        Access access = Access.weak(Space.SHARED, 8);
        switch (step.action()) {
            case INITIALIZE ->
                    memory.require(step.site(), access, Space.SHARED, segment, 8, lanes, true);
            case INVALIDATE ->
                    memory.require(step.site(), access, Space.SHARED, segment, 8, lanes, false);
            default -> memory.requireObject(step.site(), segment, lanes);
        }
    }

    private static void act(
            Warp warp,
            Frame frame,
            Step.MemoryBarrierObject step,
            MemorySegment segment,
            long offset,
            int lane) {
        long state = segment.get(LONG, offset);
        requireUsable(warp, step, offset, lane);
        int operands = step.operands().size();
        long first = operands > 0 ? frame.value(step.operands().getFirst(), lane) : 1;
        long next = state;
        switch (step.action()) {
            case INITIALIZE -> next = pack(first, first, 0, 0);
            case INVALIDATE -> next = 0;
            case ARRIVE -> next = arrive(warp, frame, step, state, first, 0, lane);
            case ARRIVE_DROP -> next = arrive(warp, frame, step, state, first, first, lane);
            case ARRIVE_NO_COMPLETE -> next = arrive(warp, frame, step, state, first, 0, lane);
            case ARRIVE_DROP_NO_COMPLETE ->
                    next = arrive(warp, frame, step, state, first, first, lane);
            case EXPECT_TRANSACTION -> next = inRange(warp, step.site(), lane, state, first);
            case COMPLETE_TRANSACTION -> next = completed(expect(state, -first));
            case ARRIVE_EXPECT_TRANSACTION ->
                    next =
                            arrive(
                                    warp,
                                    frame,
                                    step,
                                    inRange(warp, step.site(), lane, state, first),
                                    1,
                                    0,
                                    lane);
            case ARRIVE_DROP_EXPECT_TRANSACTION ->
                    next = arrive(warp, frame, step, expect(state, first), 1, 1, lane);
            case ASYNC_ARRIVE -> warp.groups().hand(lane, warp.clock());
            case ASYNC_ARRIVE_NO_INCREMENT -> {
                warp.groups().hand(lane, warp.clock());
                next = arrive(warp, frame, step, state, 1, 0, lane);
            }
            case TEST_WAIT -> wait(warp, frame, step, offset, phase(state) != phase(first), lane);
            case TEST_WAIT_PARITY ->
                    wait(warp, frame, step, offset, phase(state) != (first & 1), lane);
            case PENDING_COUNT -> throw new IllegalStateException("pending_count has no object");
        }
        if (next != state) {
            segment.set(LONG, offset, next);
            warp.changed();
        }
        Cta owner = warp.memory().addresses().owner();
        if (owner.rank() != warp.cta().rank()) {
            if (owner.shadow() != null) {
                owner.shadow().order().arriveFromOutside(offset, phase(next) != phase(state));
            }
            return;
        }
        BarrierLog log = warp.cta().barrierLog();
        if (log != null) {
            log.note(step, offset, warp.index(), lane, phase(next) != phase(state), first);
        }
        SharedShadow shadow = warp.cta().shadow();
        if (shadow != null && isArrival(step.action())) {
            shadow.order()
                    .arrive(
                            offset,
                            warp.thread(lane),
                            isOrdering(step),
                            phase(next) != phase(state));
        }
    }

    /// The CTA must be there, and no object where one is made.
    private static void requireUsable(
            Warp warp, Step.MemoryBarrierObject step, long offset, int lane) {
        Cta owner = warp.memory().addresses().owner();
        BarrierLog log = owner.barrierLog();
        if (log == null || !warp.cta().grid().checks(RuleGroup.ASYNC)) {
            return;
        }
        warp.memory().checks().requireAlive(step.site(), owner, 1 << lane);
        if (step.action() == Step.MemoryBarrierObject.Action.INITIALIZE && log.isInUse(offset)) {
            throw warp.faults()
                    .undefined(
                            Rule.MBARRIER_REINITIALIZED,
                            step.site(),
                            1 << lane,
                            "%s at shared address 0x%x, where an mbarrier is in use: mbarrier.inval must come first"
                                    .formatted(step.site().mnemonic(), offset),
                            log.notes(offset).toArray(Finding.Note[]::new));
        }
    }

    /// The bytes that are awaited must stay within what can be counted (PTX ISA 9.7.13.15.5).
    private static long inRange(Warp warp, Site site, int lane, long state, long bytes) {
        long awaited = transactions(state) + bytes;
        if (Math.abs(awaited) > COUNT_MASK && warp.cta().grid().checks(RuleGroup.ASYNC)) {
            throw warp.faults()
                    .undefined(
                            Rule.MBARRIER_TRANSACTION_RANGE,
                            site,
                            1 << lane,
                            "%s makes an mbarrier await %d bytes: it counts from -%d to %d"
                                    .formatted(site.mnemonic(), awaited, COUNT_MASK, COUNT_MASK));
        }
        return expect(state, bytes);
    }

    private static boolean isArrival(Step.MemoryBarrierObject.Action action) {
        return switch (action) {
            case ARRIVE,
                    ARRIVE_DROP,
                    ARRIVE_NO_COMPLETE,
                    ARRIVE_DROP_NO_COMPLETE,
                    ARRIVE_EXPECT_TRANSACTION,
                    ARRIVE_DROP_EXPECT_TRANSACTION,
                    COMPLETE_TRANSACTION,
                    ASYNC_ARRIVE,
                    ASYNC_ARRIVE_NO_INCREMENT ->
                    true;
            case INITIALIZE,
                    INVALIDATE,
                    EXPECT_TRANSACTION,
                    TEST_WAIT,
                    TEST_WAIT_PARITY,
                    PENDING_COUNT ->
                    false;
        };
    }

    /// Arrivals release and waits acquire, unless they are `.relaxed`.
    private static boolean isOrdering(Step.MemoryBarrierObject step) {
        return !step.site().has("relaxed");
    }

    /// Bytes of a transaction are complete.
    ///
    /// @param owner the CTA that has the object
    static void complete(Cta owner, long offset, long bytes) {
        long state = owner.shared().get(LONG, offset);
        long next = completed(expect(state, -bytes));
        owner.shared().set(LONG, offset, next);
        SharedShadow shadow = owner.shadow();
        if (shadow != null) {
            shadow.order().transaction(offset, phase(next) != phase(state));
        }
    }

    /// An object's state in words.
    public static String describe(long state) {
        long missing = pending(state);
        long bytes = transactions(state);
        String arrivals =
                "%d of %d arrivals %s missing"
                        .formatted(missing, expected(state), missing == 1 ? "is" : "are");
        return bytes == 0 ? arrivals : arrivals + ", and %d bytes of transactions".formatted(bytes);
    }

    /// The object at an offset of shared memory.
    public static long at(MemorySegment segment, long offset) {
        return segment.get(LONG, offset);
    }

    private static long expect(long state, long bytes) {
        return pack(pending(state), expected(state), phase(state), transactions(state) + bytes);
    }

    private static long arrive(
            Warp warp,
            Frame frame,
            Step.MemoryBarrierObject step,
            long state,
            long count,
            long dropped,
            int lane) {
        if (pending(state) < count) {
            throw warp.faults()
                    .undefined(
                            Rule.MBARRIER_TOO_MANY_ARRIVALS,
                            step.site(),
                            1 << lane,
                            "arrival of %d at an mbarrier that awaits %d"
                                    .formatted(count, pending(state)));
        }
        if (!step.targets().isEmpty()) {
            frame.set(step.targets().getFirst(), lane, state);
        }
        return completed(
                pack(
                        pending(state) - count,
                        expected(state) - dropped,
                        phase(state),
                        transactions(state)));
    }

    /// The next phase begins once nothing is pending.
    private static long completed(long state) {
        return pending(state) == 0 && transactions(state) == 0
                ? pack(expected(state), expected(state), phase(state) ^ 1, 0)
                : state;
    }

    private static void wait(
            Warp warp,
            Frame frame,
            Step.MemoryBarrierObject step,
            long offset,
            boolean complete,
            int lane) {
        frame.set(step.targets().getFirst(), lane, complete ? 1 : 0);
        SharedShadow shadow = warp.cta().shadow();
        if (complete && shadow != null) {
            shadow.order().waited(offset, warp.thread(lane), isOrdering(step));
        }
    }
}
