package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

@DisplayName("A copy that gives the host bytes which nobody wrote gets a warning")
final class UnwrittenCopiesTest {
    private static final String RULE = "rule: unwritten-copy, PTX ISA 8.2.6";

    private static Map<String, String> cases(Path folder, String which, String... settings)
            throws IOException, InterruptedException, URISyntaxException {
        Path source =
                Path.of(
                        Objects.requireNonNull(
                                        UnwrittenCopiesTest.class.getResource(
                                                "unwritten-copies.cu"))
                                .toURI());
        Path program =
                Programs.nvcc(
                        folder, source, "-g", "-lineinfo", "-arch=compute_90", "-code=compute_90");
        Programs.Ended ended = Programs.run(program, List.of(settings), which);
        assertThat(ended.code()).as(ended.err()).isZero();
        return ended.cases();
    }

    @Test
    void bytesAreCountedAndTheFirstIsNamed(@TempDir Path folder) throws Exception {
        Map<String, String> cases = cases(folder, "wrong");
        assertThat(cases)
                .hasSize(9)
                .allSatisfy((_, told) -> assertThat(told).containsOnlyOnce(RULE));
        assertThat(cases.get("part"))
                .contains("heddle: a copy of 1024 bytes, called by wrong() at ")
                .containsPattern("unwritten-copies\\.cu:\\d+\n")
                .contains(
                        "warning: a copy of 1024 bytes gives the host 4 bytes that nobody wrote,"
                                + " the first at global address 0x")
                .contains("(cudaMalloc #1, byte 1020)")
                .contains("no rule is broken: it matters only where the host uses these bytes");
        assertThat(cases.get("device-to-device")).contains("(cudaMalloc #2, byte 1020)");
        assertThat(cases.get("rows"))
                .contains("a copy of 256 bytes gives the host 76 bytes that nobody wrote")
                .contains(", byte 60)");
        assertThat(cases.get("refused-launch")).contains("gives the host 1024 bytes");
        assertThat(cases.get("bytes")).contains("gives the host 128 bytes").contains(", byte 1)");
        assertThat(cases.get("allocated-again")).contains("gives the host 1024 bytes");
    }

    @Test
    void nobodyIsWarnedWhoCopiesWhatWasWritten(@TempDir Path folder) throws Exception {
        assertThat(cases(folder, "right"))
                .hasSize(9)
                .allSatisfy((name, told) -> assertThat(told).as(name).isEmpty());
    }

    @Test
    void nothingIsSaidWhereDefinednessIsNotChecked(@TempDir Path folder) throws Exception {
        assertThat(cases(folder, "wrong", "check=races"))
                .hasSize(9)
                .allSatisfy((name, told) -> assertThat(told).as(name).isEmpty());
    }
}
