package dev.heddle.sparse;

/// What becomes of a chunk that has more elements other than zero than can be stored.
public enum Pruning {
    /// The conversion is refused, and the message names the chunk.
    REFUSE,
    /// The largest magnitudes stay; of equal ones the first.
    MAGNITUDE
}
