package dev.heddle.tensorcore.x86;

import java.lang.foreign.MemorySegment;

/// Machine code that computes D, for machine code that calls it: a function of six addresses, of
/// which the first is that of its memory. The others are those of the registers of A, B and C, the
/// words of the metadata, and the registers of D, register after register of 32 words. It returns 0
/// where D was written; where an element needs another way, nothing was.
///
/// @param code where it begins
/// @param memory its own, for one thread at a time
/// @param selectorStep what is in [#SELECTOR] for sparsity selector 1, and as often for others
public record ProductFunction(MemorySegment code, MemorySegment memory, int selectorStep) {
    /// To be set in its memory before each call: 64 bits that stand for the sparsity selector, and
    /// the sign bit of 32 if products change sign.
    public static final int SELECTOR = 0;

    public static final int NEGATION = 8;

    /// The addresses of the registers with the scale factors of A and of B, where it has such.
    public static final int FACTORS_A = 16;

    public static final int FACTORS_B = 24;
}
