package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.UndefinedBits;
import dev.heddle.vm.shadow.UndefinedMemory;
import dev.heddle.vm.state.LaneAddresses.Location;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Values that nobody wrote, where asynchronous copies of a warp take them along: into shared
/// memory all of them, out of it the padding of structures alone.
///
/// @param definedness that follows such values, or null
public record CopiedValues(
        Warp warp, SharedFaults faults, UnwrittenReads reads, @Nullable Definedness definedness) {
    /// Words of structures, in which bulk copies move.
    private static final int WORD = 16;

    private static final int ALL_BITS = 0xff;

    /// Whether an instruction takes such values along from global memory.
    static boolean areOf(Site site) {
        return site.kind() == InstructionKind.ASYNC_COPY
                || site.kind() == InstructionKind.BULK_COPY;
    }

    /// Whether values are followed.
    public boolean areFollowed() {
        return definedness != null;
    }

    // Out of shared memory.

    /// Whether all of some bytes of shared memory were written, and no undefined bits are among
    /// them, as far as anybody asks.
    public boolean areDefined(long at, long bytes) {
        SharedShadow shadow = warp.cta().shadow();
        int from = (int) at;
        int end = (int) (at + bytes);
        return shadow == null
                || !warp.cta().grid().checks(RuleGroup.DEFINEDNESS)
                || shadow.firstUnwritten(from, end) < 0
                        && (definedness == null || shadow.undefined().first(from, end) == null);
    }

    /// A copy of a lane takes bytes to where others see them: that decides something, so that they
    /// must be defined.
    ///
    /// @param mayBePadding whether they are copied as they are
    public void takeOut(Site site, int lane, long at, long bytes, boolean mayBePadding) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null || areDefined(at, bytes)) {
            return;
        }
        int end = (int) (at + bytes);
        for (int from = (int) at; from < end && mayBePadding && definedness != null; from += WORD) {
            int next = Math.min(end, from + WORD);
            if (!isPadded(shadow, from, next)) {
                tell(shadow, site, lane, at, bytes, from, next);
            }
        }
        if (!mayBePadding || definedness == null) {
            tell(shadow, site, lane, at, bytes, (int) at, end);
        }
    }

    private void tell(
            SharedShadow shadow, Site site, int lane, long at, long bytes, int from, int end) {
        int missing = shadow.firstUnwritten(from, end);
        if (missing >= 0) {
            warp.faults()
                    .tell(
                            Rule.UNINITIALIZED_READ,
                            site,
                            null,
                            () -> unwritten(site, lane, at, bytes, missing));
        }
        if (definedness != null) {
            definedness.memory().decide(shadow.undefined(), site, from, end);
        }
    }

    private KernelFault unwritten(Site site, int lane, long at, long bytes, int missing) {
        Access access = Access.weak(Space.SHARED, 1);
        return faults.unwritten(
                new SharedAccess(site, access, AccessKind.LOAD, lane, (int) at, (int) bytes, 0),
                missing);
    }

    /// Whether what of a word is undefined is padding.
    private static boolean isPadded(SharedShadow shadow, int from, int end) {
        for (int at = from; at < end; at++) {
            int undefined = undefined(shadow, at);
            if (undefined != 0
                    && !StructurePadding.mayBe(
                            undefined, shadow.undefined().origin(at), at == from)) {
                return false;
            }
        }
        return true;
    }

    /// The undefined bits of a byte of shared memory: all where nobody wrote it.
    static int undefined(SharedShadow shadow, int at) {
        return shadow.firstUnwritten(at, at + 1) < 0 ? shadow.undefined().bits(at) : ALL_BITS;
    }

    // To where they go.

    /// A copy of a lane has moved bytes as they are: what nobody wrote of them nobody has written
    /// where they are now.
    public void carry(Site site, int lane, Location from, Location to, long bytes) {
        if (definedness == null || !warp.cta().grid().checks(RuleGroup.DEFINEDNESS)) {
            return;
        }
        if (from.space() == Space.GLOBAL) {
            bring(site, lane, from.offset(), to.owner().shadow(), to.offset(), bytes);
            return;
        }
        SharedShadow shadow = warp.cta().shadow();
        if (from.space() != Space.SHARED || shadow == null || areDefined(from.offset(), bytes)) {
            return;
        }
        for (int i = 0; i < bytes; i += WORD) {
            int first = (int) from.offset() + i;
            int end = first + (int) Math.min(WORD, bytes - i);
            for (int at = first; at < end && isPadded(shadow, first, end); at++) {
                if (undefined(shadow, at) != 0) {
                    carry(shadow, site, lane, from, to, at - from.offset());
                }
            }
        }
    }

    /// A byte goes to other shared memory, or to global memory.
    private void carry(
            SharedShadow shadow, Site site, int lane, Location from, Location to, long i) {
        SharedShadow there = to.owner().shadow();
        if (to.space() == Space.GLOBAL) {
            warp.cta().grid().global().markUnwritten(to.offset() + i, 1);
        } else if (there != null) {
            int at = (int) (from.offset() + i);
            UndefinedBits.Origin known = shadow.undefined().origin(at);
            UndefinedBits.Origin origin =
                    known != null
                            ? known
                            : new UndefinedBits.Origin(unwritten(site, lane, at, 1, at).finding());
            there.undefined().set((int) (to.offset() + i), ALL_BITS, origin);
        }
    }

    /// The same of bytes that have come from global memory.
    ///
    /// @param from offset of the first there
    /// @param there the shared memory that has them, and where
    public void bring(
            Site site, int lane, long from, @Nullable SharedShadow there, long to, long bytes) {
        MemorySegment written = warp.cta().grid().global().written();
        if (there == null || WrittenMarks.areWritten(written, from, (int) bytes)) {
            return;
        }
        UndefinedMemory undefined = there.undefined();
        UndefinedBits.Origin origin = null;
        for (int i = 0; i < bytes; i++) {
            if (written.get(ValueLayout.JAVA_BYTE, from + i) == 0) {
                if (origin == null) {
                    AccessKind kind = AccessKind.LOAD;
                    KernelFault fault =
                            reads.unwrittenGlobal(site, kind, lane, from, (int) bytes, i);
                    origin = new UndefinedBits.Origin(fault.finding());
                }
                undefined.set((int) to + i, ALL_BITS, origin);
            }
        }
    }
}
