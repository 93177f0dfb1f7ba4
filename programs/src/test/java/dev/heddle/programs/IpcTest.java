package dev.heddle.programs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

@DisplayName("CUDA Runtime API 6.1: processes share memory and events")
final class IpcTest {
    @Test
    void twoProcessesAnswerAsOnAnH100(@TempDir Path folder) throws Exception {
        Path source = Path.of(Objects.requireNonNull(IpcTest.class.getResource("ipc.cu")).toURI());
        Path program = Programs.nvcc(folder, source, "-g", "-arch=compute_80", "-code=compute_80");
        Programs.Ended ended = Programs.run(program, List.of());
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isZero();
    }
}
