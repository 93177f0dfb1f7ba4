package dev.heddle.tensorcore.x86;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Pages of Linux that belong to this process alone: `mmap` and `munmap`.
@SuppressWarnings("restricted")
public final class MappedMemory {
    private static final int READ_WRITE = 1 | 2;

    /// `MAP_PRIVATE | MAP_ANONYMOUS` of Linux.
    private static final int PRIVATE = 0x02 | 0x20;

    /// `MAP_NORESERVE` of Linux: pages count only once they are touched.
    private static final int UNRESERVED = 0x4000;

    private static final MethodHandle MAP =
            function(
                    "mmap",
                    FunctionDescriptor.of(
                            ValueLayout.ADDRESS,
                            ValueLayout.ADDRESS,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG));
    private static final MethodHandle UNMAP =
            function(
                    "munmap",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));

    private MappedMemory() {}

    /// A function of the system's C library.
    public static MethodHandle function(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }

    /// So many zeros to read and write, until the arena is closed; null where the system gives
    /// none.
    ///
    /// @param reserved whether the system answers for all of it at once
    public static @Nullable MemorySegment map(long bytes, boolean reserved, Arena arena) {
        try {
            MemorySegment place =
                    (MemorySegment)
                            MAP.invokeExact(
                                    MemorySegment.NULL,
                                    bytes,
                                    READ_WRITE,
                                    reserved ? PRIVATE : PRIVATE | UNRESERVED,
                                    -1,
                                    0L);
            return place.address() == -1
                    ? null
                    : place.reinterpret(bytes, arena, MappedMemory::unmap);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void unmap(MemorySegment segment) {
        try {
            int _ = (int) UNMAP.invokeExact(segment, segment.byteSize());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
