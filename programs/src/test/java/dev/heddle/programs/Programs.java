package dev.heddle.programs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.programs.host.NativeLibrary;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// Compiles programs and runs them with the stand-in.
final class Programs {
    private static final long SECONDS = 60;

    private Programs() {}

    /// How a program ended.
    ///
    /// @param code its exit code
    /// @param out standard output
    /// @param err standard error
    record Ended(int code, String out, String err) {
        /// What is on standard error behind each line `case NAME`.
        Map<String, String> cases() {
            Map<String, String> cases = new LinkedHashMap<>();
            for (String each : err.split("(?m)^case ", -1)) {
                int line = each.indexOf('\n');
                if (line > 0) {
                    cases.put(each.substring(0, line), each.substring(line + 1));
                }
            }
            return cases;
        }
    }

    /// What a program of the tests says of its cases, all right ones or all wrong ones.
    ///
    /// @param resource its source, beside the test's class
    /// @param which `right` or `wrong`
    static Ended cases(Path folder, String resource, String target, String which)
            throws IOException, InterruptedException, URISyntaxException {
        Path source = Path.of(Objects.requireNonNull(Programs.class.getResource(resource)).toURI());
        Path program =
                nvcc(folder, source, "-g", "-lineinfo", "-arch=" + target, "-code=" + target);
        return run(program, List.of(), which);
    }

    static Path example(String name) {
        return Path.of("..", "examples", "programs", name).toAbsolutePath();
    }

    /// Skips the test where there is no such tool on the PATH.
    static void assumeTool(String name) {
        boolean found = false;
        for (String folder :
                Objects.requireNonNullElse(System.getenv("PATH"), "")
                        .split(File.pathSeparator, -1)) {
            found |= Files.isExecutable(Path.of(folder, name));
        }
        assumeTrue(found, "no " + name + " on the PATH");
    }

    /// The executable that `nvcc` makes of a source.
    static Path nvcc(Path folder, Path source, String... flags)
            throws IOException, InterruptedException {
        assumeTool("nvcc");
        return compiled("nvcc", folder, source, flags);
    }

    static Path compiled(String compiler, Path folder, Path source, String... flags)
            throws IOException, InterruptedException {
        Path program = folder.resolve("program");
        List<String> command =
                new ArrayList<>(List.of(compiler, "-o", program.toString(), source.toString()));
        command.addAll(List.of(flags));
        Ended ended = ended(new ProcessBuilder(command));
        if (ended.code != 0) {
            throw new IllegalStateException(command + ":\n" + ended.out + ended.err);
        }
        return program;
    }

    /// The stand-in, compiled once.
    static NativeLibrary library() throws IOException {
        assumeTrue(
                System.getProperty("os.name", "").equals("Linux")
                        && System.getProperty("os.arch", "").equals("amd64"),
                "programs run on Linux on x86-64");
        assumeTool("cc");
        return NativeLibrary.in(
                Path.of("target", "native-library").toAbsolutePath(),
                Path.of(System.getProperty("java.home")));
    }

    /// Runs a program; `settings` are such as `check=none`.
    static Ended run(Path program, List<String> settings, String... arguments)
            throws IOException, InterruptedException {
        return ended(builder(program, settings, arguments));
    }

    /// Starts a program and does not wait for its end.
    static Process start(Path program, List<String> settings, String... arguments)
            throws IOException {
        return builder(program, settings, arguments).start();
    }

    private static ProcessBuilder builder(Path program, List<String> settings, String... arguments)
            throws IOException {
        List<String> flags = new ArrayList<>();
        flags.add("-Djava.class.path=" + System.getProperty("java.class.path"));
        flags.add("--enable-native-access=ALL-UNNAMED");
        flags.add("-XX:TieredStopAtLevel=1");
        flags.add("-XX:+UseSerialGC");
        settings.forEach(each -> flags.add("-Dheddle.cuda." + each));
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        Path jdk = Path.of(System.getProperty("java.home"));
        builder.environment().putAll(new ProgramCall(command, library(), jdk, flags).environment());
        return builder;
    }

    private static Ended ended(ProcessBuilder builder) throws IOException, InterruptedException {
        Path out = Files.createTempFile("heddle", ".out");
        Path err = Files.createTempFile("heddle", ".err");
        try {
            Process process =
                    builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(
                        builder.command() + " did not end: " + Files.readString(err));
            }
            return new Ended(
                    process.exitValue(),
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }
}
