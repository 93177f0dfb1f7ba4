package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.programs.host.NativeLibrary;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What Triton 3.6.0 asks of `ptxas`: the calls in `NvidiaTool.from_path` (knobs.py) and
/// `make_cubin` (backends/nvidia/compiler.py).
@DisplayName("Triton hands on PTX where it would assemble it")
final class TritonTest {
    private static final Pattern RELEASE = Pattern.compile(".*release (\\d+\\.\\d+).*");

    @TempDir private Path folder;

    private static Map<String, String> environment(NativeLibrary library) {
        return new ProgramCall(List.of("python3"), library, Path.of("jdk"), List.of())
                .environment();
    }

    /// Calls what an environment variable of Triton's names.
    private String call(String variable, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(environment(Programs.library()).get(variable));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return process.exitValue() + " " + said.strip();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH"})
    void saysItsRelease(String variable) throws IOException, InterruptedException {
        Matcher release = RELEASE.matcher(call(variable, "--version"));
        assertThat(release.find()).isTrue();
        // what cudaDriverGetVersion answers
        assertThat(release.group(1)).isEqualTo("13.0");
    }

    @Test
    void thePtxIsTheResult() throws IOException, InterruptedException {
        Path ptx = Files.writeString(folder.resolve("tmp1 2.ptx"), ".version 9.0\n// as it is\n");
        Path result = folder.resolve("tmp1 2.ptx.o");
        String said =
                call(
                        "TRITON_PTXAS_PATH",
                        "-lineinfo",
                        "--fmad=false",
                        "-v",
                        "--opt-level",
                        "0",
                        "--gpu-name=sm_90a",
                        ptx.toString(),
                        "-o",
                        result.toString());
        assertThat(said).isEqualTo("0 ");
        assertThat(result).hasSameBinaryContentAs(ptx);
    }

    @Test
    void aCallOfAnotherKindFails() throws IOException, InterruptedException {
        assertThat(call("TRITON_PTXAS_PATH", "-o", folder.resolve("x").toString()))
                .startsWith("2 ")
                .endsWith("no file of PTX");
    }

    /// Triton links its launchers with `libcuda.so.1` of this folder, where no driver is installed.
    @Test
    void theDriverIsFound() throws IOException {
        Path driver = Path.of(environment(Programs.library()).get("TRITON_LIBCUDA_PATH"));
        assertThat(driver.resolve("libcuda.so.1")).exists();
    }
}
