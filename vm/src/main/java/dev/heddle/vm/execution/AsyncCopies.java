package dev.heddle.vm.execution;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;

import java.lang.foreign.MemorySegment;

/// `cp.async` (PTX ISA 9.7.9.25.3): copies from global to shared memory.
final class AsyncCopies {
    private final Warp warp;
    private final MemoryUnit memory;

    AsyncCopies(Warp warp, MemoryUnit memory) {
        this.warp = warp;
        this.memory = memory;
    }

    /// `cp.async`: the bytes move now; reading them before the wait is an error.
    void copy(Frame frame, Step.AsyncCopy step, int lanes) {
        warp.changed();
        Access from = new Access(Space.GLOBAL, 1, false, Access.Strength.WEAK);
        MemorySegment global = warp.cta().grid().global().segment();
        long[] offsets = memory.addresses().offsets();
        memory.addresses().resolve(frame, Space.GLOBAL, step.origin(), step.originOffset(), lanes);
        long[] origins = offsets.clone();
        int[] counts = new int[32];
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            boolean ignored = step.ignore() != null && frame.value(step.ignore(), lane) != 0;
            long asked =
                    step.sourceBytes() == null
                            ? step.bytes()
                            : Math.min(step.bytes(), frame.value(step.sourceBytes(), lane));
            counts[lane] = ignored ? 0 : (int) asked;
            if (counts[lane] > 0) {
                offsets[lane] = origins[lane];
                if ((origins[lane] & step.bytes() - 1) != 0) {
                    throw memory.checks()
                            .outside(
                                    step.site(),
                                    Space.GLOBAL,
                                    offsets,
                                    global.byteSize() - step.bytes(),
                                    step.bytes(),
                                    1 << lane,
                                    false);
                }
                memory.require(frame, step.site(), from, Space.GLOBAL, global, 1, 1 << lane, false);
                offsets[lane] += counts[lane] - 1;
                memory.require(frame, step.site(), from, Space.GLOBAL, global, 1, 1 << lane, false);
            }
        }
        MemorySegment shared = warp.cta().shared();
        memory.addresses()
                .resolve(frame, Space.SHARED, step.destination(), step.destinationOffset(), lanes);
        memory.require(frame, step.site(), from, Space.SHARED, shared, step.bytes(), lanes, true);
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                MemorySegment target = shared.asSlice(offsets[lane], step.bytes());
                target.fill((byte) 0);
                MemorySegment.copy(global, origins[lane], target, 0, counts[lane]);
                memory.checks().underWay(step.site(), lane, offsets[lane], step.bytes());
            }
        }
    }
}
