package dev.heddle.programs.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// The library that stands in for those of CUDA, compiled by the system's C compiler at first use
/// and kept.
///
/// Its folder is for `LD_LIBRARY_PATH`: the libraries there have the names that programs ask for.
///
/// @param folder where it lies
public record NativeLibrary(Path folder) {
    private static final List<String> RUNTIMES =
            List.of("libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13");
    private static final String DRIVER = "libcuda.so.1";

    /// The library itself, for `LD_PRELOAD`.
    public Path file() {
        return folder.resolve("libheddle-cuda.so");
    }

    /// What stands in for `ptxas` where a program calls it.
    public Path assembler() {
        return folder.resolve("ptxas");
    }

    /// The names of all functions of the CUDA libraries, in the order of the table.
    public static List<String> functions() throws IOException {
        return resource("functions.txt").lines().toList();
    }

    /// The library, compiled if it is not there yet.
    ///
    /// @param state the folder in which to keep it
    /// @param jdk whose `include` has `jni.h`
    /// @throws IOException that says what is missing or what the compiler said
    public static NativeLibrary in(Path state, Path jdk) throws IOException {
        if (!System.getProperty("os.name", "").equals("Linux")
                || !System.getProperty("os.arch", "").equals("amd64")) {
            throw new IOException("programs run on Linux on x86-64 only");
        }
        String library = resource("heddle.c");
        String entries = resource("resolve.S") + entries(functions());
        String assembler = resource("ptxas");
        Path kept = state.resolve("cuda-" + hash(library + entries + assembler));
        if (!Files.isDirectory(kept)) {
            Files.createDirectories(state);
            Path building = Files.createTempDirectory(state, "cuda-building");
            try {
                compile(building, jdk, library, entries);
                Files.writeString(new NativeLibrary(building).assembler(), assembler);
                Files.setPosixFilePermissions(
                        new NativeLibrary(building).assembler(),
                        PosixFilePermissions.fromString("rwxr-xr-x"));
                move(building, kept);
            } finally {
                delete(building);
            }
        }
        return new NativeLibrary(kept);
    }

    /// Gives what was built its name. Where another process was faster, its library is the same.
    static void move(Path building, Path kept) throws IOException {
        try {
            Files.move(building, kept, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException failed) {
            if (!Files.isDirectory(kept)) {
                throw failed;
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    private static void compile(Path folder, Path jdk, String library, String entries)
            throws IOException {
        Files.writeString(folder.resolve("heddle.c"), library);
        Files.writeString(folder.resolve("entries.S"), entries);
        run(
                folder,
                List.of(
                        "-O2",
                        "-fPIC",
                        "-shared",
                        "-fvisibility=hidden",
                        "-I" + jdk.resolve("include"),
                        "-I" + jdk.resolve("include/linux"),
                        "-o",
                        "libheddle-cuda.so",
                        "heddle.c",
                        "entries.S",
                        "-lpthread",
                        "-ldl"));
        for (String name : RUNTIMES) {
            // Programs ask for their runtime's functions by the version of its name.
            Files.writeString(folder.resolve("version"), name + " { heddle_*; };\n");
            stub(folder, name, List.of("-Wl,--version-script=version"));
        }
        stub(folder, DRIVER, List.of());
        Files.createSymbolicLink(folder.resolve("libcuda.so"), Path.of(DRIVER));
    }

    /// A library of this name that has the functions through the one it needs.
    private static void stub(Path folder, String name, List<String> more) throws IOException {
        Files.writeString(folder.resolve("stub.c"), "int heddle_stub;\n");
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-shared",
                                "-fPIC",
                                "-o",
                                name,
                                "stub.c",
                                "-Wl,-soname," + name,
                                "-Wl,--no-as-needed",
                                "-L.",
                                "-lheddle-cuda",
                                "-Wl,-rpath,$ORIGIN"));
        arguments.addAll(more);
        run(folder, arguments);
    }

    private static void run(Path folder, List<String> arguments) throws IOException {
        String compiler = Objects.requireNonNullElse(System.getenv("CC"), "cc");
        List<String> command = new ArrayList<>(List.of(compiler));
        command.addAll(arguments);
        Process process;
        try {
            process =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException e) {
            throw new IOException(
                    "no C compiler `%s`: `heddle cuda` needs one at its first call (CC names it)"
                            .formatted(compiler),
                    e);
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + "\n" + said.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /// The jump table and its entries, in assembly. Each keeps from where it was called: findings
    /// and refusals tell it.
    private static String entries(List<String> names) {
        StringBuilder text = new StringBuilder("        .text\n");
        StringBuilder table = new StringBuilder();
        StringBuilder pointers = new StringBuilder();
        StringBuilder places = new StringBuilder();
        StringBuilder strings = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            text.append("        .globl %1$s\n        .type %1$s, @function\n".formatted(name))
                    .append(name + ":\n.Lentry" + i + ":\n")
                    .append("        keep_caller\n")
                    .append("        movl $%d, %%r11d\n".formatted(i))
                    .append("        jmp *heddle_table+%d(%%rip)\n".formatted(8 * i));
            table.append("        .quad heddle_resolve\n");
            pointers.append("        .quad .Lname%d\n".formatted(i));
            places.append("        .quad .Lentry%d\n".formatted(i));
            strings.append(".Lname%d: .string \"%s\"\n".formatted(i, name));
        }
        return text
                + "        .section .data.rel, \"aw\"\n        .balign 8\n"
                + label("heddle_table")
                + table
                + label("heddle_names")
                + pointers
                + label("heddle_entries")
                + places
                + label("heddle_count")
                + "        .quad %d\n        .section .rodata\n".formatted(names.size())
                + strings;
    }

    private static String label(String name) {
        return "        .globl %1$s\n        .hidden %1$s\n%1$s:\n".formatted(name);
    }

    static String resource(String name) throws IOException {
        try (InputStream in = NativeLibrary.class.getResourceAsStream(name)) {
            return new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String hash(String text) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
