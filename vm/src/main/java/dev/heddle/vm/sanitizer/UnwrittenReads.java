package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Supplier;

/// Finds reads of global and local memory that nobody wrote: each is an error, or followed until it
/// matters.
final class UnwrittenReads {
    private final Warp warp;
    private final SymbolNames names;
    private final @Nullable Definedness definedness;
    private final boolean looksForUndefined;

    UnwrittenReads(Warp warp, SymbolNames names, @Nullable Definedness definedness) {
        this.warp = warp;
        this.names = names;
        this.definedness = definedness;
        looksForUndefined = warp.cta().grid().checks(RuleGroup.DEFINEDNESS);
    }

    /// Lanes load from their local memory.
    void loadLocal(Site site, long[] offsets, int bytes, int lanes) {
        // Compilers pass structures by value whole, padding included.
        if (!looksForUndefined || site.is(Site.Mark.STRUCTURE)) {
            return;
        }
        byte[] written = warp.local().written();
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            int at = (int) offsets[lane];
            int reader = lane;
            for (int i = 0; i < bytes; i++) {
                if (written[at + i] == 0) {
                    int first = i;
                    follow(site, lane, i, () -> unwrittenLocal(site, reader, at, bytes, first));
                }
            }
        }
    }

    KernelFault unwrittenLocal(Site site, int lane, int at, int bytes, int first) {
        long address = at - warp.local().offset(lane, 0);
        Frame running = warp.running();
        String why =
                running != null && address >= running.top()
                        ? ": the function whose variable stood there has returned"
                        : "%s, of which this thread never wrote byte %d"
                                .formatted(names.inVariable(Space.LOCAL, address, bytes), first);
        return warp.faults()
                .undefined(
                        Rule.UNINITIALIZED_READ,
                        site,
                        1 << lane,
                        "%s local address 0x%x%s"
                                .formatted(
                                        AccessFaults.words(site, AccessKind.LOAD, bytes),
                                        address,
                                        why));
    }

    /// A load takes a byte that nobody wrote: an error, or followed until it matters. Asynchronous
    /// copies take it along.
    private void follow(Site site, int lane, int at, Supplier<KernelFault> fault) {
        if (definedness == null
                || !CopiedValues.areOf(site) && !definedness.takes(lane, at, fault)) {
            warp.faults().tell(Rule.UNINITIALIZED_READ, site, null, fault);
        }
    }

    /// Lanes read global memory.
    ///
    /// @param row how many lanes each access one behind the other, or 0
    void readGlobal(Site site, AccessKind kind, long[] offsets, int bytes, int lanes, int row) {
        if (!looksForUndefined) {
            return;
        }
        MemorySegment written = warp.cta().grid().global().written();
        if (row > 0 && WrittenMarks.areRowsWritten(written, offsets, row, bytes)) {
            return;
        }
        if (bytes % Integer.BYTES == 0
                && WrittenMarks.areWordsWritten(written, offsets, bytes, lanes)) {
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            readGlobal(site, kind, offsets[lane], bytes, lane);
        }
    }

    /// A lane reads global memory. Returns whether somebody wrote it.
    boolean readGlobal(Site site, AccessKind kind, long at, int bytes, int lane) {
        MemorySegment written = warp.cta().grid().global().written();
        if (WrittenMarks.areWritten(written, at, bytes)) {
            return true;
        }
        for (int i = 0; i < bytes && looksForUndefined; i++) {
            if (written.get(ValueLayout.JAVA_BYTE, at + i) == 0) {
                int first = i;
                follow(site, lane, i, () -> unwrittenGlobal(site, kind, lane, at, bytes, first));
            }
        }
        return false;
    }

    KernelFault unwrittenGlobal(
            Site site, AccessKind kind, int lane, long at, int bytes, int first) {
        return warp.faults()
                .undefined(
                        Rule.UNINITIALIZED_READ,
                        site,
                        1 << lane,
                        "%s global address 0x%x%s, of which nobody wrote byte %d"
                                .formatted(
                                        AccessFaults.words(site, kind, bytes),
                                        at + Addresses.GLOBAL,
                                        names.inVariable(
                                                Space.GLOBAL, at + Addresses.GLOBAL, bytes),
                                        first));
    }
}
