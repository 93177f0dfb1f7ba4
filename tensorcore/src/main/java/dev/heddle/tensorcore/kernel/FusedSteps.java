package dev.heddle.tensorcore.kernel;

/// The products of a block of sixteen rows, by vectors.
sealed interface FusedSteps permits FusedDense, FusedSparse {

    /// Computes a block.
    ///
    /// @param negation the sign bit if products change sign, else 0
    /// @param c        accumulators, `float` bits, column after column of a block
    /// @param d        results, likewise; NaN where they are to be computed again
    /// @return whether there are such
    boolean multiply(int block, int negation, FloatPlanes a, FloatPlanes b, int[] c, int[] d);
}
