package dev.heddle.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// What a kernel prints while this is open. The driver writes it to the process's standard output,
/// so that is led to a file meanwhile; nothing else may print then.
record KernelOutput(Path file, int terminal) implements AutoCloseable {
    private static final int STANDARD_OUTPUT = 1;
    private static final int WRITE_ONLY = 1;

    static KernelOutput open() {
        System.out.flush();
        call("fflush", MemorySegment.NULL);
        try (Arena arena = Arena.ofConfined()) {
            Path file = Files.createTempFile("heddle-printed", ".txt");
            int terminal = call("dup", STANDARD_OUTPUT);
            int there = call("open", arena.allocateFrom(file.toString()), WRITE_ONLY);
            call("dup2", there, STANDARD_OUTPUT);
            call("close", there);
            return new KernelOutput(file, terminal);
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary file: " + e.getMessage(), e);
        }
    }

    /// What was printed so far.
    String text() {
        call("fflush", MemorySegment.NULL);
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        call("fflush", MemorySegment.NULL);
        call("dup2", terminal, STANDARD_OUTPUT);
        call("close", terminal);
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Calls a function of the C library that takes integers and pointers and returns an integer.
    @SuppressWarnings("restricted") // native memory and code are what this package is about
    private static int call(String function, Object... arguments) {
        FunctionDescriptor descriptor = FunctionDescriptor.of(ValueLayout.JAVA_INT);
        for (Object argument : arguments) {
            descriptor =
                    descriptor.appendArgumentLayouts(
                            argument instanceof Integer
                                    ? ValueLayout.JAVA_INT
                                    : ValueLayout.ADDRESS);
        }
        Linker linker = Linker.nativeLinker();
        try {
            return (int)
                    linker.downcallHandle(linker.defaultLookup().findOrThrow(function), descriptor)
                            .invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(function + " could not be called", e);
        }
    }
}
