package dev.heddle.vm.access;

import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.sanitizer.AsideLanes;
import dev.heddle.vm.shadow.AsyncOperation.Region;
import dev.heddle.vm.shadow.BarrierLog;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.BarrierObject;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.LaneAddresses.Location;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The bytes that asynchronous operations bring, which mbarriers count (PTX ISA 9.7.13.15.5): those
/// of bulk copies, and of `st.async` and `red.async` of lanes (9.7.9.12 and 9.7.13.7).
record Transactions(Warp warp, MemoryUnit memory) {
    /// Bytes of a transaction are complete.
    ///
    /// @param owner the CTA that has the object
    static void complete(Cta owner, long offset, long bytes) {
        BarrierObject state = BarrierObject.at(owner.shared(), offset);
        BarrierObject next = state.received(bytes);
        next.store(owner.shared(), offset);
        boolean completes = next.phase() != state.phase();
        SharedShadow shadow = owner.shadow();
        if (shadow != null) {
            shadow.order().transaction(offset, completes);
        }
        BarrierLog log = owner.barrierLog();
        if (completes && log != null) {
            log.completed(offset);
        }
    }

    /// What a lane wrote is over for who waits for this phase.
    void wrote(Site site, long object, long bytes, int lane) {
        Cta owner = warp.addresses().owner();
        long at = memory.checks().aside(lane);
        int reduced = site.kind() == InstructionKind.ASYNC_REDUCE ? (int) bytes : 0;
        memory.bulkMemory()
                .tell(
                        site,
                        lane,
                        List.of(),
                        List.of(new Region(Space.SHARED, owner.rank(), at, bytes)),
                        reduced,
                        new Location(Space.SHARED, owner.shared(), object, owner));
    }

    /// The object after as many transactions of so many bytes as there are lanes; null where that
    /// ends a phase before the last of them.
    static @Nullable BarrierObject received(BarrierObject state, long bytes, int lanes) {
        BarrierObject next = state;
        for (int i = 0; i < Integer.bitCount(lanes); i++) {
            if (next.phase() != state.phase()) {
                return null;
            }
            next = next.received(bytes);
        }
        return next;
    }

    /// Whether lanes may be told of as one operation.
    boolean areOne(AsideLanes all) {
        return memory.bulkMemory().sanitizer().areInOrder(all);
    }

    /// Tells of them.
    ///
    /// @param releases whether the lanes release what they did, too
    /// @param completes whether the last of them ends the phase
    void wrote(AsideLanes all, boolean releases, boolean completes) {
        memory.bulkMemory().sanitizer().began(all);
        SharedShadow own = warp.cta().shadow();
        SharedShadow there = all.owner().shadow();
        if (own != null && there != null) {
            own.order()
                    .strong()
                    .phases()
                    .arrive(
                            there.order().strong().shared(),
                            all.object(),
                            all.warp(),
                            all.lanes(),
                            releases,
                            false);
        }
        if (there != null) {
            there.order().transaction(all.object(), completes);
        }
    }
}
