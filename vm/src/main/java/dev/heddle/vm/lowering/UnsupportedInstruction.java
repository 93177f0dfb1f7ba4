package dev.heddle.vm.lowering;

/// Thrown inside the lowering where an instruction is beyond it; becomes a `Step.Unsupported`.
final class UnsupportedInstruction extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnsupportedInstruction(String reason) {
        super(reason, null, false, false);
    }
}
