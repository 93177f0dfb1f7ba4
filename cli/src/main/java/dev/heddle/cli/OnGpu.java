package dev.heddle.cli;

import dev.heddle.cuda.CaseInput;
import dev.heddle.cuda.CudaException;
import dev.heddle.cuda.DriverUnavailableException;
import dev.heddle.cuda.Gpu;
import dev.heddle.cuda.Instruction.Immediates;
import dev.heddle.isa.Form;
import dev.heddle.tensorcore.Operands;

/// One instruction on the GPU of this machine.
final class OnGpu {
    private OnGpu() {}

    /// What it computed.
    ///
    /// @param device the GPU's name
    /// @param d      D's registers, lane after lane
    @SuppressWarnings("ArrayRecordComponent") // carried to the report, never compared
    record Result(String device, int[] d) {}

    static Result execute(Form form, Operands operands) {
        if (form.family().warpgroup()) {
            throw new Refusal(
                    "--on gpu: " + form.family() + " reads shared memory; only mma runs here");
        }
        try (Gpu gpu = Gpu.open()) {
            Immediates immediates = new Immediates(operands.selector(), 1, 1, false, false);
            CaseInput input =
                    new CaseInput(
                            operands.a(),
                            operands.b(),
                            operands.c(),
                            operands.metadata(),
                            CaseInput.Shared.NONE);
            return new Result(gpu.description(), gpu.execute(form, immediates, input));
        } catch (DriverUnavailableException | CudaException e) {
            throw new Refusal(String.valueOf(e.getMessage()));
        }
    }
}
