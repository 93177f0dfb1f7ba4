package dev.heddle.formats;

/// What becomes of a value beyond the largest finite one of a floating-point format.
public enum Overflow {
    /// What IEEE 754 says for the rounding mode: infinity or the largest finite value. A format
    /// that has no infinity gives NaN in its place, and one that has neither saturates.
    IEEE,
    /// `.satfinite` of PTX ISA 9.7.9.21: the largest finite value, also for an infinite one; the
    /// sign is kept.
    SATFINITE
}
