package dev.heddle.programs.host;

import static dev.heddle.programs.host.CudaException.refuseIf;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// Pages that can appear at several addresses of the process at once, and of others that get their
/// descriptor: a `memfd` of Linux.
///
/// @param descriptor of the file
/// @param bytes its size
public record SharedPages(int descriptor, long bytes) {
    /// Bytes of a page on x86-64.
    public static final long PAGE = 4096;

    private static final int READ_AND_WRITE = 3;
    private static final int READ_WRITE_CLOSE_ON_EXEC = 0x80002;
    private static final int SHARED = 0x01;
    private static final int PRIVATE = 0x02;
    private static final int FIXED = 0x10;
    private static final int ANONYMOUS = 0x20;
    private static final int NO_RESERVE = 0x4000;

    private static final MethodHandle CREATE =
            function(
                    "memfd_create",
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT);
    private static final MethodHandle TRUNCATE =
            function(
                    "ftruncate", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
    private static final MethodHandle MAP =
            function(
                    "mmap",
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG);
    private static final MethodHandle OPEN =
            function("open", ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT);
    private static final MethodHandle SEEK =
            function(
                    "lseek",
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT);
    private static final MethodHandle DUPLICATE =
            function("dup", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    private static final MethodHandle CLOSE =
            function("close", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);

    @SuppressWarnings("restricted") // the C library's functions
    private static MethodHandle function(String name, MemoryLayout result, MemoryLayout... of) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, of));
    }

    /// Pages of zeros.
    ///
    /// @throws CudaException where the system has none
    public static SharedPages create(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom("heddle");
            int descriptor = (int) CREATE.invokeExact(name.address(), 0);
            refuseIf(
                    descriptor < 0 || (int) TRUNCATE.invokeExact(descriptor, bytes) != 0,
                    ErrorCode.MEMORY_ALLOCATION);
            return new SharedPages(descriptor, bytes);
        } catch (CudaException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Those of another process that the system shows as a file.
    public static SharedPages open(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path.toString());
            return sized((int) OPEN.invokeExact(name.address(), READ_WRITE_CLOSE_ON_EXEC));
        } catch (CudaException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Those of another process, behind a descriptor that this one received.
    public static SharedPages of(int descriptor) {
        try {
            return sized((int) DUPLICATE.invokeExact(descriptor));
        } catch (CudaException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static SharedPages sized(int own) {
        try {
            long bytes = (long) SEEK.invokeExact(own, 0L, 2);
            refuseIf(own < 0 || bytes <= 0, ErrorCode.INVALID_VALUE);
            return new SharedPages(own, bytes);
        } catch (CudaException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Another descriptor of them, to be given away.
    public int duplicate() {
        try {
            return (int) DUPLICATE.invokeExact(descriptor);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Lets them appear at an address, too, in place of what is there.
    public void map(long address, long offset, long length) {
        map(address, length, SHARED | FIXED, descriptor, offset);
    }

    /// Puts fresh pages of zeros at an address.
    public static void clear(long address, long length) {
        map(address, length, PRIVATE | ANONYMOUS | FIXED | NO_RESERVE, -1, 0);
    }

    private static void map(long address, long length, int flags, int descriptor, long offset) {
        try {
            long at =
                    (long)
                            MAP.invokeExact(
                                    address, length, READ_AND_WRITE, flags, descriptor, offset);
            refuseIf(at != address, ErrorCode.MEMORY_ALLOCATION);
        } catch (CudaException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Closes the descriptor; where the pages are they stay.
    public void close() {
        try {
            int _ = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
