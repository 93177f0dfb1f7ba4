package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

@DisplayName("Copies that the native library makes by itself are those that Java would make")
final class CopiesTest {
    private static Programs.Ended run(Path folder, String which, String... settings)
            throws IOException, InterruptedException, URISyntaxException {
        Path source =
                Path.of(Objects.requireNonNull(CopiesTest.class.getResource("copies.cu")).toURI());
        Path program = Programs.nvcc(folder, source, "-g", "-arch=compute_80", "-code=compute_80");
        return Programs.run(program, List.of(settings), which);
    }

    @ParameterizedTest
    @ValueSource(strings = {"check=all", "check=none"})
    void theyAreQuickAndInOrder(String checks, @TempDir Path folder) throws Exception {
        Programs.Ended ended = run(folder, "right", checks);
        assertThat(ended.out()).matches("\\d+ ns each\n");
        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isZero();
    }

    @Test
    void whereStreamsOrAFaultMatterTheyAreNot(@TempDir Path folder) throws Exception {
        Programs.Ended ended = run(folder, "wrong");
        assertThat(ended.out()).isEmpty();
        Map<String, String> cases = ended.cases();
        assertThat(cases.get("copy")).contains("unordered-streams").contains("a copy of 128 bytes");
        assertThat(cases.get("fill")).contains("unordered-streams").contains("a fill of 128 bytes");
        assertThat(cases.get("in-order")).doesNotContain("unordered-streams");
        assertThat(ended.code()).isEqualTo(1);
    }
}
