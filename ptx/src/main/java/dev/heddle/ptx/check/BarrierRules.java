package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.TargetDirective;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.InstructionForm;

/// What the notation of the forms cannot say of barriers and of the warps that meet at them.
///
/// @param target of the module
record BarrierRules(TargetDirective target, OperandProblems problems) {
    void check(Instruction instruction, FormMatch binding) {
        switch (binding.form().kind()) {
            case BARRIER -> barrier(instruction, binding);
            case SET_REGISTERS -> registers(instruction, binding);
            case MEMORY_BARRIER -> {
                remoteArrival(instruction, binding);
                arrivals(instruction, binding);
            }
            default -> {}
        }
    }

    private void barrier(Instruction instruction, FormMatch binding) {
        int first = instruction.has("red") ? 1 : 0;
        problems.range(instruction, binding, first, 0, 15);
        Long threads = OperandProblems.constant(instruction, first + 1);
        if (threads != null && (threads % 32 != 0 || threads < 0)) {
            problems.report(
                    Rule.WRONG_BARRIER_THREAD_COUNT,
                    instruction,
                    instruction.operands().get(first + 1),
                    "a barrier for "
                            + threads
                            + " threads; it takes a multiple of 32, the size of a warp",
                    "count whole warps",
                    binding);
        } else if (threads != null && threads == 0 && instruction.has("arrive")) {
            problems.report(
                    Rule.WRONG_BARRIER_THREAD_COUNT,
                    instruction,
                    instruction.operands().get(first + 1),
                    "an arrival for 0 threads",
                    "name the number of threads that take part",
                    binding);
        }
    }

    private void registers(Instruction instruction, FormMatch binding) {
        Long count = OperandProblems.constant(instruction, 0);
        if (count != null && (count < 24 || count > 256 || count % 8 != 0)) {
            problems.report(
                    Rule.WRONG_SETMAXNREG_COUNT,
                    instruction,
                    instruction.operands().getFirst(),
                    count + " registers; 24 to 256, a multiple of 8",
                    "write " + Math.clamp((count + 4) / 8 * 8, 24, 256),
                    binding);
        }
    }

    private void arrivals(Instruction instruction, FormMatch binding) {
        boolean counted =
                binding.form().operands().size() == 3
                        && binding.form().operands().get(2).presence()
                                == InstructionForm.Presence.OPTIONAL
                        && instruction.operands().size() == 3
                        && instruction.qualifiers().getFirst().startsWith("arrive");
        if (counted && !target.isAtLeast(90)) {
            problems.report(
                    Rule.UNSUPPORTED_TARGET,
                    instruction,
                    instruction.operands().get(2),
                    instruction.mnemonic()
                            + " with a count needs sm_90 or higher; the module says .target "
                            + target.architecture(),
                    "write .noComplete, or arrive once for each",
                    binding);
        }
    }

    /// An arrival at a barrier of another CTA returns no state (PTX ISA 9.7.13.15.13).
    private void remoteArrival(Instruction instruction, FormMatch binding) {
        if (instruction.has("shared::cluster")
                && binding.form().operands().getFirst().isDestination()
                && !(instruction.operands().getFirst() instanceof Operand.Sink)) {
            problems.report(
                    Rule.MISSING_SINK,
                    instruction,
                    instruction.operands().getFirst(),
                    instruction.mnemonic() + " returns no state; '_' stands here",
                    "write _ as first operand, or .shared::cta for a barrier of this CTA",
                    binding);
        }
    }
}
