package dev.heddle.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Runs C that the page hands out, by the compiler of the machine.
final class CProgram {
    private static final Path COMPILER = Path.of("/usr/bin/gcc");

    private CProgram() {}

    /// Skips the test where there is no compiler.
    static void assumeCompiler() {
        assumeTrue(Files.isExecutable(COMPILER), "no C compiler here");
    }

    /// What a program prints.
    static List<String> lines(Path folder, String text) throws IOException, InterruptedException {
        Path source = folder.resolve("program.c");
        Files.writeString(source, text);
        String program = folder.resolve("program").toString();
        String said = run(COMPILER.toString(), "-w", "-O0", "-o", program, source.toString());
        assertThat(said).isEmpty();
        return run(program).lines().toList();
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
