package dev.heddle.vm.access;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.sanitizer.AccessChecks;
import dev.heddle.vm.sanitizer.Stored;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.LaneAddresses;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// `ld` and `st`: every lane's elements into its registers, and from them.
public final class LoadStoreUnit {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private final Warp warp;
    private final boolean checked;
    private final MemoryUnit memory;
    private final AccessChecks checks;
    private final LaneAddresses addresses;
    private final long[] offsets;

    LoadStoreUnit(Warp warp, MemoryUnit memory) {
        this.warp = warp;
        this.memory = memory;
        checked = warp.cta().grid().checked();
        checks = memory.checks();
        addresses = warp.addresses();
        offsets = addresses.offsets();
    }

    /// Offsets of a weak access to one word a lane in a known space. Returns the segment where all
    /// words are inside and aligned, or null where lanes need a closer look.
    private @Nullable MemorySegment plainWords(
            Frame frame, Access access, Source base, long offset, int elements) {
        Space space = access.space();
        boolean global = space == Space.GLOBAL;
        if (elements != 1
                || access.bytes() != 4
                || access.isStrong()
                || !(global || space == Space.SHARED)
                || !(base instanceof Register)) {
            return null;
        }
        if (global && base.width() == Width.WORD) {
            return null;
        }
        addresses.fill(frame, base, global ? offset - Addresses.GLOBAL : offset);
        MemorySegment segment = addresses.segment(space);
        long last = segment.byteSize() - 4;
        long signs = 0;
        long low = 0;
        for (int lane = 0; lane < 32; lane++) {
            signs |= offsets[lane] | last - offsets[lane];
            low |= offsets[lane];
        }
        return signs < 0 || (low & 3) != 0 ? null : segment;
    }

    private boolean loadPlain(Frame frame, Step.Load step, int lanes) {
        Register target = step.targets().getFirst();
        if (target == null || target.bits() != 32) {
            return false;
        }
        MemorySegment segment =
                plainWords(frame, step.access(), step.base(), step.offset(), step.targets().size());
        if (segment == null) {
            return false;
        }
        if (checked) {
            checks.load(step.site(), step.access(), step.access().space(), offsets, 4, lanes);
        }
        int[] words = frame.words;
        int at = 32 * target.index();
        if (lanes == -1 && isContiguous()) {
            MemorySegment.copy(segment, INT, offsets[0], words, at, 32);
        } else {
            for (int lane = 0; lane < 32; lane++) {
                if ((lanes >>> lane & 1) != 0) {
                    words[at + lane] = segment.get(INT, offsets[lane]);
                }
            }
        }
        return true;
    }

    private boolean storePlain(Frame frame, Step.Store step, int lanes) {
        if (!(step.values().getFirst() instanceof Register register)) {
            return false;
        }
        MemorySegment segment =
                plainWords(frame, step.access(), step.base(), step.offset(), step.values().size());
        if (segment == null) {
            return false;
        }
        if (checked) {
            checks.store(
                    step.site(),
                    step.access(),
                    step.access().space(),
                    offsets,
                    4,
                    lanes,
                    stored(frame, step));
        }
        int[] words = frame.words;
        int at = 32 * register.index();
        if (lanes == -1 && isContiguous()) {
            MemorySegment.copy(words, at, segment, INT, offsets[0], 32);
        } else {
            for (int lane = 0; lane < 32; lane++) {
                if ((lanes >>> lane & 1) != 0) {
                    segment.set(INT, offsets[lane], words[at + lane]);
                }
            }
        }
        return true;
    }

    /// `ld`: every lane's elements into its registers.
    public void load(Frame frame, Step.Load step, int lanes) {
        if (loadPlain(frame, step, lanes)) {
            return;
        }
        Access access = step.access();
        int bytes = access.bytes() * step.targets().size();
        addresses.forEachSpace(
                frame,
                access.space(),
                step.base(),
                step.offset(),
                lanes,
                (space, segment, part) -> {
                    spinIfStrong(step, access, space, part);
                    memory.require(
                            step.site(), access, space, segment, bytes, part, AccessKind.LOAD);
                    move(access, step.targets().size(), () -> loadPart(frame, step, segment, part));
                });
    }

    /// Lanes may wait for what others store.
    private void spinIfStrong(Step step, Access access, Space space, int lanes) {
        if (access.isStrong()) {
            memory.spin(step.site(), space, lanes);
        }
    }

    /// Moves values, those of 128 bits under a lock where that can be told from outside.
    private void move(Access access, int elements, Runnable values) {
        if (access.isStrong() && isWide(access, elements)) {
            synchronized (memory.wideLock()) {
                values.run();
            }
        } else {
            values.run();
        }
    }

