package dev.heddle.tensorcore.kernel;

/// Computes all elements of D from words of A, B and C.
///
/// A kernel belongs to one form, one generation and one placement of operands. It has buffers of
/// its own and is for one thread at a time.
public sealed interface Microkernel permits FusedKernel, IntegerKernel, ElementKernel {

    /// Computes D; a sparse form's metadata have been read into its [Sparsity] before.
    void run(Inputs in, int[] d);
}
