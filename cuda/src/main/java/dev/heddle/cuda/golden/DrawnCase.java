package dev.heddle.cuda.golden;

import dev.heddle.cuda.CaseInput;
import dev.heddle.cuda.MatrixInstruction;
import dev.heddle.tensorcore.golden.GoldenCase;

/// A case before it ran: what the GPU gets, and what the file says of it.
///
/// @param immediates the operands written into the instruction
/// @param input registers and shared memory
/// @param header the case's header; its last word, whether both runs agree, is still open
/// @param matrixA A in shared memory as rows; empty if in registers
/// @param matrixB B in shared memory as rows; empty if in registers
@SuppressWarnings("ArrayRecordComponent") // carries words and bytes, is never compared
record DrawnCase(
        MatrixInstruction.Immediates immediates,
        CaseInput input,
        int[] header,
        byte[] matrixA,
        byte[] matrixB) {
    private static final int DETERMINISTIC_WORD = 23;

    /// The case with what came out of two runs.
    GoldenCase ran(int[] d, boolean deterministic) {
        int[] complete = header.clone();
        complete[DETERMINISTIC_WORD] = deterministic ? 1 : 0;
        return new GoldenCase(
                complete, input.a(), input.b(), input.c(), input.e(), d, matrixA, matrixB);
    }
}
