package dev.heddle.cli;

import dev.heddle.cuda.CaseInput;
import dev.heddle.cuda.CudaException;
import dev.heddle.cuda.DriverUnavailableException;
import dev.heddle.cuda.Gpu;
import dev.heddle.cuda.Instruction.Immediates;
import dev.heddle.cuda.SharedLayout;
import dev.heddle.cuda.SharedMatrices;
import dev.heddle.cuda.SharedMatrices.Placed;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.tensorcore.Operands;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

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
            Immediates immediates = new Immediates(operands.selector(), 1, 1, false, false);
            return new Result(
                    gpu.description(), gpu.execute(form, immediates, input(form, operands)));
        } catch (DriverUnavailableException | CudaException e) {
            throw new Refusal(String.valueOf(e.getMessage()));
        }
    }

    /// The registers, and for wgmma the matrices in shared memory, K innermost and not swizzled.
    private static CaseInput input(Form form, Operands operands) {
        if (!form.family().warpgroup()) {
            return new CaseInput(
                    operands.a(),
                    operands.b(),
                    operands.c(),
                    operands.metadata(),
                    CaseInput.Shared.NONE);
        }
        boolean shared = form.aSource() == ASource.SHARED_MEMORY;
        SharedMatrices matrices =
                new SharedMatrices(
                        shared ? placed(operands.a(), form.shape().m()) : null,
                        placed(operands.b(), form.shape().n()));
        return new CaseInput(
                shared ? new int[0] : operands.a(),
                new int[0],
                operands.c(),
                operands.metadata(),
                matrices.image(operands.accumulate()));
    }

    private static Placed placed(int[] words, int rows) {
        ByteBuffer bytes =
                ByteBuffer.allocate(words.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(words);
        return new Placed(SharedLayout.K_MAJOR_ALONG_K, bytes.array(), rows);
    }
}
