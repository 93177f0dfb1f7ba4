package dev.heddle.vm.ir;

/// A virtual register.
///
/// @param index in its file
/// @param bits of the declared type: 1, 8, 16, 32 or 64
/// @param name as PTX declares it; what a listing calls it where nobody declared it
/// @param kind who made it
public record Register(int index, int bits, String name, Kind kind) implements Source {

    /// Who made a register. Nothing follows from its name: PTX allows any, `$a` too.
    public enum Kind {
        /// The kernel declares it.
        DECLARED,
        /// The lowering made it for a value within one instruction.
        TEMPORARY,
        /// The carry flag CC.CF (PTX ISA 9.7.2).
        CARRY
    }

    /// Whether the kernel declares it.
    public boolean isDeclared() {
        return kind == Kind.DECLARED;
    }

    @Override
    public Width width() {
        return Width.ofBits(bits);
    }

    @Override
    public String toString() {
        return name;
    }
}
