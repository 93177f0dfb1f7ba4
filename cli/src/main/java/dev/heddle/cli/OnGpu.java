package dev.heddle.cli;

import dev.heddle.cuda.DriverException;
import dev.heddle.cuda.DriverUnavailableException;
import dev.heddle.cuda.Gpu;
import dev.heddle.formats.InputException;
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
        try (Gpu gpu = Gpu.open()) {
            return new Result(gpu.description(), gpu.execute(form, operands));
        } catch (DriverUnavailableException | DriverException | InputException e) {
            throw new UsageError(String.valueOf(e.getMessage()));
        }
    }
}
