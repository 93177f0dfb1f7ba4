package dev.heddle.vm.access;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Step.MemoryBarrierObject.Action;
import dev.heddle.vm.ir.Step.MemoryBarrierObject.Part;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.shadow.BarrierLog;
import dev.heddle.vm.state.BarrierObject;
import dev.heddle.vm.state.BarrierState;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

/// What an mbarrier, and a state of it, must be for what lanes are about to do with it.
record BarrierUse(Warp warp, MemoryUnit memory) {
    /// Whether anybody looks.
    boolean isChecked() {
        return warp.cta().grid().checks(RuleGroup.ASYNC);
    }

    /// The CTA must be there; no object where one is made, and one where it is used.
    void requireUsable(Step.MemoryBarrierObject step, long offset, int lane) {
        Cta owner = warp.addresses().owner();
        BarrierLog log = owner.barrierLog();
        if (log == null || !isChecked()) {
            return;
        }
        memory.checks().requireAlive(step.site(), owner, 1 << lane);
        if (step.action() == Action.INITIALIZE && log.isInUse(offset)) {
            throw warp.faults()
                    .undefined(
                            Rule.MBARRIER_REINITIALIZED,
                            step.site(),
                            1 << lane,
                            "%s at shared address 0x%x, where an mbarrier is in use: mbarrier.inval must come first"
                                    .formatted(step.site().mnemonic(), offset),
                            log.notes(offset).toArray(Finding.Note[]::new));
        }
        Site invalidated = log.invalidated(offset);
        if (step.action() != Action.INITIALIZE && invalidated != null) {
            throw warp.faults()
                    .undefined(
                            Rule.MBARRIER_INVALIDATED,
                            step.site(),
                            1 << lane,
                            "%s at shared address 0x%x, where no mbarrier is any more"
                                    .formatted(step.site().mnemonic(), offset),
                            new Finding.Note(invalidated, "invalidated here"));
        }
    }

    /// Before an arrival some thread must have seen the phase before end (PTX ISA 9.7.13.15.4). It
    /// is not known when handed copies arrive.
    void requireSeen(Step.MemoryBarrierObject step, BarrierObject state, long offset, int lane) {
        BarrierLog log = warp.addresses().owner().barrierLog();
        if (log == null
                || step.action().part() != Part.ARRIVES
                || step.action().handsCopies()
                || !isChecked()
                || log.isSeen(offset, state.phase())) {
            return;
        }
        warp.faults()
                .tell(
                        Rule.MBARRIER_PHASE_UNSEEN,
                        step.site(),
                        null,
                        () -> new BarrierFaults(warp).unseen(step.site(), lane));
    }

    /// A state must be of an arrival at the same object, in the phase that is now or in the one
    /// immediately before (PTX ISA 9.7.13.15.16).
    void requireOfPhase(
            Frame frame,
            Step.MemoryBarrierObject step,
            BarrierObject object,
            long offset,
            int lanes) {
        if (!isChecked()) {
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            BarrierState state = BarrierState.decode(frame.value(step.operands().getFirst(), lane));
            if (state.place() != offset || state.pending() == 0) {
                throw new BarrierFaults(warp).ofOther(step.site(), lane, state);
            }
            if (state.before(object) > 1) {
                throw new BarrierFaults(warp).ofEarlierPhase(step.site(), lane);
            }
        }
    }
}