    /// Whether an access is to 128 bits, or to a pair of 64.
    private static boolean isWide(Access access, int elements) {
        return elements == 2 && access.bytes() == 8;
    }

    private void loadPart(Frame frame, Step.Load step, MemorySegment segment, int lanes) {
        Access access = step.access();
        List<@Nullable Register> targets = step.targets();
        for (int i = 0; i < targets.size(); i++) {
            Register target = targets.get(i);
            if (target == null) {
                continue;
            }
            long shift = (long) i * access.bytes();
            if (lanes == -1 && access.bytes() == 4 && target.bits() == 32 && isContiguous()) {
                MemorySegment.copy(
                        segment, INT, offsets[0] + shift, frame.words, 32 * target.index(), 32);
                continue;
            }
            for (int lane = 0; lane < 32; lane++) {
                if ((lanes >>> lane & 1) != 0) {
                    long raw = read(segment, offsets[lane] + shift, access);
                    frame.set(target, lane, extend(raw, access, target.bits()));
                }
            }
        }
    }

    /// Whether the words of lanes are one behind the other.
    private boolean isContiguous() {
        long first = offsets[0];
        long difference = 0;
        for (int lane = 1; lane < 32; lane++) {
            difference |= offsets[lane] - first ^ (long) lane * Integer.BYTES;
        }
        return difference == 0;
    }

    private static long extend(long raw, Access access, int bits) {
        if (!access.signed() || 8 * access.bytes() >= bits) {
            return raw;
        }
        int unused = 64 - 8 * access.bytes();
        long extended = raw << unused >> unused;
        return bits == 64 ? extended : extended & (1L << bits) - 1;
    }

    private static long read(MemorySegment segment, long offset, Access access) {
        boolean strong = access.isStrong() && (offset & access.bytes() - 1) == 0;
        if (strong) {
            return Atomics.readStrong(segment, offset, access.bytes());
        }
        return MemoryUnit.readBytes(segment, offset, access.bytes());
    }

    /// `st`: every lane's elements from its registers.
    public void store(Frame frame, Step.Store step, int lanes) {
        warp.changed();
        if (storePlain(frame, step, lanes)) {
            return;
        }
        Access access = step.access();
        int bytes = access.bytes() * step.values().size();
        addresses.forEachSpace(
                frame,
                access.space(),
                step.base(),
                step.offset(),
                lanes,
                (space, segment, part) -> {
                    spinIfStrong(step, access, space, part);
                    requireWritable(frame, step, space, segment, bytes, part);
                    move(access, step.values().size(), () -> storePart(frame, step, segment, part));
                });
    }

    private void storePart(Frame frame, Step.Store step, MemorySegment segment, int lanes) {
        Access access = step.access();
        for (int i = 0; i < step.values().size(); i++) {
            Source value = step.values().get(i);
            long shift = (long) i * access.bytes();
            if (lanes == -1
                    && access.bytes() == 4
                    && value instanceof Register register
                    && isContiguous()) {
                MemorySegment.copy(
                        frame.words, 32 * register.index(), segment, INT, offsets[0] + shift, 32);
                continue;
            }
            for (int lane = 0; lane < 32; lane++) {
                if ((lanes >>> lane & 1) != 0) {
                    write(segment, offsets[lane] + shift, access, frame.value(value, lane));
                }
            }
        }
    }

    private static void write(MemorySegment segment, long offset, Access access, long value) {
        if (access.isStrong() && (offset & access.bytes() - 1) == 0) {
            Atomics.writeStrong(segment, offset, access.bytes(), value);
            return;
        }
        MemoryUnit.writeBytes(segment, offset, access.bytes(), value);
    }

    private static Stored stored(Frame frame, Step.Store step) {
        return (lane, element) -> frame.value(step.values().get(element), lane);
    }

    private void requireWritable(
            Frame frame,
            Step.Store step,
            Space space,
            MemorySegment segment,
            int bytes,
            int lanes) {
        if (space == Space.CONST || space == Space.PARAM) {
            throw warp.faults()
                    .undefined(
                            Rule.STORE_TO_CONSTANT_MEMORY,
                            step.site(),
                            lanes,
                            "store to read-only memory");
        }
        memory.requireInside(step.site(), space, segment, bytes, lanes, AccessKind.STORE);
        if (checked) {
            checks.store(
                    step.site(), step.access(), space, offsets, bytes, lanes, stored(frame, step));
        }
    }
}
