package dev.heddle.programs.host;

import static dev.heddle.programs.host.CudaException.refuseIf;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/// The memory of the program's process, by address. What a program passes as a pointer is trusted
/// as far as C would trust it; a null pointer is `cudaErrorInvalidValue`.
public final class Host {
    private static final long FIRST_PAGE = 4096;

    /// Bytes from which on the C library stores past the caches.
    private static final long LARGE = 32 << 20;

    /// Bytes from which on the C library fills faster than the JVM.
    private static final long SEVERAL = 1024;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

    @SuppressWarnings("restricted") // the process's memory is what this class is about
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private Host() {}

    /// Refuses what can only be a null pointer, or an offset from one.
    private static long required(long address) {
        refuseIf(address >= 0 && address < FIRST_PAGE, ErrorCode.INVALID_VALUE);
        return address;
    }

    /// So many bytes at an address.
    public static MemorySegment at(long address, long bytes) {
        return ALL.asSlice(required(address), bytes);
    }

    /// The 64 bits at an address.
    public static long getLong(long address) {
        return ALL.get(LONG, required(address));
    }

    /// Writes 64 bits.
    public static void putLong(long address, long value) {
        ALL.set(LONG, required(address), value);
    }

    /// The 32 bits at an address.
    public static int getInt(long address) {
        return ALL.get(INT, required(address));
    }

    /// Writes 32 bits.
    public static void putInt(long address, int value) {
        ALL.set(INT, required(address), value);
    }

    /// Writes 64 bits, unless the pointer is null: nobody asks for them then.
    public static void putLongIfAsked(long address, long value) {
        if (address != 0) {
            putLong(address, value);
        }
    }

    /// The same with 32 bits.
    public static void putIntIfAsked(long address, int value) {
        if (address != 0) {
            putInt(address, value);
        }
    }

    /// Writes one byte.
    public static void putByte(long address, int value) {
        ALL.set(ValueLayout.JAVA_BYTE, required(address), (byte) value);
    }

    /// The single-precision number at an address.
    public static float getFloat(long address) {
        return ALL.get(FLOAT, required(address));
    }

    /// Writes a single-precision number.
    public static void putFloat(long address, float value) {
        ALL.set(FLOAT, required(address), value);
    }

    /// The text up to a byte of zero.
    public static String text(long address) {
        return ALL.getString(required(address), StandardCharsets.UTF_8);
    }

    /// Copies bytes; the ranges may overlap.
    public static void copy(long from, long to, long bytes) {
        if (bytes < LARGE) {
            MemorySegment.copy(ALL, from, ALL, to, bytes);
        } else {
            Library.copy(from, to, bytes);
        }
    }

    /// Fills with a byte.
    public static void fill(long address, int value, long bytes) {
        if (bytes < SEVERAL) {
            at(address, bytes).fill((byte) value);
        } else {
            Library.fill(required(address), value, bytes);
        }
    }

    /// The C library's. Its copy stores past the caches what is larger than they are, which the
    /// JVM's does not, and so takes two thirds of its time; its fill takes a third of the time of
    /// the JVM's at 1 MB.
    private static final class Library {
        private static final MethodHandle MEMMOVE = function("memmove", ValueLayout.JAVA_LONG);
        private static final MethodHandle MEMSET = function("memset", ValueLayout.JAVA_INT);

        @SuppressWarnings("restricted") // copies and fills what the process's memory holds
        private static MethodHandle function(String name, MemoryLayout second) {
            return Linker.nativeLinker()
                    .downcallHandle(
                            Linker.nativeLinker().defaultLookup().findOrThrow(name),
                            FunctionDescriptor.ofVoid(
                                    ValueLayout.JAVA_LONG, second, ValueLayout.JAVA_LONG));
        }

        static void fill(long address, int value, long bytes) {
            try {
                MEMSET.invokeExact(address, value, bytes);
            } catch (Throwable e) {
                throw new LinkageError("memset", e);
            }
        }

        static void copy(long from, long to, long bytes) {
            try {
                MEMMOVE.invokeExact(to, from, bytes);
            } catch (Throwable e) {
                throw new LinkageError("memmove", e);
            }
        }
    }

    /// A text that C may keep for ever.
    public static long keep(String text) {
        return Arena.global().allocateFrom(text).address();
    }
}
