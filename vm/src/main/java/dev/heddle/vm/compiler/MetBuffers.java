package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.shadow.GlobalShadow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The buffers of global memory that instructions met last, and are likely to meet again: machine
/// code looks at shadow memory of nothing else. Of each it has two host addresses, the first place
/// in the buffer where an access may begin and the last.
final class MetBuffers {
    private static final int LAST = Long.BYTES;

    private final GlobalMemory memory;
    private final GlobalShadow shadow;

    MetBuffers(GlobalMemory memory, GlobalShadow shadow) {
        this.memory = memory;
        this.shadow = shadow;
    }

    /// An instruction has met none.
    ///
    /// @param at where the two addresses stand
    static void forget(MemorySegment bytes, int at) {
        bytes.set(ValueLayout.JAVA_LONG, at, -1);
        bytes.set(ValueLayout.JAVA_LONG, at + LAST, 0);
    }

    /// Notes the buffer of an access that Java has made.
    ///
    /// @param at where the two addresses stand
    /// @param size bytes that machine code accesses at once
    void meet(MemorySegment bytes, int at, long address, int size) {
        long host = memory.segment().address() - Addresses.GLOBAL;
        if (host + address >= bytes.get(ValueLayout.JAVA_LONG, at)
                && host + address <= bytes.get(ValueLayout.JAVA_LONG, at + LAST)) {
            return;
        }
        Buffer buffer = memory.at(address);
        if (buffer != null && shadow.hasSectors(buffer.end() - Addresses.GLOBAL)) {
            bytes.set(ValueLayout.JAVA_LONG, at, host + buffer.address());
            bytes.set(ValueLayout.JAVA_LONG, at + LAST, host + buffer.end() - size);
        }
    }
}
