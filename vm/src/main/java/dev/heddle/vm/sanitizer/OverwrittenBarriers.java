package dev.heddle.vm.sanitizer;

import dev.heddle.formats.Counted;
import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.shadow.AsyncOperation;
import dev.heddle.vm.shadow.AsyncOperation.Region;
import dev.heddle.vm.shadow.BarrierLog;
import dev.heddle.vm.shadow.Footprint;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.BarrierObject;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.FindingFactory;
import dev.heddle.vm.state.Warp;

import java.util.Objects;

/// Mbarriers in whose memory something else was stored or loaded before they were invalidated.
/// Among the checked accesses `mbarrier.init` is a write and what follows on it are reads, so the
/// last write tells of stores. Loads are told as they come.
final class OverwrittenBarriers {
    private OverwrittenBarriers() {}

    /// All threads of a CTA have ended.
    static void tell(Cta cta, SharedShadow shadow) {
        BarrierLog log = cta.barrierLog();
        if (log != null) {
            log.inUse().forEach((offset, made) -> tell(cta, shadow, offset.intValue(), made));
        }
    }

    /// An asynchronous operation writes.
    ///
    /// @param cta that began it
    /// @param owner of what it writes
    static void tell(Cta cta, AsyncOperation operation, Cta owner, Region region) {
        BarrierLog log = owner.barrierLog();
        long at = log == null ? -1 : log.inUse(region.offset(), region.offset() + region.bytes());
        if (log == null || at < 0) {
            return;
        }
        Warp warp = cta.warps()[operation.thread() / 32];
        KernelFault fault =
                warp.faults()
                        .fault(
                                Rule.MBARRIER_OVERWRITTEN,
                                operation.site(),
                                1 << operation.thread() % 32,
                                "%s writes %s from shared address 0x%x%s on, over the mbarrier at 0x%x, which is in use: mbarrier.inval must come first"
                                        .formatted(
                                                operation.site().mnemonic(),
                                                Counted.bytes(region.bytes()),
                                                region.offset(),
                                                new SymbolNames(warp).ofOther(owner),
                                                at),
                                log.notes(at).toArray(Finding.Note[]::new));
        warp.faults().tell(fault);
    }

    /// A bulk operation reads. (What products read has a layout, in which no mbarrier has a place.)
    static void tellRead(Cta cta, AsyncOperation operation) {
        BarrierLog log = cta.barrierLog();
        if (log == null
                || operation.completion() instanceof AsyncOperation.Completion.WgmmaGroup
                || !cta.grid().checks(RuleGroup.ASYNC)) {
            return;
        }
        for (Footprint read : operation.reads()) {
            for (int range = 0; range < read.bytes().count(); range++) {
                long at = log.inUse(read.bytes().from(range), read.bytes().to(range));
                if (at >= 0) {
                    Warp warp = cta.warps()[operation.thread() / 32];
                    int lanes = 1 << operation.thread() % 32;
                    warp.faults().tell(loaded(warp, operation.site(), cta, lanes, "reads", at));
                    return;
                }
            }
        }
    }

    /// Lanes load.
    ///
    /// @param owner of what they load
    static void tellLoad(Warp warp, Site site, Cta owner, long[] offsets, int bytes, int lanes) {
        BarrierLog log = owner.barrierLog();
        if (log == null
                || site.kind() == InstructionKind.MEMORY_BARRIER
                || !warp.cta().grid().checks(RuleGroup.ASYNC)) {
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long at = log.inUse(offsets[lane], offsets[lane] + bytes);
            if (at >= 0) {
                warp.faults()
                        .tell(
                                Rule.MBARRIER_OVERWRITTEN,
                                site,
                                null,
                                () -> loaded(warp, site, owner, 1 << lane, "loads", at));
                return;
            }
        }
    }

    private static KernelFault loaded(
            Warp warp, Site site, Cta owner, int lanes, String done, long at) {
        String where = new SymbolNames(warp).ofOther(owner);
        BarrierLog log = Objects.requireNonNull(owner.barrierLog());
        return warp.faults()
                .fault(
                        Rule.MBARRIER_OVERWRITTEN,
                        site,
                        lanes,
                        "%s %s of the mbarrier at shared address 0x%x%s, which is in use: only mbarrier instructions may touch it"
                                .formatted(site.mnemonic(), done, at, where),
                        log.notes(at).toArray(Finding.Note[]::new));
    }

    private static void tell(Cta cta, SharedShadow shadow, int offset, Site made) {
        for (int at = offset; at < offset + BarrierObject.BYTES; at++) {
            long write = shadow.lastWrite(at);
            int thread = Stamp.thread(write);
            if (write == Stamp.NOBODY
                    || Stamp.site(write) == made.number()
                    || thread >= 32 * cta.warps().length) {
                continue;
            }
            FindingFactory faults = cta.warps()[thread / 32].faults();
            Site site = faults.party(thread, Stamp.site(write)).site();
            if (site == null) {
                continue;
            }
            faults.tell(
                    faults.fault(
                            Rule.MBARRIER_OVERWRITTEN,
                            site,
                            1 << thread % 32,
                            "%s stores at shared address 0x%x, where an mbarrier is in use: mbarrier.inval must come first"
                                    .formatted(site.mnemonic(), at),
                            new Finding.Note(made, "initialised here")));
            return;
        }
    }
}
