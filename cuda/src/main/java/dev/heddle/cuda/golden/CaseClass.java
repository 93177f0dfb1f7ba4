package dev.heddle.cuda.golden;

/// The classes of inputs of a recording, in the order of their numbers in the container.
public enum CaseClass {
    /// Moderate values; integers: any.
    MODERATE,
    /// Any bits, infinities and NaN among them; integers: all at the smallest value.
    RANDOM_BITS,
    /// Subnormal and tiny values; integers: all at the largest value.
    TINY,
    /// Products that cancel, exponents far apart; integers: C near a limit of s32.
    CANCELLATION,
    /// Values at the top of the range; integers: smallest and largest values mixed.
    OVERFLOW,
    /// Zeros of both signs; integers: mostly zero.
    ZEROS,
    /// Small integers, for which every sum is exact.
    SMALL_INTEGERS,
    /// Terms at the edge of what the sum keeps; integers: partial sums beyond the limit that the
    /// whole sum comes back from.
    EDGES
}
