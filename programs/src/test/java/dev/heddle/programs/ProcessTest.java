package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

@DisplayName("A process forks, exits and waits as it would with CUDA's own runtime")
final class ProcessTest {
    @TempDir static Path folder;

    private static Path program = Path.of("");

    private static final Map<String, String> SAID =
            Map.of(
                    "missing",
                    "heddle: cudaImportExternalMemory is not supported\n",
                    "bad-pointer",
                    """
                    heddle: a fault inside Heddle: a bad host pointer passed to CUDA, or a bug of \
                    Heddle: Segmentation fault
                    """);

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        Programs.assumeTool("cc");
        Path library = Programs.library().folder();
        program =
                Programs.compiled(
                        "cc",
                        folder,
                        Programs.example("process.c"),
                        "-L" + library,
                        "-lheddle-cuda",
                        "-lpthread",
                        "-Wl,-rpath," + library);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "copy       | 0 | same",
                "exit       | 5 | leavingfreed: no error",
                "thread     | 3 | leaving",
                "fork       | 0 | child: 3 initialization error;parent: same",
                "fork-first | 0 | child 7, parent same",
                "threads    | 0 | 0 differ",
                "deep       | 0 | same",
                "exec       | 0 | same",
                "closed     | 4 | ''",
                "pipe       | 141 | ''",
                "pipe-ignored | 5 | ''",
                "pipe-handled | 6 | handled",
                "handler    | 6 | mine, behind another;handled",
                "handler-gives-back | 139 | said",
                "divide     | 136 | ''",
                "null       | 139 | ''",
                "bad-pointer | 139 | ''",
                "missing    | 0 | 801 operation not supported"
            })
    void ends(String what, int code, String out) throws IOException, InterruptedException {
        Programs.Ended ended = Programs.run(program, List.of(), what);
        assertThat(ended.out().strip().replace('\n', ';')).isEqualTo(out);
        assertThat(ended.code()).isEqualTo(code);
        assertThat(ended.err()).isEqualTo(SAID.getOrDefault(what, ""));
    }

    @ParameterizedTest
    @DisplayName("a program that ends while its threads launch; programs/bin/stress does it often")
    @CsvSource(
            delimiter = '|',
            value = {
                "threads | 0 | 0 differ;kernel 1;kernel 2;kernel 3;kernel 4",
                "exit | 7 | busy;leaving",
                "fork | 8 | busy;child ended: 3, 0 differ;child: 3"
            })
    void endsInTheMiddle(String how, int code, String lines, @TempDir Path own)
            throws IOException, InterruptedException {
        Path program =
                Programs.nvcc(
                        own,
                        Programs.example("stress.cu"),
                        "-std=c++17",
                        "-arch=compute_80",
                        "-code=compute_80");
        Programs.Ended ended = Programs.run(program, List.of(), how);
        assertThat(ended.out().lines().sorted()).containsExactly(lines.split(";", -1));
        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isEqualTo(code);
    }

    @Test
    void aProgramOfCuda12(@TempDir Path own) throws IOException, InterruptedException {
        Path library = Programs.library().folder();
        Path of12 =
                Programs.compiled(
                        "cc",
                        own,
                        Programs.example("toolkit-12.c"),
                        "-L" + library,
                        "-lheddle-cuda",
                        "-Wl,-rpath," + library);
        Programs.Ended ended = Programs.run(of12, List.of());
        assertThat(ended.out()).isEqualTo("passed\n");
        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "QUIT, 131", "KILL, 137", "USR2, 140", "TERM, 143"})
    void aSignalEndsIt(String signal, int code) throws IOException, InterruptedException {
        Process process = Programs.start(program, List.of(), "wait");
        assertThat(process.inputReader().readLine()).isEqualTo("waiting");
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
        boolean ended = process.waitFor(1, TimeUnit.MINUTES);
        process.destroyForcibly();
        assertThat(ended).as("ends by %s", signal).isTrue();
        assertThat(process.exitValue()).isEqualTo(code);
    }
}
