package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Explanation;
import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

@DisplayName("Work of two streams on the same memory is told where nothing orders it")
final class StreamRacesTest {
    private static final String RULE = "rule: unordered-streams, PTX ISA 8.7.1";

    /// What is on standard error, by the case of `stream-order.cu`.
    private static Map<String, String> cases(Path folder, String which)
            throws IOException, InterruptedException, URISyntaxException {
        Path source =
                Path.of(
                        Objects.requireNonNull(StreamRacesTest.class.getResource("stream-order.cu"))
                                .toURI());
        Path program =
                Programs.nvcc(
                        folder, source, "-g", "-lineinfo", "-arch=compute_80", "-code=compute_80");
        Programs.Ended ended = Programs.run(program, List.of(), which);
        Map<String, String> cases = new LinkedHashMap<>();
        for (String each : ended.err().split("(?m)^case ", -1)) {
            int line = each.indexOf('\n');
            if (line > 0) {
                cases.put(each.substring(0, line), each.substring(line + 1));
            }
        }
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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("heddle explain unordered-streams: its examples")
    void examples(boolean right, @TempDir Path folder) throws Exception {
        Explanation text = Explanation.of(Rule.UNORDERED_STREAMS);
        String calls = right ? text.right().lines() : text.wrong().lines();
        Path source =
                Files.writeString(
                        folder.resolve("example.cu"),
                        """
                        __global__ void produce(int *a) { a[threadIdx.x] = threadIdx.x; }
                        __global__ void consume(const int *a, int *b) {
                          b[threadIdx.x] = a[threadIdx.x];
                        }
                        int main() {
                          int *a, *b;
                          cudaStream_t one, two;
                          cudaEvent_t event;
                          cudaMalloc(&a, 1024);
                          cudaMalloc(&b, 1024);
                          cudaMemset(a, 0, 1024);
                          cudaStreamCreate(&one);
                          cudaStreamCreate(&two);
                          cudaEventCreate(&event);
                          CALLS
                          cudaDeviceSynchronize();
                        }
                        """
                                .replace("CALLS", calls));
        Path program = Programs.nvcc(folder, source, "-arch=compute_80", "-code=compute_80");
        Programs.Ended ended = Programs.run(program, List.of());
        if (right) {
            assertThat(ended.err()).isEmpty();
        } else {
            assertThat(ended.err()).contains(RULE);
        }
        assertThat(ended.code()).isEqualTo(right ? 0 : 1);
    }
}
