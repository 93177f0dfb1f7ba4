package dev.heddle.tensorcore.x86;

/// What an instruction takes on its right: a register or memory.
public sealed interface Operand {
    /// No register.
    int NONE = -1;

    /// A register by number: general, vector or mask, as the instruction says.
    record Register(int number) implements Operand {}

    /// Memory at a base register, plus elements of an index vector where there is one.
    ///
    /// @param base general register
    /// @param index vector register with an offset in bytes for each lane, or [#NONE]
    /// @param displacement in bytes
    /// @param broadcast whether one element serves all lanes
    record Memory(int base, int index, int displacement, boolean broadcast) implements Operand {}

    /// A constant that stands behind the code.
    ///
    /// @param place in the constants, in bytes
    /// @param broadcast whether one element serves all lanes
    record Pooled(int place, boolean broadcast) implements Operand {}

    /// A register.
    static Operand register(int number) {
        return new Register(number);
    }

    /// Memory at a displacement from a register.
    static Operand at(int base, int displacement) {
        return new Memory(base, NONE, displacement, false);
    }

    /// One element of memory for all lanes.
    static Operand all(int base, int displacement) {
        return new Memory(base, NONE, displacement, true);
    }

    /// An element of memory for each lane.
    static Operand each(int base, int index) {
        return new Memory(base, index, 0, false);
    }
}
