package dev.heddle.programs;

import dev.heddle.programs.host.NativeLibrary;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// A program to be run with the stand-in for the CUDA libraries. This process becomes the program,
/// as `exec` in a shell does: signals, exit code and standard streams are the program's own.
///
/// @param command the program and its arguments
/// @param library what stands in
/// @param jdk the JDK whose JVM runs inside the program
/// @param flags of that JVM, the class path among them; what it needs inside a program is added
public record ProgramCall(
        List<String> command, NativeLibrary library, Path jdk, List<String> flags) {
    /// The last but one of the real-time signals.
    private static final String SPARE_SIGNAL = "63";

    /// What a JVM inside a program needs, whatever else it is given.
    private static final List<String> INSIDE =
            List.of(
                    // signals are the program's
                    "-Xrs",
                    // the decompressors use a class that the JVM would warn of
                    "--sun-misc-unsafe-memory-access=allow",
                    // A program's thread-local variables lie on the stack of each thread. The one
                    // that waits for addr2line would have 128 KiB for both.
                    "-XX:+AdjustStackSizeForTLS",
                    // The JVM guards the end of what it takes for the first thread's stack: no
                    // more than other threads have, where programs use all that the shell allows.
                    "-Xss64m",
                    "-Djdk.lang.processReaperUseDefaultStackSize=true");

    public ProgramCall {
        command = List.copyOf(command);
        flags = Stream.concat(flags.stream(), INSIDE.stream()).toList();
    }

    /// The environment that makes a program use the stand-in, beside what the process has.
    public Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("HEDDLE_JVM", jdk.resolve("lib/server/libjvm.so").toString());
        environment.put("HEDDLE_JVM_FLAGS", String.join("\n", flags));
        // The JVM takes SIGUSR2 for itself, unless it is given another signal.
        environment.put("_JAVA_SR_SIGNUM", SPARE_SIGNAL);
        environment.put("LD_PRELOAD", before("LD_PRELOAD", library.file() + ":" + chaining()));
        environment.put("LD_LIBRARY_PATH", before("LD_LIBRARY_PATH", library.folder().toString()));
        // Triton assembles its kernels by ptxas, and by another for sm_100 and up. It looks for the
        // driver among the system's libraries, unless it is told where it is.
        environment.put("TRITON_PTXAS_PATH", library.assembler().toString());
        environment.put("TRITON_PTXAS_BLACKWELL_PATH", library.assembler().toString());
        environment.put("TRITON_LIBCUDA_PATH", library.folder().toString());
        // CuPy compiles its kernels to machine code, unless it is told not to.
        environment.put("CUPY_COMPILE_WITH_PTX", "1");
        return environment;
    }

    /// The JDK's library through which handlers of signals that a program installs stand behind
    /// those of the JVM, whose code faults in its ordinary course.
    private Path chaining() {
        return jdk.resolve("lib/libjsig.so");
    }

    private static String before(String variable, String first) {
        String old = System.getenv(variable);
        return old == null || old.isEmpty() ? first : first + ":" + old;
    }

    /// Becomes the program.
    ///
    /// @return never
    /// @throws IOException that says why it cannot be started
    public IOException become() throws IOException {
        Path program = find(command.getFirst());
        Map<String, String> all = new LinkedHashMap<>(System.getenv());
        all.putAll(environment());
        List<String> variables = new ArrayList<>();
        all.forEach((name, value) -> variables.add(name + "=" + value));
        try (Arena arena = Arena.ofConfined()) {
            int _ =
                    (int)
                            execve().invokeExact(
                                            arena.allocateFrom(program.toString()),
                                            texts(arena, command),
                                            texts(arena, variables));
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        return new IOException(command.getFirst() + ": cannot be executed");
    }

    private static Path find(String name) throws IOException {
        List<Path> places = new ArrayList<>();
        if (name.contains("/")) {
            places.add(Path.of(name));
        } else {
            String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
            for (String folder : path.split(File.pathSeparator, -1)) {
                places.add(Path.of(folder, name));
            }
        }
        for (Path place : places) {
            if (Files.isExecutable(place) && !Files.isDirectory(place)) {
                return place;
            }
        }
        throw new IOException(
                name
                        + (name.contains("/") && Files.exists(Path.of(name))
                                ? ": is not executable"
                                : ": no such program"));
    }

    @SuppressWarnings("restricted") // the C library's function
    private static java.lang.invoke.MethodHandle execve() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("execve"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS));
    }

    /// An array of C strings, closed by a null pointer.
    private static MemorySegment texts(Arena arena, List<String> texts) {
        MemorySegment array = arena.allocate(ValueLayout.ADDRESS, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(texts.get(i)));
        }
        return array;
    }
}
