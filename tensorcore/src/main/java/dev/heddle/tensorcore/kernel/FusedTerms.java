package dev.heddle.tensorcore.kernel;

/// Where the terms of fused sums come from.
sealed interface FusedTerms permits DenseTerms, SparseTerms, ColumnTerms {

    /// Decodes the operands.
    void read(int[] a, int[] b);

    /// Raises the largest exponents of all columns to those of the terms of some positions of k.
    void findLargest(int block, int first, int end, VectorFusedSum sums);

    /// Sums the truncated terms of some positions of k, for all columns.
    ///
    /// @param negation the sign bit if products change sign, else 0
    void sum(int block, int first, int end, int negation, VectorFusedSum sums);
}
