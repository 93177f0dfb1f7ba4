package dev.heddle.vm.access;

import dev.heddle.formats.Counted;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.ScalarType;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.BulkStep;
import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.sanitizer.Sanitizer;
import dev.heddle.vm.shadow.AsyncOperation;
import dev.heddle.vm.shadow.AsyncOperation.Completion;
import dev.heddle.vm.shadow.AsyncOperation.Region;
import dev.heddle.vm.shadow.Footprint;
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
import java.util.List;
import java.util.stream.IntStream;

/// `cp.async.bulk` and `cp.reduce.async.bulk` (PTX ISA 9.7.9.25.4): each lane's copy of consecutive
/// bytes. They move when the copy begins. Also what is counted or laid out as such copies are:
/// canceled clusters and copied tensor maps.
public final class BulkCopies {
    /// Addresses and sizes are multiples of it.
    private static final int UNIT = 16;

    /// Bytes of what a canceled cluster is told as.
    private static final int ANSWER_BYTES = 16;

    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED;

    private final Warp warp;
    private final MemoryUnit memory;
    private final Sanitizer sanitizer;

    BulkCopies(Warp warp, MemoryUnit memory, Sanitizer sanitizer) {
        this.warp = warp;
        this.sanitizer = sanitizer;
        this.memory = memory;
    }

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
        require(step.site(), lane, origin, bytes, AccessKind.LOAD, 0);
        Location barrier = barrier(frame, step.site(), step.barrier(), lane);
        int ctas = step.ctas() == null ? 0 : (int) frame.value(step.ctas(), lane);
        if (step.ctas() == null) {
            copyTo(step, lane, origin, target, barrier, bytes);
        } else {
            for (Cta cta : multicast(step.site(), lane, ctas)) {
                Location there = barrier == null ? null : in(cta, barrier);
                copyTo(step, lane, origin, in(cta, target), there, bytes);
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
                            "%s of %s from offset 0x%x to offset 0x%x: all must be multiples of 16"
                                    .formatted(
                                            site.mnemonic(),
                                            Counted.bytes(bytes),
                                            origin.offset(),
                                            target.offset()));
        }
    }

    /// `.cp_mask`: of each 16 bytes those whose bit is set.
    private void copyKept(
            BulkStep.Copy step, int lane, Location origin, Location target, long bytes, int kept) {
        requireInside(step.site(), lane, origin, bytes, AccessKind.LOAD);
        requireInside(step.site(), lane, target, bytes, AccessKind.STORE);
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
                require(step.site(), lane, from, end - at, AccessKind.LOAD, 0);
                move(step, lane, from, to, end - at);
                reads.add(region(from, end - at));
                writes.add(region(to, end - at));
            }
            at = end + 1;
        }
        tell(step.site(), lane, reads, writes, 0, null);
    }

    private void copyTo(
            BulkStep.Copy step,
            int lane,
            Location origin,
            Location target,
            @Nullable Location barrier,
            long bytes) {
        move(step, lane, origin, target, bytes);
        List<Region> reads = List.of(region(origin, bytes));
        tell(step.site(), lane, reads, List.of(region(target, bytes)), reduced(step), barrier);
        complete(barrier, bytes);
    }

    /// `tensormap.cp_fenceproxy`: reads as a load does, through the generic proxy and at once (PTX
    /// ISA 9.7.13.16). All lanes name the same map and place, and the warp copies it once all have
    /// come: Triton takes that to order what any of them wrote before, and has no barrier there.
    void copyMap(Frame frame, Step.AccessMemory step, int lane) {
        Site site = step.site();
        Location target = warp.addresses().locate(frame, step.places().get(0), lane);
        Location origin = warp.addresses().locate(frame, step.places().get(1), lane);
        long bytes = frame.value(step.operands().getFirst(), lane);
        requireUnits(site, lane, origin, target, bytes);
        require(site, lane, origin, bytes, AccessKind.LOAD, 0);
        require(site, lane, target, bytes, AccessKind.STORE, 0);
        move(origin, target, bytes);
        if (warp.isChecked()) {
            long[] offsets = warp.addresses().offsets();
            Access access = Access.weak(origin.space(), Integer.BYTES);
            long end = origin.offset() + bytes;
            for (long at = origin.offset(); at < end; at += Integer.BYTES) {
                int reader = lane;
                if (origin.space() == Space.SHARED) {
                    reader = memory.checks().shared().writerOf((int) at, lane);
                }
                offsets[reader] = at;
                int mask = 1 << reader;
                memory.checks().load(site, access, origin.space(), offsets, Integer.BYTES, mask);
            }
        }
        memory.maps().copied(site, lane, target);
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
                        memory.checks().wroteInBulk(lane, retired);
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
        requireInside(site, lane, barrier, Long.BYTES, AccessKind.BARRIER);
        Cta own = warp.cta();
        long taken = own.takeCluster();
        List<Cta> ctas =
                everywhere ? multicast(site, lane, (1 << own.cluster().size()) - 1) : List.of(own);
        for (Cta cta : ctas) {
            Location place = everywhere ? in(cta, response) : response;
            requireInside(site, lane, place, ANSWER_BYTES, AccessKind.STORE);
            answer(place, own.grid(), taken);
            Location there = everywhere ? in(cta, barrier) : barrier;
            List<Region> writes = List.of(region(place, ANSWER_BYTES));
            tell(site, lane, List.of(), writes, 0, there);
            complete(there, ANSWER_BYTES);
        }
    }

    /// x, y and z of the first CTA, and 1 if there is one.
    private static void answer(Location place, Grid grid, long taken) {
        GridShape.Place first = grid.shape().firstOf(Math.max(0, taken));
        int[] words = {first.x(), first.y(), first.z(), taken < 0 ? 0 : 1};
        MemorySegment.copy(words, 0, place.segment(), WORD, place.offset(), words.length);
    }

    private void move(BulkStep.Copy step, int lane, Location origin, Location target, long bytes) {
        requireToWrite(step.site(), lane, target, bytes, reduced(step));
        AtomicOperator operator = step.operator();
        ScalarType type = step.type();
        if (operator == null || type == null) {
            move(origin, target, bytes);
            return;
        }
        int each = type.bits() / 8;
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

    // What tensor copies need as well.

    Location locate(Frame frame, Step.Place place, int lane) {
        return warp.addresses().locate(frame, place, lane);
    }

    /// The mbarrier that counts, or null where a bulk group does.
    @Nullable Location barrier(Frame frame, Site site, Step.@Nullable Place place, int lane) {
        if (place == null) {
            return null;
        }
        Location barrier = warp.addresses().locate(frame, place, lane);
        requireInside(site, lane, barrier, Long.BYTES, AccessKind.BARRIER);
        return barrier;
    }

    static void complete(@Nullable Location barrier, long bytes) {
        if (barrier != null) {
            BarrierUnit.complete(barrier.owner(), barrier.offset(), bytes);
        }
    }

    /// The CTAs of a multicast.
    List<Cta> multicast(Site site, int lane, int ctas) {
        int size = warp.cta().cluster().size();
        if ((ctas & 0xffff) >>> size != 0) {
            throw warp.faults()
                    .undefined(
                            Rule.MULTICAST_OUTSIDE_CLUSTER,
                            site,
                            1 << lane,
                            "CTA mask 0x%04x names CTAs that the cluster of %d has not"
                                    .formatted(ctas & 0xffff, size));
        }
        return IntStream.range(0, size)
                .filter(rank -> (ctas >>> rank & 1) != 0)
                .mapToObj(warp.cta().cluster()::cta)
                .toList();
    }

    /// The same place in the shared memory of another CTA.
    Location in(Cta cta, Location location) {
        return new Location(
                cta.rank() == warp.cta().rank() ? Space.SHARED : Space.CLUSTER,
                cta.shared(),
                location.offset(),
                cta);
    }

    /// Bytes must be inside; with checks on, those read from global memory must have been written,
    /// and those written count as such.
    ///
    /// @param reduced bytes of each element that a reduction stores, or 0
    void require(Site site, int lane, Location place, long bytes, AccessKind kind, int reduced) {
        requireInside(site, lane, place, bytes, kind);
        if (!warp.isChecked() || bytes == 0) {
            return;
        }
        if (place.space() == Space.GLOBAL) {
            long[] offsets = warp.addresses().offsets();
            offsets[lane] = place.offset();
            boolean words = (place.offset() | bytes) % Integer.BYTES == 0;
            Access access = Access.weak(Space.GLOBAL, words ? Integer.BYTES : 1);
            if (kind.writes() && reduced > 0) {
                memory.checks()
                        .update(
                                site,
                                reduction(reduced),
                                Space.GLOBAL,
                                offsets,
                                (int) bytes,
                                1 << lane,
                                false);
            } else if (kind.writes()) {
                memory.checks()
                        .store(site, access, Space.GLOBAL, offsets, (int) bytes, 1 << lane, null);
            } else {
                memory.checks().load(site, access, Space.GLOBAL, offsets, (int) bytes, 1 << lane);
            }
        }
    }

    /// The same of what is written, but may not be until it is waited for.
    void requireToWrite(Site site, int lane, Location place, long bytes, int reduced) {
        require(site, lane, place, bytes, AccessKind.STORE, reduced);
        if (warp.isChecked() && place.space() == Space.GLOBAL && bytes > 0) {
            memory.checks().writesInBulk(site, lane, place.offset(), bytes, reduced > 0);
        }
    }

    /// Each element is an atomic operation of its own, relaxed, for the whole device.
    private static Access reduction(int bytes) {
        return new Access(Space.GLOBAL, bytes, false, MemoryOrder.RELAXED, Scope.GPU);
    }

    private static int reduced(BulkStep.Copy step) {
        return step.type() == null ? 0 : step.type().bits() / Byte.SIZE;
    }

    void requireInside(Site site, int lane, Location place, long bytes, AccessKind kind) {
        long last = place.segment().byteSize() - bytes;
        if (place.offset() < 0 || place.offset() > last) {
            long[] offsets = warp.addresses().offsets();
            offsets[lane] = place.offset();
            throw memory.checks()
                    .outside(site, place.space(), offsets, last, (int) bytes, 1 << lane, kind);
        }
        if (warp.isChecked() && (place.space() == Space.SHARED || place.space() == Space.CLUSTER)) {
            memory.checks().shared().bounds().require(site, lane, place.offset(), bytes, kind);
        }
    }

    static Region region(Location place, long bytes) {
        return new Region(place.space(), place.owner().rank(), place.offset(), bytes);
    }

    /// Tells who follows asynchronous operations that one has begun.
    ///
    /// @param reduced bytes of each element that a reduction writes, or 0
    void tell(
            Site site,
            int lane,
            List<Region> reads,
            List<Region> writes,
            int reduced,
            @Nullable Location barrier) {
        if (!warp.cta().grid().checked()) {
            return;
        }
        Completion completion =
                barrier == null
                        ? new Completion.BulkGroup(warp.bulkGroups().current(lane))
                        : new Completion.Transaction(barrier.owner().rank(), barrier.offset());
        sanitizer.began(
                new AsyncOperation(
                        site,
                        warp.thread(lane),
                        Footprint.of(reads),
                        writes,
                        reduced,
                        List.of(),
                        List.of(),
                        completion));
    }
}
