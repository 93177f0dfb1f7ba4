package dev.heddle.ptx.check;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.TargetDirective;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionForm.OperandForm;

import java.util.List;

/// What the notation of the forms cannot say of barriers and of the warps that meet at them.
///
/// @param target of the module
record BarrierRules(TargetDirective target, InstructionProblems at) {
    void barrier() {
        int first = at.has("red") ? 1 : 0;
        at.range(first, 0, 15);
        Long threads = at.constant(first + 1);
        if (threads != null && (threads % 32 != 0 || threads < 0)) {
            at.report("wrong-barrier-thread-count", at.operand(first + 1), threads);
        } else if (threads != null && threads == 0 && at.has("arrive")) {
            at.report("wrong-barrier-thread-count.none", at.operand(first + 1));
        }
    }

    void registers() {
        Long count = at.constant(0);
        if (count != null && (count < 24 || count > 256 || count % 8 != 0)) {
            long near = Math.clamp((count + 4) / 8 * 8, 24, 256);
            at.report("wrong-setmaxnreg-count", at.operand(0), count, near);
        }
    }

    void arrivals() {
        List<OperandForm> places = at.binding().form().operands();
        boolean counted =
                places.size() == 3
                        && places.get(2).presence() == InstructionForm.Presence.OPTIONAL
                        && at.instruction().operands().size() == 3
                        && at.instruction().qualifiers().getFirst().startsWith("arrive");
        if (counted && !target.isAtLeast(90)) {
            at.report(
                    "unsupported-target.counted-arrival",
                    at.operand(2),
                    at.instruction(),
                    target.architecture());
        }
    }

    /// An arrival at a barrier of another CTA returns no state (PTX ISA 9.7.13.15.13).
    void remoteArrival() {
        if (at.has("shared::cluster")
                && at.binding().form().operands().getFirst().isDestination()
                && !(at.operand(0) instanceof Operand.Sink)) {
            at.report("missing-sink", at.operand(0), at.instruction());
        }
    }
}
