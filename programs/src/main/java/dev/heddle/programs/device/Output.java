package dev.heddle.programs.device;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/// What kernels print, written by the C library: in order with what the host prints.
final class Output {
    private final MethodHandle write;
    private final MemorySegment stdout;

    @SuppressWarnings("restricted") // the C library's own stream
    Output() {
        Linker linker = Linker.nativeLinker();
        write =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("fwrite"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_LONG,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.ADDRESS));
        stdout =
                linker.defaultLookup()
                        .findOrThrow("stdout")
                        .reinterpret(ValueLayout.ADDRESS.byteSize())
                        .get(ValueLayout.ADDRESS, 0);
    }

    void print(String text) {
        if (text.isEmpty()) {
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            long _ = (long) write.invokeExact(copy, 1L, (long) bytes.length, stdout);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
