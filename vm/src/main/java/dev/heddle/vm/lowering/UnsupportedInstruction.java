package dev.heddle.vm.lowering;

import dev.heddle.ptx.instruction.BoundInstruction;

/// Thrown inside the lowering where an instruction is beyond it; becomes a `Step.Unsupported`.
final class UnsupportedInstruction extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnsupportedInstruction(BoundInstruction instruction) {
        this("`" + instruction.mnemonic() + "`");
    }

    UnsupportedInstruction(String reason) {
        super(reason, null, false, false);
    }
}
