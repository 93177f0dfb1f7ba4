package dev.heddle.vm.interpreter;

/// What computes matrix products on the registers of a warp.
@FunctionalInterface
public interface MatrixUnit {

    /// A product of one form, for one thread at a time.
    ///
    /// @throws UnsupportedOperationException where the form is unknown
    Multiplier multiplier(String opcode);

    /// Computes D = A * B + C.
    @FunctionalInterface
    interface Multiplier {
        /// Operands come register after register, each with its 32 lanes; a 64-bit register has two
        /// words a lane, the low one first.
        ///
        /// @param d receives the result
        /// @param metadata one word a lane, empty for a dense product
        /// @param selector which lanes supply the metadata
        void multiply(int[] d, int[] a, int[] b, int[] c, int[] metadata, int selector);
    }
}
