package dev.heddle.vm.sanitizer;

import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.RowFragments;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

/// Looks at the rows of `ldmatrix` and `stmatrix`. Other lanes read and write them than those that
/// name them. Until the warp synchronizes, what the lane that names a row wrote there is over for
/// it alone, and what others wrote there is not over for it (PTX ISA 8.7.1).
public final class MatrixRowChecks {
    private static final Access WORD = Access.weak(Space.SHARED, Integer.BYTES);
    private static final int[] NONE = {};

    private final Warp warp;
    private final SharedFaults faults;
    private final AwaitedCopies copies;
    private final OverwriteChecks overwrites;

    // What was stored last.
    private @Nullable RowFragments stored;
    private int storedRegisters;
    private int[] writers = NONE;

    MatrixRowChecks(
            Warp warp, SharedFaults faults, AwaitedCopies copies, OverwriteChecks overwrites) {
        this.warp = warp;
        this.faults = faults;
        this.copies = copies;
        this.overwrites = overwrites;
    }

    /// Rows of this CTA's memory, behind the look at each as its lane's. The first word stands for
    /// the row.
    ///
    /// @param offsets of the rows
    /// @param rows which there are
    public void load(Site site, long[] offsets, int rows, RowFragments fragments) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null || !warp.cta().looksAtOrder()) {
            return;
        }
        long now = shadow.stamp(warp.index(), site.number());
        int late = shadow.wholeWords().late(offsets, rows, now);
        int[] readers = late == 0 ? NONE : fragments.readers();
        for (int rest = late; rest != 0; rest &= rest - 1) {
            int row = Integer.numberOfTrailingZeros(rest);
            int at = (int) offsets[row];
            int reader = readers[row];
            SharedAccess look =
                    new SharedAccess(
                            site, WORD, AccessKind.LOAD, reader, at, Integer.BYTES, now + reader);
            long write = shadow.racingWriteForRead(at, look.now());
            if (write != Stamp.NOBODY && copies.isComplete(shadow, at)) {
                faults.tellRace(look, write, "written");
            }
        }
    }

    /// Rows of this CTA's memory that are about to be written, before the look at each as its
    /// lane's, which leaves out what others have read and written there.
    ///
    /// @param offsets of the rows, of whole words
    /// @param rows which there are
    /// @param registers of each lane
    public void beforeStore(
            Site site, long[] offsets, int rows, RowFragments fragments, int registers) {
        int end = warp.cta().grid().shared().bytes();
        int[] writers = writers(fragments, registers);
        forEachWord(
                site,
                offsets,
                usedLate(offsets, rows, writers.length / 32),
                writers,
                (shadow, at, writer, now) -> {
                    boolean isInside = at >= 0 && at + Integer.BYTES <= end && !isInGap(at);
                    if (isInside && mayBeInUse(shadow, at, now)) {
                        overwrite(shadow, site, at, writer, now);
                    }
                });
    }

    /// Whether what others did to a row was looked at before its store, word by word.
    static boolean haveLookedAt(SharedAccess look) {
        return look.site().kind() == InstructionKind.STORE_MATRIX;
    }

    /// As [RowFragments#writers] says, which takes longer than to look at all rows.
    private int[] writers(RowFragments fragments, int registers) {
        if (!fragments.equals(stored) || registers != storedRegisters) {
            stored = fragments;
            storedRegisters = registers;
            writers = fragments.writers(registers);
        }
        return writers;
    }

    /// The rows that ask for a look at each word: some was accessed late, or is out of bounds.
    private int usedLate(long[] offsets, int rows, int words) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null) {
            return rows;
        }
        long last = warp.cta().grid().shared().bytes() - (long) words * Integer.BYTES;
        int inside = 0;
        for (int row = 0; row < 32; row++) {
            inside |= offsets[row] >= 0 && offsets[row] <= last ? rows & 1 << row : 0;
        }
        long now = shadow.stamp(warp.index(), 0);
        return rows & ~inside | shadow.wholeWords().usedLate(offsets, words, inside, now);
    }

    /// Words of no variable are left to the look at each row, which tells of the first touch.
    private boolean isInGap(int at) {
        return warp.cta().grid().kernel().gapAt(at, Integer.BYTES) != null;
    }

    private static boolean mayBeInUse(SharedShadow shadow, int at, long now) {
        return shadow.extent(at, at + Integer.BYTES) < Integer.BYTES
                || shadow.racingWrite(at, now) != Stamp.NOBODY
                || shadow.racingRead(at, now, _ -> true) != Stamp.NOBODY;
    }

    private void overwrite(SharedShadow shadow, Site site, int at, int writer, long now) {
        SharedAccess look =
                new SharedAccess(site, WORD, AccessKind.STORE, writer, at, Integer.BYTES, now);
        for (int i = at, extent; i < look.end(); i += extent) {
            extent = shadow.extent(i, look.end());
            boolean told = overwrites.requireFree(shadow, look, i, extent, false, true);
            long write = shadow.racingWrite(i, now);
            if (write != Stamp.NOBODY && !told) {
                faults.tellRace(look, write, "written");
            }
        }
    }

    /// The same rows, behind that look.
    public void store(Site site, long[] offsets, int rows, RowFragments fragments, int registers) {
        forEachWord(
                site,
                offsets,
                rows,
                writers(fragments, registers),
                (shadow, at, _, now) -> {
                    if (shadow.extent(at, at + Integer.BYTES) == Integer.BYTES) {
                        shadow.stampWrite(at, now);
                    }
                });
    }

    /// Looks at a word that a lane stores, with the stamp of that.
    private interface Word {
        void look(SharedShadow shadow, int at, int writer, long now);
    }

    /// Each word, as what the lane does that stores it.
    ///
    /// @param writers of the words of each row
    private void forEachWord(Site site, long[] offsets, int rows, int[] writers, Word each) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null || !warp.cta().looksAtOrder()) {
            return;
        }
        long now = shadow.stamp(warp.index(), site.number());
        int words = writers.length / 32;
        for (int rest = rows; rest != 0; rest &= rest - 1) {
            int row = Integer.numberOfTrailingZeros(rest);
            for (int word = 0; word < words; word++) {
                int writer = writers[words * row + word];
                int at = (int) offsets[row] + word * Integer.BYTES;
                each.look(shadow, at, writer, now + writer);
            }
        }
    }
}
