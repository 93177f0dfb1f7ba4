package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;

@DisplayName("Work of two streams on the same memory is told where nothing orders it")
final class StreamRacesTest {
    private static final String RULE = "rule: unordered-streams, PTX ISA 8.7.1";

    /// What is on standard error, by the case of `stream-order.cu`.
    private static Map<String, String> cases(Path folder, String which)
            throws IOException, InterruptedException, URISyntaxException {
        Programs.Ended ended = Programs.cases(folder, "stream-order.cu", "compute_80", which);
        Map<String, String> cases = ended.cases();
        assertThat(cases).hasSize(15);
        assertThat(ended.code()).isEqualTo(which.equals("right") ? 0 : 1);
        return cases;
    }

    @Test
    void eachIsToldWithBothItsSides(@TempDir Path folder) throws Exception {
        Map<String, String> cases = cases(folder, "wrong");
        assertThat(cases).allSatisfy((_, told) -> assertThat(told).contains(RULE));
        assertThat(cases.get("copy-out"))
                .contains("a copy of 16384 bytes, ")
                .contains("kernel produce")
                .contains("16384 bytes at global address")
                .contains("(cudaMalloc #1, bytes 0..16383)")
                .contains(" in another stream: neither waits for the other")
                .contains("this is a bug in the program: a GPU may do either first");
        assertThat(cases.get("one-element"))
                .contains("4 bytes at global address")
                .contains("(cudaMalloc #1, bytes 1020..1023)");
        assertThat(cases.get("variable")).contains("(variable, bytes 0..1023)");
        assertThat(cases.get("graph")).contains(" in another branch of the graph");
    }

    @Test
    void nobodyIsAccusedWhoseWorkIsInOrder(@TempDir Path folder) throws Exception {
        assertThat(cases(folder, "right"))
                .allSatisfy((name, told) -> assertThat(told).as(name).isEmpty());
    }
}
