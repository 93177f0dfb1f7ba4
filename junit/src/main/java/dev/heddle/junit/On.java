package dev.heddle.junit;

/// A machine to test on.
public enum On {
    /// The reference interpreter.
    INTERPRETER,
    /// The compiler to bytecode.
    COMPILER,
    /// The first GPU; where there is none, the test is skipped and says so.
    GPU
}
