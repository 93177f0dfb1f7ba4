package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

@DisplayName("Programs that nvcc builds run unmodified, and judge themselves")
final class ExampleProgramsTest {
    @ParameterizedTest
    @CsvSource({"vector-add.cu, shared", "vector-add.cu, static"})
    void passes(String source, String runtime, @TempDir Path folder)
            throws IOException, InterruptedException {
        Path program = Programs.nvcc(folder, Programs.example(source), "-cudart", runtime);
        Programs.Ended ended = Programs.run(program, List.of());
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).isEqualTo("passed\n");
        assertThat(ended.code()).isZero();
    }
}
