package dev.heddle.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

@DisplayName("The figures of errors")
final class ErrorFigureTest {
    private static final Path KEPT = Path.of("..", "docs", "figures");

    @Test
    void areAsTheStoredErrorsGiveThem(@TempDir Path folder) throws IOException {
        int figures = ErrorFigure.writeAll(folder);

        assertThat(names(KEPT)).isEqualTo(names(folder)).hasSize(figures);
        for (String name : names(folder)) {
            assertThat(Files.readString(KEPT.resolve(name)))
                    .as("%s: run heddle explore --errors docs/figures", name)
                    .isEqualTo(Files.readString(folder.resolve(name)));
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
        }
    }
}
