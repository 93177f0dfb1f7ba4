package dev.heddle.vm.access;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.sanitizer.CopiedValues;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `cp.async` (PTX ISA 9.7.9.25.3): copies from global to shared memory.
public final class AsyncCopies {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final Access FROM = Access.weak(Space.GLOBAL, 1);

    private final Warp warp;
    private final MemoryUnit memory;

    // By lane: where a copy comes from, and how many bytes it takes.
    private final long[] origins = new long[32];
    private final int[] counts = new int[32];

    public AsyncCopies(Warp warp, MemoryUnit memory) {
        this.warp = warp;
        this.memory = memory;
    }

    /// `cp.async`: the bytes move now; reading them before the wait is an error.
    public void copy(Frame frame, Step.AsyncCopy step, int lanes) {
        warp.changed();
        MemorySegment global = warp.cta().grid().global().segment();
        long[] offsets = warp.addresses().offsets();
        warp.addresses().resolve(frame, Space.GLOBAL, step.origin(), step.originOffset(), lanes);
        System.arraycopy(offsets, 0, origins, 0, offsets.length);
        int whole = wholeCopies(frame, step, lanes);
        require(step, global, step.bytes(), whole);
        for (int rest = lanes & ~whole; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            if (counts[lane] > 0) {
                requirePart(step, global, lane, counts[lane]);
            }
        }
        MemorySegment shared = warp.cta().shared();
        warp.addresses()
                .resolve(frame, Space.SHARED, step.destination(), step.destinationOffset(), lanes);
        memory.require(
                step.site(), FROM, Space.SHARED, shared, step.bytes(), lanes, AccessKind.STORE);
        for (int rest = whole; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            move(global, origins[lane], shared, offsets[lane], step.bytes());
        }
        for (int rest = lanes & ~whole; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            shared.asSlice(offsets[lane], step.bytes()).fill((byte) 0);
            if (counts[lane] > 0) { // else the address may be any
                MemorySegment.copy(global, origins[lane], shared, offsets[lane], counts[lane]);
            }
        }
        memory.checks().shared().copies().begin(step.site(), offsets, step.bytes(), lanes);
        CopiedValues copied = memory.checks().copied();
        for (int rest = copied.areFollowed() ? lanes : 0; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int bytes = (whole >>> lane & 1) != 0 ? step.bytes() : counts[lane];
            copied.bring(
                    step.site(), lane, origins[lane], warp.cta().shadow(), offsets[lane], bytes);
        }
    }

    /// The lanes that copy as many bytes as the instruction names. The others' counts are noted.
    private int wholeCopies(Frame frame, Step.AsyncCopy step, int lanes) {
        if (step.ignore() == null && step.sourceBytes() == null) {
            return lanes;
        }
        int whole = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            counts[lane] = copied(frame, step, lane);
            whole |= counts[lane] == step.bytes() ? 1 << lane : 0;
        }
        return whole;
    }

    /// How many bytes a lane's copy takes from global memory; it fills the others with zeros.
    private int copied(Frame frame, Step.AsyncCopy step, int lane) {
        if (step.ignore() != null && frame.value(step.ignore(), lane) != 0) {
            return 0;
        }
        if (step.sourceBytes() == null) {
            return step.bytes();
        }
        long taken = frame.value(step.sourceBytes(), lane);
        if (taken > step.bytes() && warp.cta().grid().checks(RuleGroup.ASYNC)) {
            throw warp.faults()
                    .undefined(
                            Rule.WRONG_SOURCE_SIZE,
                            step.site(),
                            1 << lane,
                            "%s of %d bytes takes %d of them from global memory"
                                    .formatted(step.site().mnemonic(), step.bytes(), taken));
        }
        return (int) Math.min(step.bytes(), taken);
    }

    private void require(Step.AsyncCopy step, MemorySegment global, int bytes, int lanes) {
        memory.require(step.site(), FROM, Space.GLOBAL, global, bytes, lanes, AccessKind.LOAD);
    }

    /// The origin must be aligned as a whole copy's would be, and the bytes taken must be there.
    private void requirePart(Step.AsyncCopy step, MemorySegment global, int lane, int count) {
        long[] offsets = warp.addresses().offsets();
        long origin = offsets[lane];
        if ((origin & step.bytes() - 1) != 0) {
            throw memory.checks()
                    .outside(
                            step.site(),
                            Space.GLOBAL,
                            offsets,
                            global.byteSize() - step.bytes(),
                            step.bytes(),
                            1 << lane,
                            AccessKind.LOAD);
        }
        require(step, global, 1, 1 << lane);
        offsets[lane] = origin + count - 1;
        require(step, global, 1, 1 << lane);
        offsets[lane] = origin;
    }

    /// 4, 8 or 16 bytes.
    private static void move(
            MemorySegment from, long origin, MemorySegment to, long target, int bytes) {
        if (bytes == 4) {
            to.set(INT, target, from.get(INT, origin));
            return;
        }
        for (int i = 0; i < bytes; i += 8) {
            to.set(LONG, target + i, from.get(LONG, origin + i));
        }
    }
}
