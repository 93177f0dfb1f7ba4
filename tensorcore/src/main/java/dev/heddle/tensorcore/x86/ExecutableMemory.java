package dev.heddle.tensorcore.x86;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Memory that holds machine code: written once, then only run.
@SuppressWarnings("restricted")
public final class ExecutableMemory {
    private static final int READ_WRITE = 1 | 2;
    private static final int READ_EXECUTE = 1 | 4;
    private static final int PRIVATE_ANONYMOUS = 0x02 | 0x20;

    private static final MethodHandle MAP =
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
    private static final MethodHandle PROTECT =
            handle(
                    "mprotect",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.ADDRESS,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT));
    private static final MethodHandle UNMAP =
            handle(
                    "munmap",
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));

    private static final MethodHandle CALL =
            Linker.nativeLinker()
                    .downcallHandle(
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS),
                            Linker.Option.critical(true));

    private final MemorySegment segment;

    private ExecutableMemory(MemorySegment segment) {
        this.segment = segment;
    }

    private static MethodHandle handle(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }

    /// Memory with these bytes, which stays as long as this object can be reached.
    ///
    /// @throws IllegalStateException where the system allows no such memory
    public static ExecutableMemory of(byte[] code) {
        try {
            MemorySegment place =
                    (MemorySegment)
                            MAP.invokeExact(
                                    MemorySegment.NULL,
                                    (long) code.length,
                                    READ_WRITE,
                                    PRIVATE_ANONYMOUS,
                                    -1,
                                    0L);
            if (place.address() == -1) {
                throw new IllegalStateException("no memory for machine code");
            }
            MemorySegment segment =
                    place.reinterpret(code.length, Arena.ofAuto(), ExecutableMemory::unmap);
            MemorySegment.copy(code, 0, segment, ValueLayout.JAVA_BYTE, 0, code.length);
            if ((int) PROTECT.invokeExact(segment, (long) code.length, READ_EXECUTE) != 0) {
                throw new IllegalStateException("the system does not let machine code run");
            }
            return new ExecutableMemory(segment);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Calls it as a function of six addresses. They may be those of arrays of Java; it must soon
    /// be back, as no garbage is collected meanwhile.
    public int call(
            MemorySegment first,
            MemorySegment second,
            MemorySegment third,
            MemorySegment fourth,
            MemorySegment fifth,
            MemorySegment sixth) {
        try {
            return (int) CALL.invokeExact(segment, first, second, third, fourth, fifth, sixth);
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

    /// The code.
    public MemorySegment segment() {
        return segment;
    }
}
