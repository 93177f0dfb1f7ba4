package dev.heddle.vm.access;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.BulkStep;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.BoxRows;
import dev.heddle.vm.memory.TensorMap;
import dev.heddle.vm.shadow.AsyncOperation.Region;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.LaneAddresses.Location;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// `cp.async.bulk.tensor` and `cp.reduce.async.bulk.tensor` (PTX ISA 9.7.9.25.5): a box of a tensor
/// between global and shared memory. It moves when the copy begins.
///
/// In shared memory the box is packed, rows of the innermost axis one after the other, and its
/// 16-byte units are then permuted within the swizzle pattern.
public final class TensorCopies {
    private static final int UNIT = 16;

    /// Of the place in shared memory.
    private static final int ALIGNMENT = 128;

    /// What every 16 bits of elements outside the tensor read as where they are NaN, whatever
    /// their type: measured on an H100.
    private static final int OUTSIDE = 0x7ff7;

    private final Warp warp;
    private final BulkCopies bulk;

    TensorCopies(Warp warp, BulkCopies bulk) {
        this.warp = warp;
        this.bulk = bulk;
    }

    /// `tensormap.replace`.
    public void replace(Frame frame, BulkStep.ReplaceInTensorMap step, int lanes) {
        warp.changed();
        TensorMap.Field field = TensorMap.Field.valueOf(step.field().toUpperCase(Locale.ROOT));
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            Location map = bulk.locate(frame, step.map(), lane);
            bulk.requireInside(step.site(), lane, map, TensorMap.BYTES, true);
            long value = frame.value(step.value(), lane);
            TensorMap.set(map.segment(), map.offset(), field, step.ordinal(), value);
        }
    }

    /// The copies of these lanes.
    public void copy(Frame frame, BulkStep.TensorCopy step, int lanes) {
        warp.changed();
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            copyOf(frame, step, Integer.numberOfTrailingZeros(rest));
        }
    }

    private void copyOf(Frame frame, BulkStep.TensorCopy step, int lane) {
        TensorMap map = map(frame, step, lane);
        Location shared = bulk.locate(frame, step.shared(), lane);
        int[] start = integers(frame, step.coordinates(), lane);
        if (start.length != map.rank()) {
            throw broken(
                    step.site(),
                    lane,
                    Rule.WRONG_TENSOR_RANK,
                    "%s of a tensor of %d axes".formatted(step.site().mnemonic(), map.rank()));
        }
        requireColumns(step, map, lane);
        BoxRows rows =
                step.offsets() == null
                        ? BoxRows.tile(map, start)
                        : BoxRows.columns(map, start, integers(frame, step.offsets(), lane));
        requireAligned(step.site(), lane, shared);
        requireBoxAligned(step.site(), lane, map, start[0]);
        long bytes = rows.bytes();
        long extent = bytes / rows.rowBytes() * rows.pitch();
        bulk.requireInside(step.site(), lane, shared, extent, step.loads());
        Location barrier = bulk.barrier(frame, step.site(), step.barrier(), lane);
        List<Region> touched = new ArrayList<>();
        if (!step.loads()) {
            new Box(step, lane, map, shared, touched).store(rows);
            List<Region> own = List.of(BulkCopies.region(shared, extent));
            bulk.tell(step.site(), lane, own, touched, barrier, bytes);
        } else if (step.ctas() == null) {
            load(new Box(step, lane, map, shared, touched), rows, barrier);
        } else {
            int mask = (int) frame.value(step.ctas(), lane);
            for (Cta cta : bulk.multicast(step.site(), lane, mask)) {
                Location there = bulk.in(cta, shared);
                Location counter = barrier == null ? null : bulk.in(cta, barrier);
                load(new Box(step, lane, map, there, touched), rows, counter);
            }
        }
    }

    private void load(Box box, BoxRows rows, @Nullable Location barrier) {
        box.load(rows);
        long extent = rows.bytes() / rows.rowBytes() * rows.pitch();
        List<Region> written = List.of(BulkCopies.region(box.shared, extent));
        bulk.tell(box.step.site(), box.lane, box.touched, written, barrier, rows.bytes());
        BulkCopies.complete(barrier, rows.bytes());
    }

    private TensorMap map(Frame frame, BulkStep.TensorCopy step, int lane) {
        Location place = bulk.locate(frame, step.map(), lane);
        bulk.requireInside(step.site(), lane, place, TensorMap.BYTES, false);
        try {
            return TensorMap.decode(place.segment(), place.offset());
        } catch (IllegalArgumentException e) {
            throw broken(
                    step.site(), lane, Rule.INVALID_TENSOR_MAP, String.valueOf(e.getMessage()));
        } catch (UnsupportedOperationException e) {
            throw warp.faults().unsupported(step.site(), 1 << lane, String.valueOf(e.getMessage()));
        }
    }

    private static int[] integers(Frame frame, List<Source> sources, int lane) {
        return sources.stream().mapToInt(source -> (int) frame.value(source, lane)).toArray();
    }

    private RuntimeException broken(Site site, int lane, Rule rule, String message) {
        return warp.faults().undefined(rule, "9.7.9.25.5", site, 1 << lane, message);
    }

    /// A map of one mode cannot be used in the other.
    private void requireColumns(BulkStep.TensorCopy step, TensorMap map, int lane) {
        boolean columns = step.site().has("im2col") || step.site().has("im2col_no_offs");
        if (columns != map.columns()) {
            throw broken(
                    step.site(),
                    lane,
                    Rule.WRONG_TENSOR_MODE,
                    "%s with a tensor map of %s mode"
                            .formatted(step.site().mnemonic(), map.columns() ? "im2col" : "tile"));
        }
    }

    /// An H100 ends a kernel that does otherwise: illegal instruction.
    private void requireBoxAligned(Site site, int lane, TensorMap map, int start) {
        long bytes = (long) start * map.element().bytes();
        if (bytes % UNIT != 0) {
            throw warp.faults()
                    .undefined(
                            Rule.MISALIGNED_TENSOR_BOX,
                            site,
                            1 << lane,
                            "%s of a box that begins at element %d of the innermost axis, byte %d: a box begins at a multiple of 16 bytes"
                                    .formatted(site.mnemonic(), start, bytes));
        }
    }

    private void requireAligned(Site site, int lane, Location shared) {
        if (shared.offset() % ALIGNMENT != 0) {
            throw broken(
                    site,
                    lane,
                    Rule.MISALIGNED_TENSOR_COPY,
                    "%s at shared address 0x%x, which is not a multiple of %d"
                            .formatted(site.mnemonic(), shared.offset(), ALIGNMENT));
        }
    }

    /// One copy between a tensor and a place in shared memory.
    private final class Box {
        private final BulkStep.TensorCopy step;
        private final int lane;
        private final TensorMap map;
        private final Location shared;
        private final List<Region> touched;
        private final int swizzleMask;
        private final Location global;

        Box(
                BulkStep.TensorCopy step,
                int lane,
                TensorMap map,
                Location shared,
                List<Region> touched) {
            this.step = step;
            this.lane = lane;
            this.map = map;
            this.shared = shared;
            this.touched = touched;
            swizzleMask = map.swizzle() == 0 ? 0 : map.swizzle() - UNIT;
            global =
                    new Location(
                            Space.GLOBAL,
                            warp.cta().grid().global().segment(),
                            map.address() - Addresses.GLOBAL,
                            warp.cta());
        }

        /// Where a unit of the packed box stands.
        private long swizzled(long offset) {
            return offset ^ (offset >> 3 & swizzleMask);
        }

        void load(BoxRows rows) {
            byte[] row = new byte[rows.rowBytes()];
            MemorySegment bytes = MemorySegment.ofArray(row);
            rows.forEach(
                    (at, from, to, offset) -> {
                        fill(row);
                        if (to > from) {
                            Location source = required(offset, to - from, false);
                            MemorySegment.copy(
                                    source.segment(), source.offset(), bytes, from, to - from);
                        }
                        put(bytes, at);
                    });
        }

        private void put(MemorySegment row, long at) {
            if (swizzleMask == 0) {
                MemorySegment.copy(row, 0, shared.segment(), shared.offset() + at, row.byteSize());
                return;
            }
            for (long i = 0; i < row.byteSize(); i += UNIT) {
                long to = swizzled(shared.offset() + at + i);
                long count = Math.min(UNIT, row.byteSize() - i);
                MemorySegment.copy(row, i, shared.segment(), to, count);
            }
        }

        private void fill(byte[] row) {
            if (!map.nanFill()) {
                java.util.Arrays.fill(row, (byte) 0);
                return;
            }
            for (int i = 0; i < row.length; i++) {
                row[i] = (byte) (OUTSIDE >>> 8 * (i % 2));
            }
        }

        void store(BoxRows rows) {
            rows.forEach(
                    (at, from, to, offset) -> {
                        if (to > from) {
                            Location target = required(offset, to - from, true);
                            take(at + from, target, to - from);
                        }
                    });
        }

        private void take(long at, Location target, int bytes) {
            int each = map.element().bytes();
            for (int done = 0; done < bytes; ) {
                long from = shared.offset() + at + done;
                int count = (int) Math.min(bytes - done, UNIT - from % UNIT);
                long place = swizzled(from);
                if (step.operator() == null) {
                    MemorySegment.copy(
                            shared.segment(),
                            place,
                            target.segment(),
                            target.offset() + done,
                            count);
                } else {
                    for (int i = 0; i < count; i += each) {
                        BulkCopies.reduce(
                                step.operator(),
                                map.element().type(),
                                target,
                                done + i,
                                MemoryUnit.readBytes(shared.segment(), place + i, each));
                    }
                }
                done += count;
            }
        }

        /// Bytes of the tensor, which must be inside a buffer.
        private Location required(long offset, int bytes, boolean store) {
            Location place =
                    new Location(
                            Space.GLOBAL,
                            global.segment(),
                            global.offset() + offset,
                            global.owner());
            bulk.require(step.site(), lane, place, bytes, store);
            if (warp.isChecked()) {
                touched.add(BulkCopies.region(place, bytes));
            }
            return place;
        }
    }
}
