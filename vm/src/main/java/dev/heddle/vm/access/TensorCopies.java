package dev.heddle.vm.access;

import dev.heddle.formats.InputException;
import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.access.BulkMemory.Mover;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.BulkStep;
import dev.heddle.vm.ir.BulkStep.TensorCopy.Mode;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.memory.BoxRows;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.TensorMap;
import dev.heddle.vm.memory.TensorMap.Element;
import dev.heddle.vm.shadow.AsyncOperation.Region;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.LaneAddresses.Location;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// `cp.async.bulk.tensor` and `cp.reduce.async.bulk.tensor` (PTX ISA 9.7.9.25.5): a box of a tensor
/// between global and shared memory. It moves when the copy begins.
public record TensorCopies(Warp warp, BulkMemory bulk, TensorMaps maps) {
    private static final int UNIT = 16;

    /// Of the place in shared memory.
    private static final int ALIGNMENT = 128;

    /// Elements that a box of padded ones begins at a multiple of (PTX ISA 9.7.9.27.1.1).
    private static final int PADDED_BOX = 128;

    /// The copies of these lanes. Lanes that store the same box from the same place store it once:
    /// CUTLASS lets a whole warp do so.
    public void copy(Frame frame, BulkStep.TensorCopy step, int lanes) {
        warp.changed();
        boolean once = !step.loads() && step.operator() == null;
        Set<List<Long>> stored = new HashSet<>();
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            if (!once || stored.add(operands(frame, step, lane))) {
                copyOf(frame, step, lane);
            }
        }
    }

    private List<Long> operands(Frame frame, BulkStep.TensorCopy step, int lane) {
        List<Long> values = new ArrayList<>();
        values.add(bulk.locate(frame, step.map(), lane).offset());
        values.add(bulk.locate(frame, step.shared(), lane).offset());
        for (Source coordinate : step.coordinates()) {
            values.add(frame.value(coordinate, lane));
        }
        return values;
    }

    private void copyOf(Frame frame, BulkStep.TensorCopy step, int lane) {
        Location barrier = bulk.barrier(frame, step.site(), step.barrier(), lane);
        List<Cta> ctas = receivers(frame, step, lane);
        List<? extends @Nullable Location> barriers =
                step.ctas() == null ? Collections.singletonList(barrier) : barriers(ctas, barrier);
        TensorMap map = map(frame, step, lane, barriers);
        Location shared = bulk.locate(frame, step.shared(), lane);
        int[] start = integers(frame, step.coordinates(), lane);
        requireRank(step, map, lane);
        requireMode(step, map, lane);
        BoxRows rows = rows(step.mode(), map, start, integers(frame, step.offsets(), lane));
        requireAligned(step.site(), lane, shared);
        if (map.interleave() == 0) {
            requireBoxAligned(step.site(), lane, map, start[0]);
        }
        if (map.columns()) {
            requireInBox(step.site(), lane, map, start);
        }
        if (!step.loads()) {
            requireNotBefore(step, map, lane, start);
        }
        bulk.requireInside(
                step.site(),
                lane,
                shared,
                rows.extent(),
                step.loads() ? AccessKind.STORE : AccessKind.LOAD);
        look(step, lane, rows, barriers);
        if (!step.loads()) {
            box(step, lane, rows, shared).store(rows);
            List<Region> own = List.of(BulkMemory.region(shared, rows.extent()));
            int reduced = reduced(step, map);
            bulk.tell(step.site(), lane, own, List.of(), reduced, barrier);
        } else if (step.ctas() == null) {
            load(step, lane, rows, shared, barrier);
        } else {
            for (int i = 0; i < ctas.size(); i++) {
                load(step, lane, rows, bulk.in(ctas.get(i), shared), barriers.get(i));
            }
        }
    }

    /// The CTAs of a multicast, or none.
    private List<Cta> receivers(Frame frame, BulkStep.TensorCopy step, int lane) {
        return step.ctas() == null
                ? List.of()
                : bulk.multicast(step.site(), lane, (int) frame.value(step.ctas(), lane));
    }

    /// The mbarriers that count what each of some CTAs receives.
    private List<@Nullable Location> barriers(List<Cta> ctas, @Nullable Location barrier) {
        List<@Nullable Location> barriers = new ArrayList<>();
        for (Cta cta : ctas) {
            barriers.add(barrier == null ? null : bulk.in(cta, barrier));
        }
        return barriers;
    }

    private static BoxRows rows(Mode mode, TensorMap map, int[] start, int[] offsets) {
        return switch (mode) {
            case TILE -> new BoxRows.Tile(map, start);
            case ROWS -> new BoxRows.Gathered(map, start);
            case COLUMNS -> new BoxRows.Columns(map, start, offsets);
            case WIDE -> BoxRows.Wide.of(map, start, offsets, false);
            case WIDE_128 -> BoxRows.Wide.of(map, start, offsets, true);
        };
    }

    /// Looks at the rows of a box in global memory, which may go to several CTAs.
    private void look(
            BulkStep.TensorCopy step,
            int lane,
            BoxRows rows,
            List<? extends @Nullable Location> barriers) {
        int reduced = reduced(step, rows.map());
        Mover mover = bulk.mover(step.site(), lane, reduced, !step.loads(), barriers);
        if (mover.isLookedAt()) {
            AccessKind kind = step.loads() ? AccessKind.LOAD : AccessKind.STORE;
            TensorBox.look(rows, moved -> bulk.look(mover, moved, kind));
        }
    }

    private TensorBox box(BulkStep.TensorCopy step, int lane, BoxRows rows, Location shared) {
        Site site = step.site();
        // All of the box is looked at first: mostly it is defined.
        boolean isDefined = step.loads() || bulk.areDefined(shared, rows.extent());
        TensorBox.Taken taken =
                isDefined
                        ? (place, bytes) -> {}
                        : (place, bytes) ->
                                bulk.takeOut(
                                        site,
                                        lane,
                                        shared.plus(place - shared.offset()),
                                        bytes,
                                        false);
        return new TensorBox(rows.map(), shared, step.operator(), global(site, lane), taken);
    }

    private TensorBox.Global global(Site site, int lane) {
        return new TensorBox.Global() {
            @Override
            public Location bytes(long address, int bytes, AccessKind kind) {
                Location place = bulk.global(address - Addresses.GLOBAL);
                bulk.requireInside(site, lane, place, bytes, kind);
                return place;
            }

            @Override
            public @Nullable Location padding(long address, int bytes) {
                Buffer buffer = warp.cta().grid().global().at(address);
                return buffer == null || buffer.end() < address + bytes
                        ? null
                        : bulk.global(address - Addresses.GLOBAL);
            }
        };
    }

    private static int reduced(BulkStep.TensorCopy step, TensorMap map) {
        return step.operator() == null ? 0 : map.element().bytes(1);
    }

    private void load(
            BulkStep.TensorCopy step,
            int lane,
            BoxRows rows,
            Location shared,
            @Nullable Location barrier) {
        box(step, lane, rows, shared).load(rows);
        List<Region> written = List.of(BulkMemory.region(shared, rows.extent()));
        bulk.tell(step.site(), lane, List.of(), written, 0, barrier);
        BulkMemory.complete(barrier, rows.bytes());
    }

    private TensorMap map(
            Frame frame,
            BulkStep.TensorCopy step,
            int lane,
            List<? extends @Nullable Location> barriers) {
        Location place = bulk.locate(frame, step.map(), lane);
        maps.use(step.site(), lane, place, barriers);
        try {
            return TensorMap.decode(place.segment(), place.offset());
        } catch (InputException e) {
            throw broken(
                    step.site(), lane, Rule.INVALID_TENSOR_MAP, String.valueOf(e.getMessage()));
        }
    }

    private static int[] integers(Frame frame, List<Source> sources, int lane) {
        return sources.stream().mapToInt(source -> (int) frame.value(source, lane)).toArray();
    }

    private RuntimeException broken(Site site, int lane, Rule rule, String message) {
        return warp.faults().undefined(rule, "9.7.9.25.5", site, 1 << lane, message);
    }

    private void requireRank(BulkStep.TensorCopy step, TensorMap map, int lane) {
        int coordinates = step.coordinates().size();
        boolean fits =
                step.mode() == Mode.ROWS
                        ? map.rank() == 2 && coordinates == BoxRows.Gathered.COORDINATES
                        : coordinates == map.rank();
        if (!fits) {
            throw broken(
                    step.site(),
                    lane,
                    Rule.WRONG_TENSOR_RANK,
                    "%s with %d coordinates, of a tensor of %d axes"
                            .formatted(step.site().mnemonic(), coordinates, map.rank()));
        }
    }

    private void requireMode(BulkStep.TensorCopy step, TensorMap map, int lane) {
        String found = misfit(step, map);
        if (found != null) {
            throw broken(
                    step.site(),
                    lane,
                    Rule.WRONG_TENSOR_MODE,
                    "%s with a tensor map of %s".formatted(step.site().mnemonic(), found));
        }
    }

    /// What of a map an instruction does not take, or null (PTX ISA 5.5.3.4, 9.7.9.27.1.1).
    private static @Nullable String misfit(BulkStep.TensorCopy step, TensorMap map) {
        if (map.mode() != mapMode(step.mode())) {
            return switch (map.mode()) {
                case TILE -> "tile mode";
                case IM2COL -> "im2col mode";
                case IM2COL_W -> "im2col::w mode";
                case IM2COL_W_128 -> "im2col::w::128 mode";
            };
        }
        if (step.mode() == Mode.ROWS && map.interleave() != 0) {
            return "an interleaved layout";
        }
        if (step.mode() == Mode.ROWS && map.box()[1] != 1) {
            return "boxes of " + map.box()[1] + " rows: it takes four boxes of one";
        }
        if (step.operator() != null && !takes(step.operator(), map.element())) {
            return "elements that it does not reduce: " + map.element();
        }
        return !step.loads() && map.element() == Element.B4X16_P64
                ? "elements of 4 bits with padding"
                : null;
    }

    private static TensorMap.Mode mapMode(Mode mode) {
        return switch (mode) {
            case TILE, ROWS -> TensorMap.Mode.TILE;
            case COLUMNS -> TensorMap.Mode.IM2COL;
            case WIDE -> TensorMap.Mode.IM2COL_W;
            case WIDE_128 -> TensorMap.Mode.IM2COL_W_128;
        };
    }

    /// The elements that a reduction takes (PTX ISA 9.7.9.27.1.3); an H100 ends the kernel for
    /// others, and adds doubles, too.
    private static boolean takes(AtomicOperator operator, Element element) {
        return switch (element) {
            case U32 -> true;
            case S32 ->
                    operator != AtomicOperator.INCREMENT && operator != AtomicOperator.DECREMENT;
            case U64, S64 ->
                    switch (operator) {
                        case ADD -> element == Element.U64;
                        case MINIMUM, MAXIMUM, AND, OR, XOR -> true;
                        default -> false;
                    };
            case F16, BF16 ->
                    operator == AtomicOperator.ADD
                            || operator == AtomicOperator.MINIMUM
                            || operator == AtomicOperator.MAXIMUM;
            case F32, F32_FTZ, F64, TF32, TF32_FTZ -> operator == AtomicOperator.ADD;
            case U8, U16, B4X16, B4X16_P64, B6X16 -> false;
        };
    }

    /// Stores and reductions have no coordinates before the tensor (PTX ISA 9.7.9.27.1.1); an H100
    /// ends the kernel.
    private void requireNotBefore(BulkStep.TensorCopy step, TensorMap map, int lane, int[] start) {
        String mnemonic = step.site().mnemonic();
        for (int axis = 0; axis < start.length; axis++) {
            if (start[axis] < 0) {
                throw outside(
                        step.site(),
                        lane,
                        "%s of a box with coordinate %d on axis %d: coordinates of a store are not negative"
                                .formatted(mnemonic, start[axis], axis));
            }
        }
        for (int axis = 0; map.columns() && axis < map.rank() - 2; axis++) {
            if (map.lower()[axis] < 0 || map.upper()[axis] > 0) {
                throw outside(
                        step.site(),
                        lane,
                        "%s with a bounding box from %d to %d beyond axis %d: it must stay within the tensor"
                                .formatted(
                                        mnemonic, map.lower()[axis], map.upper()[axis], axis + 1));
            }
        }
    }

    /// The filter's base is inside the bounding box (PTX ISA 5.5.4.1); an H100 ends the kernel. Of
    /// pixels along W it may be left of it (5.5.5.1).
    private void requireInBox(Site site, int lane, TensorMap map, int[] start) {
        boolean wide = map.mode() != TensorMap.Mode.IM2COL;
        for (int i = 0; i < (wide ? 1 : map.rank() - 2); i++) {
            int axis = map.firstInnerAxis() + i;
            int lower = wide ? Integer.MIN_VALUE : map.lower()[i];
            long behind = map.shape()[axis] + map.upper()[i];
            if (start[axis] < lower || start[axis] >= behind) {
                throw outside(
                        site,
                        lane,
                        "%s with coordinate %d on axis %d: the bounding box goes from %d to %d there"
                                .formatted(
                                        site.mnemonic(),
                                        start[axis],
                                        axis,
                                        map.lower()[i],
                                        behind - 1));
            }
        }
    }

    private RuntimeException outside(Site site, int lane, String message) {
        return warp.faults().undefined(Rule.TENSOR_BOX_OUTSIDE, site, 1 << lane, message);
    }

    /// An H100 ends a kernel that does otherwise: illegal instruction.
    private void requireBoxAligned(Site site, int lane, TensorMap map, int start) {
        long bytes = map.element().bytes((long) start);
        boolean aligned = map.element().isPadded() ? start % PADDED_BOX == 0 : bytes % UNIT == 0;
        if (!aligned) {
            throw warp.faults()
                    .undefined(
                            Rule.MISALIGNED_TENSOR_BOX,
                            site,
                            1 << lane,
                            "%s of a box that begins at element %d of the innermost axis, byte %d: a box begins at a multiple of %s"
                                    .formatted(
                                            site.mnemonic(),
                                            start,
                                            bytes,
                                            map.element().isPadded()
                                                    ? "128 of these elements"
                                                    : "16 bytes"));
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
}
