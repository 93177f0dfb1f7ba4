package dev.heddle.tensorcore;

/// Along which dimension neighbours of a matrix in shared memory stand side by side (PTX ISA
/// 9.7.15.5.1.2).
public enum Major {
    /// Neighbours along k: `imm-trans` 0.
    K,
    /// Neighbours along the rows of A or the columns of B: `imm-trans` 1.
    MN
}
