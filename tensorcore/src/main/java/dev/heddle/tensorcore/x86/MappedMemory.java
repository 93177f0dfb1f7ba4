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

    private static final int READ_EXECUTE = 1 | 4;

    /// `MADV_HUGEPAGE` of Linux.
    private static final int IN_LARGE_PAGES = 14;

    /// Bytes of a large page. Linux gives one as a whole: that takes as long as to give some tens
    /// of its 512 parts one by one.
    private static final long LARGE_PAGE = 2 << 20;

    /// All are called alike, as functions of six longs: linking one more kind of call takes some
    /// ten milliseconds of a young process. What a function does not take it does not look at.
    private static final FunctionDescriptor SIX_LONGS =
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG);

    private static final MethodHandle CALL = Linker.nativeLinker().downcallHandle(SIX_LONGS);
    private static final MemorySegment MAP = function("mmap");
    private static final MemorySegment UNMAP = function("munmap");
    private static final MemorySegment PROTECT = function("mprotect");
    private static final MemorySegment ADVISE = function("madvise");

    private MappedMemory() {}

    private static MemorySegment function(String name) {
        return Linker.nativeLinker().defaultLookup().findOrThrow(name);
    }

    /// So many zeros to read and write, until the arena is closed; null where the system gives
    /// none. They begin at a page, large ones at a large page.
    ///
    /// @param reserved whether the system answers for all of it at once
    public static @Nullable MemorySegment map(long bytes, boolean reserved, Arena arena) {
        int kind = reserved ? PRIVATE : PRIVATE | UNRESERVED;
        boolean isLarge = bytes >= LARGE_PAGE;
        long mapped = isLarge ? bytes + LARGE_PAGE : bytes;
        long address = call(MAP, 0, mapped, READ_WRITE, kind, -1);
        if (address == -1) {
            return null;
        }
        long start = isLarge ? address + LARGE_PAGE - 1 & -LARGE_PAGE : address;
        if (isLarge) {
            call(ADVISE, start, bytes, IN_LARGE_PAGES, 0, 0);
        }
        return MemorySegment.ofAddress(start)
                .reinterpret(bytes, arena, _ -> call(UNMAP, address, mapped, 0, 0, 0));
    }

    /// Lets pages run as code, and be written no more. Returns false where the system forbids it.
    static boolean makeExecutable(MemorySegment segment) {
        // An `int`: what the upper half of the register holds is open.
        return (int) call(PROTECT, segment.address(), segment.byteSize(), READ_EXECUTE, 0, 0) == 0;
    }

    private static long call(
            MemorySegment function, long first, long second, long third, long fourth, long fifth) {
        try {
            return (long) CALL.invokeExact(function, first, second, third, fourth, fifth, 0L);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
