package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

import tools.jackson.jr.ob.JSON;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import javax.xml.parsers.DocumentBuilderFactory;

@DisplayName("What a program did and what was found, for other programs")
final class ReportsTest {
    @TempDir static Path folder;

    private static Path program = Path.of("");

    /// Without `-lineinfo`, the place of the host's call is the only line that is known.
    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        Path source =
                Files.writeString(
                        folder.resolve("outside.cu"),
                        """
                        __global__ void store(int *a, int at) { a[threadIdx.x + at] = 1; }
                        int main() {
                          int *a, inside = 0, outside = 1;
                          cudaMalloc(&a, 128);
                          store<<<1, 32>>>(a, inside);
                          void *arguments[] = {&a, &outside};
                          cudaLaunchKernel((void *)store, dim3(1), dim3(32), arguments, 0, 0);
                          cudaDeviceSynchronize();
                        }
                        """);
        program =
                Programs.nvcc(folder, source, "-g", "-O2", "-arch=compute_80", "-code=compute_80");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(String json) throws IOException {
        return (Map<String, Object>) Objects.requireNonNull(JSON.std.anyFrom(json));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> object, String name) {
        return (List<Map<String, Object>>) Objects.requireNonNull(object.get(name));
    }

    @Test
    @DisplayName("--json: a line for the finding, then one for all; --report has the last one")
    void json() throws IOException, InterruptedException {
        Path report = folder.resolve("report-%p.json");
        Programs.Ended ended =
                Programs.run(program, List.of("json=true", "report=" + report, "leaks=true"));
        List<String> lines = ended.err().lines().toList();
        assertThat(lines).hasSize(2);
        Map<String, Object> finding = object(lines.get(0));
        assertThat(finding)
                .containsEntry("launch", 2)
                .containsEntry("kernel", "_Z5storePii")
                .containsEntry("rule", "out-of-bounds")
                .containsKeys("verdict", "severity", "section", "place", "line", "where", "count");
        assertThat(String.valueOf(finding.get("launched_by")))
                .startsWith("main at ")
                .endsWith("outside.cu:7");
        Map<String, Object> all = object(lines.get(1));
        assertThat(all)
                .containsEntry("ok", false)
                .containsEntry("exit_code", 1)
                .containsEntry("device", "sm_90")
                .containsEntry("program", program.toRealPath().toString());
        assertThat(list(all, "findings")).containsExactly(finding);
        assertThat(list(all, "warnings")).isEmpty();
        assertThat(list(all, "leaks").getFirst()).containsEntry("bytes", 128);
        assertThat(list(all, "kernels").getFirst()).containsEntry("launches", 2);
        assertThat(list(all, "launches"))
                .extracting(
                        one -> one.get("verdict"), one -> one.get("block"), one -> one.get("grid"))
                .containsExactly(
                        Tuple.tuple("ok", List.of(32, 1, 1), List.of(1, 1, 1)),
                        Tuple.tuple("failed", List.of(32, 1, 1), List.of(1, 1, 1)));
        assertThat(String.valueOf(list(all, "launches").getFirst().get("launched_by")))
                .endsWith("outside.cu:5");
        Path written = folder.resolve("report-" + all.get("process") + ".json");
        assertThat(Files.readString(written)).isEqualTo(lines.get(1) + "\n");
    }

    @Test
    @DisplayName("--sarif points at the call that launched; --junit-xml has the kernel as a test")
    void sarifAndJunit() throws Exception {
        Path log = folder.resolve("log.sarif");
        Path tests = folder.resolve("tests.xml");
        Programs.Ended ended = Programs.run(program, List.of("sarif=" + log, "junit-xml=" + tests));
        assertThat(ended.code()).isEqualTo(1);
        Map<String, Object> run = list(object(Files.readString(log)), "runs").getFirst();
        assertThat(list(run, "invocations").getFirst())
                .containsEntry("executionSuccessful", true)
                .containsEntry("exitCode", 1);
        Map<String, Object> result = list(run, "results").getFirst();
        assertThat(result).containsEntry("ruleId", "out-of-bounds");
        assertThat(list(result, "locations").toString())
                .contains("outside.cu", "startLine=7")
                .doesNotContain("module1.ptx");
        assertThat(list(result, "relatedLocations").toString())
                .contains("module1.ptx", "launched by main");
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(tests.toFile());
        assertThat(document.getDocumentElement().getAttribute("tests")).isEqualTo("2");
        assertThat(document.getElementsByTagName("failure").item(0).getTextContent())
                .contains("rule: out-of-bounds", "launched by main at");
    }
}
