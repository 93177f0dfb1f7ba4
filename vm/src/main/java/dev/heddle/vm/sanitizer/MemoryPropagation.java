package dev.heddle.vm.sanitizer;

import dev.heddle.ptx.instruction.InstructionKind.Memory;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.RowFragments;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.TextureStep;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.LaneText;
import dev.heddle.vm.shadow.UndefinedBits;
import dev.heddle.vm.shadow.UndefinedMemory;
import dev.heddle.vm.state.Frame;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/// How undefined bits go through memory: what a lane stores there another may load, or nobody.
/// Shared memory has them bit by bit.
final class MemoryPropagation {
    /// Places on the way of a value that a message names.
    private static final int MOST_PLACES = 6;

    private final UndefinedUses uses;

    // What is being stored, where some of it is undefined: values of lanes, or rows of matrices.
    private @Nullable Frame frame;
    private @Nullable Site site;
    private List<? extends Source> values = List.of();
    private int elementBytes;
    private @Nullable RowFragments dealt;

    // By value, with the store on its way; made when first asked for.
    private UndefinedBits.@Nullable Origin[] origins = {};

    MemoryPropagation(UndefinedUses uses) {
        this.uses = uses;
    }

    // Stores.

    /// Lanes are about to store.
    void begin(Frame running, Step.Store step) {
        begin(running, step.site(), step.values());
        elementBytes = step.access().bytes();
        dealt = null;
    }

    /// A warp is about to store rows of matrices.
    void begin(Frame running, Site by, List<Source> stored, RowFragments rows) {
        begin(running, by, stored);
        dealt = rows;
    }

    private void begin(Frame running, Site by, List<? extends Source> stored) {
        UndefinedBits bits = running.undefinedBits();
        boolean isUndefined = stored.stream().anyMatch(value -> bits.lanes(value, -1) != 0);
        frame = isUndefined ? running : null;
        site = by;
        values = stored;
        origins = new UndefinedBits.Origin[isUndefined ? stored.size() : 0];
    }

    /// Nothing is being stored whose bits are known.
    void end() {
        frame = null;
    }

    /// Lanes store bytes.
    void store(UndefinedMemory memory, long[] offsets, int bytes, int lanes) {
        if (frame == null && memory.isEmpty()) {
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int first = (int) offsets[lane];
            memory.define(first, first + bytes);
            for (int i = 0; frame != null && i < bytes; i++) {
                if (dealt == null) {
                    storeByte(memory, frame, first + i, lane, i);
                } else {
                    storeOfRow(memory, frame, dealt, first + i, lane, i);
                }
            }
        }
    }

    /// Lanes store bytes to memory of which only marks tell what was written: where something is
    /// undefined, nobody has written.
    ///
    /// @param unmark gets where such bytes are
    void unmark(long[] offsets, int bytes, int lanes, LongConsumer unmark) {
        for (int rest = frame == null ? 0 : lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            for (int i = 0; frame != null && i < bytes; i++) {
                long undefined = frame.undefinedBits().of(values.get(i / elementBytes), lane);
                if ((undefined >>> 8 * (i % elementBytes) & 0xff) != 0) {
                    unmark.accept(offsets[lane] + i);
                }
            }
        }
    }

    private void storeByte(UndefinedMemory memory, Frame from, int at, int lane, int i) {
        int value = i / elementBytes;
        long undefined = from.undefinedBits().of(values.get(value), lane);
        keep(memory, at, value, undefined >>> 8 * (i % elementBytes));
    }

    /// The lane whose element stands in a byte of a row is another than the one that names the row.
    private void storeOfRow(
            UndefinedMemory memory, Frame from, RowFragments fragments, int at, int row, int i) {
        int unit = fragments.element().slotBits() / 8;
        for (int value = 0; value < values.size(); value++) {
            for (int lane = 0; lane < 32; lane++) {
                for (int slot = 0; slot < fragments.element().perRegister(); slot++) {
                    if (fragments.row(value, lane, slot) == row
                            && fragments.column(value, lane, slot) == i / unit) {
                        long undefined = from.undefinedBits().of(values.get(value), lane);
                        keep(memory, at, value, undefined >>> 8 * (slot * unit + i % unit));
                    }
                }
            }
        }
    }

    private void keep(UndefinedMemory memory, int at, int value, long undefined) {
        int part = (int) undefined & 0xff;
        if (part != 0) {
            memory.set(at, part, origin(value));
        }
    }

    private UndefinedBits.@Nullable Origin origin(int value) {
        if (origins[value] == null
                && frame != null
                && site != null
                && values.get(value) instanceof Register register) {
            int lanes = frame.undefinedBits().lanes(register, -1);
            UndefinedBits.Origin known = uses.origin(frame, site, register, lanes);
            Finding cause = known.finding();
            List<Finding.Note> way = new ArrayList<>(cause.notes());
            if (way.size() < MOST_PLACES && !site.equals(cause.site())) {
                way.add(
                        new Finding.Note(
                                site, "stored to shared memory by " + LaneText.describe(lanes)));
            }
            origins[value] = new UndefinedBits.Origin(cause.with(way), known.isCopy());
        }
        return origins[value];
    }

    // Loads.

    /// Lanes load bytes into what a step or a matrix instruction names; anything else that looks at
    /// undefined bits decides by them.
    void load(
            Definedness definedness,
            UndefinedMemory memory,
            Site by,
            long[] offsets,
            int bytes,
            int lanes) {
        if (memory.isEmpty()) {
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            for (int i = 0; i < bytes; i++) {
                int at = (int) offsets[lane] + i;
                UndefinedBits.Origin origin = memory.origin(at);
                if (origin != null && !definedness.takes(lane, i, memory.bits(at), () -> origin)) {
                    decide(memory, by, at, at + 1);
                }
            }
        }
    }

    /// Lanes read bytes and write them anew, by what they hold.
    void update(UndefinedMemory memory, Site by, long[] offsets, int bytes, int lanes) {
        for (int rest = lanes; rest != 0 && !memory.isEmpty(); rest &= rest - 1) {
            int at = (int) offsets[Integer.numberOfTrailingZeros(rest)];
            decide(memory, by, at, at + bytes);
        }
    }

    /// Something depends on these bytes: it is an error where some of their bits are undefined;
    /// from then on they count as defined.
    void decide(UndefinedMemory memory, Site by, int from, int to) {
        UndefinedBits.Origin origin = memory.first(from, to);
        if (origin != null) {
            uses.tell(by, origin);
            memory.define(from, to);
        }
    }

    /// Whether what a step finds in memory goes nowhere but to its registers.
    static boolean isOnlyTaken(Step step) {
        return step instanceof Step.AccessMemory access
                        && access.site().kind().memory() == Memory.READS
                || step instanceof TextureStep
                || step instanceof Step.Atomic atomic
                        && atomic.operator() == AtomicOperator.EXCHANGE;
    }
}
