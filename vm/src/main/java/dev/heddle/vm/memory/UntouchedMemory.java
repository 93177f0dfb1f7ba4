package dev.heddle.vm.memory;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Memory that reads as zero, of which the system gives only the pages that are touched: as much as
/// there are addresses for.
@SuppressWarnings("restricted")
public final class UntouchedMemory {
    private static final int READ_WRITE = 1 | 2;

    /// `MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE` of Linux.
    private static final int PRIVATE_UNRESERVED = 0x02 | 0x20 | 0x4000;

    private static final boolean AVAILABLE =
            System.getProperty("os.name").equals("Linux")
                    && UntouchedMemory.class.getModule().isNativeAccessEnabled();

    /// Bound late: elsewhere there are no such functions.
    private static final class Calls {
        static final MethodHandle MAP =
                handle(
                        "mmap",
                        FunctionDescriptor.of(
                                ValueLayout.ADDRESS,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_LONG));
        static final MethodHandle UNMAP =
                handle(
                        "munmap",
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));

        private static MethodHandle handle(String name, FunctionDescriptor type) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
        }
    }

    private UntouchedMemory() {}

    /// So many bytes, until the arena is closed; null where the system has no such memory.
    public static @Nullable MemorySegment take(long bytes, Arena arena) {
        if (!AVAILABLE) {
            return null;
        }
        try {
            MemorySegment place =
                    (MemorySegment)
                            Calls.MAP.invokeExact(
                                    MemorySegment.NULL,
                                    bytes,
                                    READ_WRITE,
                                    PRIVATE_UNRESERVED,
                                    -1,
                                    0L);
            return place.address() == -1
                    ? null
                    : place.reinterpret(bytes, arena, UntouchedMemory::unmap);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void unmap(MemorySegment segment) {
        try {
            int _ = (int) Calls.UNMAP.invokeExact(segment, segment.byteSize());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
