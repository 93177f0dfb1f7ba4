package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.F2I;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

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

    /// Products in units of the last place that a sum keeps, truncated.
    static IntVector truncated(FloatVector products, FloatVector scale) {
        return (IntVector) products.mul(scale).convert(F2I, 0);
    }

    /// The same for a row of A and what each lane picks from a column of B.
    static IntVector picked(
            IntVector choice, IntVector column, FloatVector row, FloatVector scale) {
        return truncated(choice.selectFrom(column).reinterpretAsFloats().mul(row), scale);
    }
}
