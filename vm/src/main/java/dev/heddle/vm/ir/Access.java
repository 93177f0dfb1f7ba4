package dev.heddle.vm.ir;

/// How a load, store or atomic touches memory.
///
/// @param space which memory
/// @param bytes of one element: 1, 2, 4 or 8
/// @param signed whether a loaded value narrower than its register is sign-extended
/// @param strength how it is ordered against other threads
public record Access(Space space, int bytes, boolean signed, Strength strength) {

    /// Strength of a memory operation (PTX ISA 8.4).
    public enum Strength {
        /// Races with it are the kernel's fault.
        WEAK,
        /// `.relaxed .volatile .acquire .release` and atomics: morally strong, no race among
        /// themselves.
        STRONG
    }
}
