package dev.heddle.vm.sanitizer;

import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.RowFragments;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

/// Who has read a row of `ldmatrix`. Its stamp has the lane that names the row, but the lanes that
/// get its elements read it: four threads load a row (PTX ISA 9.7.14.5.15). What one of them stores
/// there afterwards comes behind its own read. Epilogues of CUTLASS store D over C so, with no
/// barrier of the warp between.
final class RowReaders {
    private static final int ROW_BYTES = 16;

    private final Warp warp;
    private final SharedFaults faults;

    // The instruction that was asked for last.
    private @Nullable Site loading;
    private @Nullable RowFragments loaded;

    RowReaders(Warp warp, SharedFaults faults) {
        this.warp = warp;
        this.faults = faults;
    }

    /// Whether a lane of this warp is one of those.
    ///
    /// @param read the stamp of a read
    /// @param at a byte of what it has read
    boolean include(int lane, long read, int at) {
        Site site = Stamp.thread(read) / 32 == warp.index() ? faults.site(read) : null;
        if (site == null || site.kind() != InstructionKind.LOAD_MATRIX) {
            return false;
        }
        return fragments(site)
                .hasSomeOf(at % ROW_BYTES / Integer.BYTES, Stamp.thread(read) % 32, lane);
    }

    private RowFragments fragments(Site site) {
        RowFragments known = loaded;
        if (known == null || !site.equals(loading)) {
            known = RowFragments.of(site.qualifiers()::contains);
            loading = site;
            loaded = known;
        }
        return known;
    }
}
