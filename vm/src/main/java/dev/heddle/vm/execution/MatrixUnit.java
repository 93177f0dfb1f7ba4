package dev.heddle.vm.execution;

import dev.heddle.ptx.GenericInstruction;

/// What computes matrix products on the registers of a warp.
public interface MatrixUnit {

    /// A product of one form, resolved once for its instruction.
    ///
    /// @throws UnsupportedOperationException where the form is unknown
    Multiplier multiplier(GenericInstruction instruction);

    /// Computes D = A * B + C.
    interface Multiplier {
        /// Registers come as arrays of 32 lanes, in the order the instruction lists them; 64-bit
        /// registers as two words, low first.
        ///
        /// @param metadata one word a lane, empty for a dense product
        /// @param scales scale words with their selectors, in operand order; empty without block
        /// scaling
        void multiply(
                int[][] d,
                int[][] a,
                int[][] b,
                int[][] c,
                int[] metadata,
                int selector,
                int[][] scales);
    }
}
