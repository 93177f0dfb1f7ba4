package dev.heddle.vm.memory;

import dev.heddle.vm.ir.Program;

/// A piece of global memory.
///
/// @param name for messages
/// @param address of its first byte
/// @param bytes its size
public record Buffer(String name, long address, long bytes) {

    /// Where a variable of a module is, by its name in PTX.
    public static Buffer of(Program.Symbol variable) {
        return new Buffer(variable.name(), variable.address(), variable.bytes());
    }

    /// Whether so many bytes at an address lie inside.
    public boolean holds(long from, long count) {
        return from >= address && from - address <= bytes - count;
    }

    /// The first address behind it.
    public long end() {
        return address + bytes;
    }
}
