package dev.heddle.vm.shadow;

/// How an access to a place of global memory stands to one before it.
enum Relation {
    /// It comes after it, byte for byte.
    OVER,
    UNORDERED,
    /// Not all bytes are alike.
    MIXED
}
