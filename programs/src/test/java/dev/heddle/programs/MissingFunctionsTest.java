package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.programs.host.EntryPoints;
import dev.heddle.programs.host.NativeLibrary;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

@DisplayName("what is exported and not there answers cudaErrorNotSupported, and is told")
final class MissingFunctionsTest {
    private static final int NOT_SUPPORTED = 801;

    @Test
    void eachByItsName(@TempDir Path folder) throws Exception {
        EntryPoints functions = CudaFunctionsTest.functions();
        List<String> missing =
                NativeLibrary.functions().stream().filter(name -> !functions.has(name)).toList();
        assertThat(missing)
                .contains(
                        "cudaImportExternalMemory",
                        "cuImportExternalSemaphore",
                        "cuGreenCtxCreate");
        Path source =
                Path.of(
                        Objects.requireNonNull(MissingFunctionsTest.class.getResource("missing.c"))
                                .toURI());
        Programs.assumeTool("cc");
        Path program = Programs.compiled("cc", folder, source, "-ldl");
        Programs.Ended ended = Programs.run(program, List.of(), missing.toArray(String[]::new));
        assertThat(ended.out().lines())
                .containsExactlyElementsOf(
                        missing.stream().map(name -> name + " " + NOT_SUPPORTED).toList());
        assertThat(ended.err().lines())
                .containsExactlyElementsOf(
                        missing.stream()
                                .map(name -> "heddle: " + name + " is not supported")
                                .toList());
    }
}
