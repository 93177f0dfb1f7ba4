package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.shadow.GlobalShadow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// The buffers of global memory that instructions met last, and are likely to meet again: machine
/// code looks at shadow memory of nothing else. Of each it has two host addresses, the first place
/// in the buffer where an access may begin and the last.
///
/// @param first where the two addresses of the first instruction stand
/// @param stride how far behind those of the next do
/// @param sizes of each, bytes that machine code accesses at once
/// @param stores which of them store
@SuppressWarnings("ArrayRecordComponent") // never compared
record MetBuffers(
        GlobalMemory memory,
        GlobalShadow shadow,
        MemorySegment bytes,
        int first,
        int stride,
        int[] sizes,
        BitSet stores) {
    private static final int LAST = Long.BYTES;

    /// Which accesses are such.
    static <T> BitSet where(List<T> accesses, Predicate<T> isSuch) {
        BitSet found = new BitSet();
        for (int i = 0; i < accesses.size(); i++) {
            found.set(i, isSuch.test(accesses.get(i)));
        }
        return found;
    }

    /// No instruction has met any.
    void forget() {
        for (int i = 0; i < sizes.length; i++) {
            set(i, -1, 0);
        }
    }

    /// An instruction will meet a buffer that one of these parameters points to, if any does.
    ///
    /// @param pointers where in the kernel's parameters they stand
    void expect(int number, Set<Integer> pointers, MemorySegment parameters) {
        for (int pointer : pointers) {
            if (pointer >= 0 && pointer <= parameters.byteSize() - Long.BYTES) {
                meet(number, parameters.get(ValueLayout.JAVA_LONG_UNALIGNED, pointer));
            }
        }
    }

    /// An instruction has met the buffer at an address.
    void meet(int number, long address) {
        long host = memory.segment().address() - Addresses.GLOBAL;
        if (host + address >= get(number, 0) && host + address <= get(number, LAST)) {
            return;
        }
        Buffer buffer =
                stores.get(number) ? memory.toWrite(address, sizes[number]) : memory.at(address);
        boolean isConstant = stores.get(number) && memory.modules().areConstant(address);
        if (buffer != null && !isConstant && shadow.hasSectors(buffer.end() - Addresses.GLOBAL)) {
            set(number, host + buffer.address(), host + buffer.end() - sizes[number]);
        }
    }

    private long get(int number, int part) {
        return bytes.get(ValueLayout.JAVA_LONG, first + number * stride + part);
    }

    private void set(int number, long from, long last) {
        bytes.set(ValueLayout.JAVA_LONG, first + number * stride, from);
        bytes.set(ValueLayout.JAVA_LONG, first + number * stride + LAST, last);
    }
}
