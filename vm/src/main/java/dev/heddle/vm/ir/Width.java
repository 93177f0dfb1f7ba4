package dev.heddle.vm.ir;

/// The file a register lives in.
public enum Width {
    /// One bit a lane.
    PREDICATE,
    /// An `int` a lane.
    WORD,
    /// A `long` a lane.
    LONG
}
