package dev.heddle.vm.access;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.sanitizer.SymbolNames;
import dev.heddle.vm.shadow.BarrierLog;
import dev.heddle.vm.state.BarrierObject;
import dev.heddle.vm.state.BarrierState;
import dev.heddle.vm.state.Warp;

/// Says what is wrong with what a lane does to the count of an mbarrier.
record BarrierFaults(Warp warp) {
    KernelFault initialCount(Site site, int lane, long arrivals) {
        return warp.faults()
                .undefined(
                        Rule.MBARRIER_INITIAL_COUNT,
                        site,
                        1 << lane,
                        "%s for %d arrivals: it takes 1 to %d"
                                .formatted(site.mnemonic(), arrivals, BarrierObject.MOST));
    }

    KernelFault transactionRange(Site site, int lane, long awaited) {
        return warp.faults()
                .undefined(
                        Rule.MBARRIER_TRANSACTION_RANGE,
                        site,
                        1 << lane,
                        "%s makes an mbarrier await %d bytes: it counts from -%d to %d"
                                .formatted(
                                        site.mnemonic(),
                                        awaited,
                                        BarrierObject.MOST,
                                        BarrierObject.MOST));
    }

    KernelFault tooMany(Site site, int lane, long count, long pending) {
        String message =
                "arrival of %d at %s, which awaits %d".formatted(count, object(lane), pending);
        return ofObject(Rule.MBARRIER_TOO_MANY_ARRIVALS, site, lane, message);
    }

    KernelFault completes(Site site, int lane) {
        String message = "%s ends the phase of %s".formatted(site.mnemonic(), object(lane));
        return ofObject(Rule.MBARRIER_NO_COMPLETE, site, lane, message);
    }

    KernelFault unseen(Site site, int lane) {
        String message =
                "%s at %s, of which no thread has seen the last phase end"
                        .formatted(site.mnemonic(), object(lane));
        return ofObject(Rule.MBARRIER_PHASE_UNSEEN, site, lane, message);
    }

    /// A wait with a state that no arrival at the object returned.
    KernelFault ofOther(Site site, int lane, BarrierState state) {
        String from =
                state.pending() == 0
                        ? "with a state that no arrival returned, 0x%x".formatted(state.encode())
                        : "with the state of an arrival at the one at shared address 0x%x"
                                .formatted(state.place());
        String message = "%s at %s %s".formatted(site.mnemonic(), object(lane), from);
        return ofObject(Rule.MBARRIER_WRONG_STATE, site, lane, message);
    }

    KernelFault ofEarlierPhase(Site site, int lane) {
        String message =
                "%s at %s with the state of an arrival before its last phase"
                        .formatted(site.mnemonic(), object(lane));
        return ofObject(Rule.MBARRIER_WRONG_STATE, site, lane, message);
    }

    private KernelFault ofObject(Rule rule, Site site, int lane, String message) {
        return warp.faults().undefined(rule, site, 1 << lane, message, notes(lane));
    }

    private String object(int lane) {
        long at = warp.addresses().offsets()[lane];
        SymbolNames names = new SymbolNames(warp);
        return "the mbarrier at shared address 0x%x%s%s"
                .formatted(
                        at,
                        names.inVariable(Space.SHARED, at, BarrierObject.BYTES),
                        names.ofOther(warp.addresses().owner()));
    }

    /// What was done to the object before.
    private Finding.Note[] notes(int lane) {
        BarrierLog log = warp.addresses().owner().barrierLog();
        return log == null
                ? new Finding.Note[0]
                : log.notes(warp.addresses().offsets()[lane]).toArray(Finding.Note[]::new);
    }
}
