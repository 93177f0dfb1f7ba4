package dev.heddle.tensorcore;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The shared memory of a CTA, as far as matrix descriptors reach it.
@FunctionalInterface
public interface SharedMemory {

    /// Copies 32-bit little-endian words.
    ///
    /// @param address in bytes, a multiple of 16
    /// @param words   receives `count` words from `from` on
    /// @throws IndexOutOfBoundsException if the memory ends before
    void read(int address, int[] words, int from, int count);

    /// The memory in an array, address 0 first.
    static SharedMemory of(byte[] bytes) {
        VarHandle ints = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
        return (address, words, from, count) -> {
            for (int i = 0; i < count; i++) {
                words[from + i] = (int) ints.get(bytes, address + i * Integer.BYTES);
            }
        };
    }
}
