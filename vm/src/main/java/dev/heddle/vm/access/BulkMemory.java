package dev.heddle.vm.access;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.sanitizer.MovedRows;
import dev.heddle.vm.sanitizer.Sanitizer;
import dev.heddle.vm.shadow.Aside;
import dev.heddle.vm.shadow.AsyncOperation;
import dev.heddle.vm.shadow.AsyncOperation.Completion;
import dev.heddle.vm.shadow.AsyncOperation.Region;
import dev.heddle.vm.shadow.Footprint;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.LaneAddresses.Location;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// The memory that bulk and tensor copies of a warp touch: what must be so of it before they move
/// bytes, who counts these, and who is told of the copies.
record BulkMemory(Warp warp, MemoryUnit memory, Sanitizer sanitizer) {
    private static final Access OF_WORDS = Access.weak(Space.GLOBAL, Integer.BYTES);
    private static final Access OF_BYTES = Access.weak(Space.GLOBAL, 1);

    /// A copy of a lane.
    ///
    /// @param reduced bytes of each element that a reduction stores, or 0
    /// @param asides what stands for it in global memory, for each CTA that receives it; none where
    ///     nobody looks
    record Mover(Site site, int lane, int reduced, List<Aside> asides) {
        boolean isLookedAt() {
            return !asides.isEmpty();
        }

        private Access access(MovedRows rows, AccessKind kind) {
            if (kind.writes() && reduced > 0) {
                // Each element is an atomic operation of its own (PTX ISA 9.7.9.25.4.2).
                return new Access(Space.GLOBAL, reduced, false, MemoryOrder.RELAXED, Scope.GPU);
            }
            long places = rows.first() | rows.bytes() | rows.pitch();
            return places % Integer.BYTES == 0 ? OF_WORDS : OF_BYTES;
        }
    }

    /// A copy of a lane between shared and global memory.
    ///
    /// @param stores whether it goes to global memory
    /// @param barriers that count its bytes, of each CTA that receives it, or null
    Mover mover(
            Site site,
            int lane,
            int reduced,
            boolean stores,
            List<? extends @Nullable Location> barriers) {
        if (!warp.cta().grid().checked()) {
            return new Mover(site, lane, reduced, List.of());
        }
        List<Aside> asides = new ArrayList<>();
        for (Location barrier : barriers) {
            Completion completion =
                    stores
                            ? new Completion.WrittenGroup(warp.bulkGroups().current(lane))
                            : completion(lane, barrier);
            Aside aside = sanitizer.aside(site, warp.thread(lane), completion);
            if (aside != null) {
                asides.add(aside);
            }
        }
        return new Mover(site, lane, reduced, asides);
    }

    private Completion completion(int lane, @Nullable Location barrier) {
        return barrier == null
                ? new Completion.BulkGroup(warp.bulkGroups().current(lane))
                : new Completion.Transaction(barrier.owner().rank(), barrier.offset());
    }

    /// Bytes must be inside; with checks on, those read from global memory must have been written,
    /// and those written count as such.
    void require(Mover by, Location place, long bytes, AccessKind kind) {
        if (by.isLookedAt() && place.space() == Space.GLOBAL && bytes > 0) {
            look(by, MovedRows.one(place.offset(), (int) bytes), kind);
        } else {
            requireInside(by.site, by.lane, place, bytes, kind);
        }
    }

    /// Looks at rows of global memory, unless nobody does.
    void look(Mover by, MovedRows rows, AccessKind kind) {
        for (int row = 0; row < rows.count(); row++) {
            requireInside(by.site, by.lane, global(rows.at(row)), rows.bytes(), kind);
        }
        if (by.isLookedAt()) {
            Access access = by.access(rows, kind);
            AccessKind how = access.isStrong() ? AccessKind.ATOMIC : kind;
            memory.checks().move(by.site, access, how, rows, by.lane, by.asides);
        }
    }

    /// A place in global memory.
    Location global(long offset) {
        return new Location(Space.GLOBAL, warp.cta().grid().global().segment(), offset, warp.cta());
    }

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
            Transactions.complete(barrier.owner(), barrier.offset(), bytes);
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

    void requireInside(Site site, int lane, Location place, long bytes, AccessKind kind) {
        long last = place.segment().byteSize() - bytes;
        if (place.offset() < 0 || place.offset() > last) {
            long[] offsets = warp.addresses().offsets();
            offsets[lane] = place.offset();
            throw memory.checks()
                    .outside(site, place.space(), offsets, last, (int) bytes, 1 << lane, kind);
        }
        if (warp.cta().grid().checked()
                && (place.space() == Space.SHARED || place.space() == Space.CLUSTER)) {
            memory.checks().shared().bounds().require(site, lane, place.offset(), bytes, kind);
        }
    }

    /// Bytes of this CTA's shared memory are about to go elsewhere.
    ///
    /// @param asTheyAre whether nothing is computed from them
    void takeOut(Site site, int lane, Location place, long bytes, boolean asTheyAre) {
        if (place.space() == Space.SHARED && warp.cta().grid().checked()) {
            memory.checks().copied().takeOut(site, lane, place.offset(), bytes, asTheyAre);
        }
    }

    /// A reduction is about to combine bytes with what is in shared memory.
    ///
    /// @param each bytes of an element
    void reduce(Site site, int lane, Location place, long bytes, int each) {
        if (place.space() == Space.CLUSTER && warp.cta().grid().checked()) {
            long[] offsets = warp.addresses().offsets();
            offsets[lane] = place.offset();
            Access access = Access.weak(Space.CLUSTER, each);
            memory.checks().reduce(site, access, place.owner(), offsets, (int) bytes, 1 << lane);
        }
    }

    /// A copy that has begun has moved bytes.
    void carry(Site site, int lane, Location from, Location to, long bytes) {
        if (warp.cta().grid().checked()) {
            memory.checks().copied().carry(site, lane, from, to, bytes);
        }
    }

    /// Whether nobody has to look at bytes that go elsewhere.
    boolean areDefined(Location place, long bytes) {
        return !warp.cta().grid().checked()
                || memory.checks().copied().areDefined(place.offset(), bytes);
    }

    /// Who may have to take back a launch is told of a write that is looked at later.
    void keep(Location place, long bytes) {
        if (place.space() == Space.GLOBAL) {
            warp.cta().grid().global().toWrite(Addresses.GLOBAL + place.offset(), bytes);
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
        sanitizer.began(
                new AsyncOperation(
                        site,
                        warp.thread(lane),
                        Footprint.of(reads),
                        writes,
                        reduced,
                        List.of(),
                        List.of(),
                        completion(lane, barrier)));
    }
}
