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
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS),
                            Linker.Option.critical(true));

    /// `ret` of x86-64.
    private static final byte RETURN = (byte) 0xc3;

    private final MemorySegment segment;

    private ExecutableMemory(MemorySegment segment) {
        this.segment = segment;
    }

    /// Calls code that does nothing, so that the JVM has linked what a call takes: tens of
    /// milliseconds of a young process. Nothing happens where the system allows no such memory.
    public static void link() {
        MemorySegment none = MemorySegment.NULL;
        try {
            of(new byte[] {RETURN}).call(none, none, none, none, none, none);
        } catch (IllegalStateException _) {
            // Whoever has code to run says so.
        }
    }

    /// Memory with these bytes, which stays as long as this object can be reached.
    ///
    /// @throws IllegalStateException where the system allows no such memory
    public static ExecutableMemory of(byte[] code) {
        MemorySegment segment = MappedMemory.map(code.length, true, Arena.ofAuto());
        if (segment == null) {
            throw new IllegalStateException("no memory for machine code");
        }
        MemorySegment.copy(code, 0, segment, ValueLayout.JAVA_BYTE, 0, code.length);
        if (!MappedMemory.makeExecutable(segment)) {
            throw new IllegalStateException("the system does not let machine code run");
        }
        return new ExecutableMemory(segment);
    }

    /// Calls it as a function of nine addresses, the last three on the stack. They may be those of
    /// arrays of Java; it must soon be back, as no garbage is collected meanwhile.
    public int call(
            MemorySegment first,
            MemorySegment second,
            MemorySegment third,
            MemorySegment fourth,
            MemorySegment fifth,
            MemorySegment sixth,
            MemorySegment seventh,
            MemorySegment eighth,
            MemorySegment ninth) {
        try {
            return (int)
                    CALL.invokeExact(
                            segment, first, second, third, fourth, fifth, sixth, seventh, eighth,
                            ninth);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// The same of six.
    public int call(
            MemorySegment first,
            MemorySegment second,
            MemorySegment third,
            MemorySegment fourth,
            MemorySegment fifth,
            MemorySegment sixth) {
        MemorySegment none = MemorySegment.NULL;
        return call(first, second, third, fourth, fifth, sixth, none, none, none);
    }

    /// The code.
    public MemorySegment segment() {
        return segment;
    }
}
