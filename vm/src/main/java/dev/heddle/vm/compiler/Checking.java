package dev.heddle.vm.compiler;

/// How machine code looks at what memory accesses must keep.
enum Checking {
    /// It does not: nothing but bounds.
    NONE,
    /// Java takes all but reads of shared memory that are in order at first sight.
    WARPS,
    /// It looks at shadow memory itself, and whole CTAs run by it; what is not in order at first
    /// sight Java looks at ([ShadowEmitter]).
    CTAS
}
