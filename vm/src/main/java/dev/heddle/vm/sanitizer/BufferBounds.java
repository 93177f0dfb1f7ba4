package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.state.Grid;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// Looks whether every access to global or constant memory lies in a live buffer, or in a variable
/// of a module.
final class BufferBounds {
    private final GlobalMemory memory;
    private final long constants;
    private final boolean looks;
    private final AccessFaults faults;

    /// The buffer that an instruction met last, by its number; none once one was freed.
    private final @Nullable Buffer[] recent = new Buffer[16];

    /// What one that writes may write of it.
    private final @Nullable Buffer[] writable = new Buffer[16];

    private int frees;

    BufferBounds(Warp warp, AccessFaults faults) {
        Grid grid = warp.cta().grid();
        memory = grid.global();
        constants = grid.program().base();
        looks = grid.checks(RuleGroup.MEMORY);
        this.faults = faults;
    }

    /// Requires that the access of each lane lies in one live buffer. Mostly that is, for all
    /// lanes, the buffer that the instruction accessed last.
    ///
    /// @param offsets from where the space begins
    /// @param row how many lanes each access words one behind the other, or 0
    void require(
            Site site,
            Space space,
            AccessKind kind,
            long[] offsets,
            int bytes,
            int lanes,
            int row) {
        boolean writes = kind.writes();
        if (!looks && !(writes && memory.isKept())) {
            return;
        }
        if (frees != memory.frees()) {
            frees = memory.frees();
            Arrays.fill(recent, null);
            Arrays.fill(writable, null);
        }
        long start = space == Space.CONST ? constants : Addresses.GLOBAL;
        @Nullable Buffer[] met = writes ? writable : recent;
        int place = site.number() % met.length;
        Buffer last = met[place];
        if (last != null && holdsAll(last, start, offsets, bytes, lanes, row)) {
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long address = start + offsets[lane];
            if (last == null || !last.holds(address, bytes)) {
                last = writes ? memory.toWrite(address, bytes) : memory.at(address);
                if (looks && (last == null || !last.holds(address, bytes))) {
                    throw faults.outOfBounds(site, space, offsets[lane], bytes, 1 << lane, kind);
                }
                if (looks && writes && memory.modules().areConstant(address)) {
                    throw faults.constant(site, address, bytes, 1 << lane, kind);
                }
            }
        }
        met[place] = last;
    }

    private static boolean holdsAll(
            Buffer buffer, long start, long[] offsets, int bytes, int lanes, int row) {
        if (lanes != 0 && (lanes & lanes - 1) == 0) {
            return buffer.holds(start + offsets[Integer.numberOfTrailingZeros(lanes)], bytes);
        }
        if (row > 0 && holdsRows(buffer, start, offsets, (long) row * bytes, row)) {
            return true;
        }
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int lane = 0; lane < 32; lane++) {
            boolean active = (lanes >>> lane & 1) != 0;
            least = Math.min(least, active ? offsets[lane] : Long.MAX_VALUE);
            most = Math.max(most, active ? offsets[lane] : Long.MIN_VALUE);
        }
        return buffer.holds(start + least, bytes) && buffer.holds(start + most, bytes);
    }

    private static boolean holdsRows(
            Buffer buffer, long start, long[] offsets, long bytes, int row) {
        for (int lane = 0; lane < 32; lane += row) {
            if (!buffer.holds(start + offsets[lane], bytes)) {
                return false;
            }
        }
        return true;
    }
}
