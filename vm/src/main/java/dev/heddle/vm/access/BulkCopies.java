package dev.heddle.vm.access;

import dev.heddle.formats.Counted;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.ScalarType;
import dev.heddle.vm.access.BulkMemory.Mover;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.BulkStep;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.sanitizer.Sanitizer;
import dev.heddle.vm.sanitizer.SymbolNames;
import dev.heddle.vm.shadow.AsyncOperation.Completion;
import dev.heddle.vm.shadow.AsyncOperation.Region;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Grid;
import dev.heddle.vm.state.GridShape;
import dev.heddle.vm.state.LaneAddresses.Location;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// `cp.async.bulk` and `cp.reduce.async.bulk` (PTX ISA 9.7.9.25.4): each lane's copy of consecutive
/// bytes. They move when the copy begins. Also what is counted or laid out as such copies are:
/// canceled clusters and copied tensor maps.
public record BulkCopies(Warp warp, MemoryUnit memory, BulkMemory bulk, Sanitizer sanitizer) {
    /// Addresses and sizes are multiples of it.
    private static final int UNIT = 16;

    /// Bytes of what a canceled cluster is told as.
    private static final int ANSWER_BYTES = 16;

    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED;

    /// The copies of these lanes.
    public void copy(Frame frame, BulkStep.Copy step, int lanes) {
        warp.changed();
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            copyOf(frame, step, Integer.numberOfTrailingZeros(rest));
        }
    }

    private void copyOf(Frame frame, BulkStep.Copy step, int lane) {
        Location origin = warp.addresses().locate(frame, step.origin(), lane);
        Location target = warp.addresses().locate(frame, step.target(), lane);
        long bytes = frame.value(step.bytes(), lane) & 0xffff_ffffL;
        requireUnits(step.site(), lane, origin, target, bytes);
        if (step.kept() != null) {
            copyKept(step, lane, origin, target, bytes, (int) frame.value(step.kept(), lane));
            return;
        }
        Location barrier = bulk.barrier(frame, step.site(), step.barrier(), lane);
        int ctas = step.ctas() == null ? 0 : (int) frame.value(step.ctas(), lane);
        if (step.ctas() == null) {
            copyTo(step, lane, origin, target, barrier, bytes);
        } else {
            for (Cta cta : bulk.multicast(step.site(), lane, ctas)) {
                Location there = barrier == null ? null : bulk.in(cta, barrier);
                copyTo(step, lane, origin, bulk.in(cta, target), there, bytes);
            }
        }
    }

    private void requireUnits(Site site, int lane, Location origin, Location target, long bytes) {
        if (bytes % UNIT != 0 || origin.offset() % UNIT != 0 || target.offset() % UNIT != 0) {
            throw warp.faults()
                    .undefined(
                            Rule.MISALIGNED_BULK_COPY,
                            site,
                            1 << lane,
                            "%s of %s from %s to %s: all must be multiples of 16"
                                    .formatted(
                                            site.mnemonic(),
                                            Counted.bytes(bytes),
                                            words(origin),
                                            words(target)));
        }
    }

    private String words(Location place) {
        boolean isGlobal = place.space() == Space.GLOBAL;
        long address = isGlobal ? place.offset() + Addresses.GLOBAL : place.offset();
        SymbolNames names = new SymbolNames(warp);
        return "%s address 0x%x%s%s"
                .formatted(
                        place.space().word(),
                        address,
                        names.inVariable(place.space(), address, 0),
                        isGlobal ? "" : names.ofOther(place.owner()));
    }

    /// `.cp_mask`: of each 16 bytes those whose bit is set.
    private void copyKept(
            BulkStep.Copy step, int lane, Location origin, Location target, long bytes, int kept) {
        bulk.requireInside(step.site(), lane, origin, bytes, AccessKind.LOAD);
        bulk.requireInside(step.site(), lane, target, bytes, AccessKind.STORE);
        Mover mover = mover(step, lane, target, null);
        List<Region> reads = new ArrayList<>();
        List<Region> writes = new ArrayList<>();
        for (long at = 0; at < bytes; ) {
            long end = at;
            while (end < bytes && (kept >>> end % UNIT & 1) != 0) {
                end++;
            }
            if (end > at) {
                Location from = origin.plus(at);
                Location to = target.plus(at);
                move(step, mover, from, to, end - at);
                bulk.carry(step.site(), lane, from, to, end - at);
                reads.add(BulkMemory.region(from, end - at));
                writes.add(BulkMemory.region(to, end - at));
            }
            at = end + 1;
        }
        bulk.tell(step.site(), lane, reads, writes, 0, null);
    }

    private void copyTo(
            BulkStep.Copy step,
            int lane,
            Location origin,
            Location target,
            @Nullable Location barrier,
            long bytes) {
        move(step, mover(step, lane, target, barrier), origin, target, bytes);
        List<Region> reads = List.of(BulkMemory.region(origin, bytes));
        List<Region> writes = List.of(BulkMemory.region(target, bytes));
        bulk.tell(step.site(), lane, reads, writes, reduced(step), barrier);
        if (step.operator() == null) {
            bulk.carry(step.site(), lane, origin, target, bytes);
        }
        BulkMemory.complete(barrier, bytes);
    }

    private Mover mover(BulkStep.Copy step, int lane, Location target, @Nullable Location barrier) {
        boolean stores = target.space() == Space.GLOBAL;
        return bulk.mover(
                step.site(), lane, reduced(step), stores, Collections.singletonList(barrier));
    }

    private static int reduced(BulkStep.Copy step) {
        return step.type() == null ? 0 : step.type().bits() / Byte.SIZE;
    }

    /// `tensormap.cp_fenceproxy`: reads as a load does, through the generic proxy and at once (PTX
    /// ISA 9.7.13.16). All lanes name the same map and place, and the warp copies it once all have
    /// come, and none goes on before: Triton takes that to order what any of them wrote before, and
    /// has no barrier there. So the first lane stands for all.
    void copyMap(Frame frame, Step.AccessMemory step, int lanes) {
        Site site = step.site();
        SharedShadow shadow = warp.cta().shadow();
        if (shadow != null) {
            shadow.order().synchronizeWarp(warp.index(), lanes);
        }
        int first = Integer.numberOfTrailingZeros(lanes);
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            Location target = warp.addresses().locate(frame, step.places().get(0), lane);
            Location origin = warp.addresses().locate(frame, step.places().get(1), lane);
            long bytes = frame.value(step.operands().getFirst(), lane);
            requireUnits(site, lane, origin, target, bytes);
            bulk.requireInside(site, lane, origin, bytes, AccessKind.LOAD);
            bulk.requireInside(site, lane, target, bytes, AccessKind.STORE);
            if (lane == first && warp.cta().grid().checked()) {
                lookAtMap(site, lane, origin, target, (int) bytes);
            }
            bulk.keep(target, bytes);
            move(origin, target, bytes);
        }
        Location map = warp.addresses().locate(frame, step.places().get(0), first);
        memory.maps().copied(site, first, map, step.access().scope());
        if (shadow != null) {
            shadow.order().synchronizeWarp(warp.index(), lanes);
        }
    }

    private void lookAtMap(Site site, int lane, Location origin, Location target, int bytes) {
        long[] offsets = warp.addresses().offsets();
        offsets[lane] = origin.offset();
        Access loads = Access.weak(origin.space(), Integer.BYTES);
        memory.checks().load(site, loads, origin.space(), offsets, bytes, 1 << lane);
        offsets[lane] = target.offset();
        Access stores = Access.weak(target.space(), Integer.BYTES);
        memory.checks()
                .store(
                        site,
                        stores,
                        target.space(),
                        offsets,
                        bytes,
                        1 << lane,
                        (of, at) ->
                                origin.segment()
                                        .get(WORD, origin.offset() + (long) Integer.BYTES * at));
    }

    /// Lanes end their groups, or wait for them.
    public void group(BulkStep.Group step, int lanes) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            switch (step.kind()) {
                case COMMIT -> warp.bulkGroups().commit(lane);
                case WAIT -> {
                    int retired = warp.bulkGroups().current(lane) - step.pending() - 1;
                    sanitizer.waited(warp.thread(lane), new Completion.BulkGroup(retired));
                    if (!step.readOnly()) {
                        sanitizer.waited(warp.thread(lane), new Completion.WrittenGroup(retired));
                    }
                }
            }
        }
    }

    /// `clusterlaunchcontrol.try_cancel` (PTX ISA 9.7.13.17): takes a cluster of the grid that has
    /// not begun, and says which.
    void cancel(Frame frame, Step.AccessMemory step, int lane) {
        Site site = step.site();
        boolean everywhere = step.receivers() == Step.AccessMemory.Receivers.CLUSTER;
        Location response = warp.addresses().locate(frame, step.places().get(0), lane);
        Location barrier = warp.addresses().locate(frame, step.places().get(1), lane);
        bulk.requireInside(site, lane, barrier, Long.BYTES, AccessKind.BARRIER);
        Cta own = warp.cta();
        long taken = own.takeCluster();
        List<Cta> ctas =
                everywhere
                        ? bulk.multicast(site, lane, (1 << own.cluster().size()) - 1)
                        : List.of(own);
        for (Cta cta : ctas) {
            Location place = everywhere ? bulk.in(cta, response) : response;
            bulk.requireInside(site, lane, place, ANSWER_BYTES, AccessKind.STORE);
            answer(place, own.grid(), taken);
            Location there = everywhere ? bulk.in(cta, barrier) : barrier;
            List<Region> writes = List.of(BulkMemory.region(place, ANSWER_BYTES));
            bulk.tell(site, lane, List.of(), writes, 0, there);
            BulkMemory.complete(there, ANSWER_BYTES);
        }
    }

    /// x, y and z of the first CTA, and 1 if there is one.
    private static void answer(Location place, Grid grid, long taken) {
        GridShape.Place first = grid.shape().firstOf(Math.max(0, taken));
        int[] words = {first.x(), first.y(), first.z(), taken < 0 ? 0 : 1};
        MemorySegment.copy(words, 0, place.segment(), WORD, place.offset(), words.length);
    }

    private void move(
            BulkStep.Copy step, Mover mover, Location origin, Location target, long bytes) {
        bulk.require(mover, origin, bytes, AccessKind.LOAD);
        bulk.require(mover, target, bytes, AccessKind.STORE);
        boolean isReduction = step.operator() != null;
        bulk.takeOut(step.site(), mover.lane(), origin, bytes, !isReduction);
        AtomicOperator operator = step.operator();
        ScalarType type = step.type();
        if (operator == null || type == null) {
            move(origin, target, bytes);
            return;
        }
        int each = type.bits() / 8;
        bulk.reduce(step.site(), mover.lane(), target, bytes, each);
        for (long at = 0; at < bytes; at += each) {
            reduce(
                    operator,
                    type,
                    target.space(),
                    target,
                    at,
                    MemoryUnit.readBytes(origin.segment(), origin.offset() + at, each));
        }
    }

    private static void move(Location origin, Location target, long bytes) {
        MemorySegment to = target.segment();
        MemorySegment.copy(origin.segment(), origin.offset(), to, target.offset(), bytes);
    }

    /// @param rules the space whose rules sums follow: those of f32 in global memory flush
    ///     subnormals
    static void reduce(
            AtomicOperator operator,
            ScalarType type,
            Space rules,
            Location target,
            long at,
            long operand) {
        new Combination(operator, type, rules)
                .update(target.segment(), target.offset() + at, operand, 0);
    }
}
