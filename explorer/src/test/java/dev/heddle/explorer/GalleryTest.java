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

@DisplayName("The gallery")
final class GalleryTest {
    private static final Path KEPT = Path.of("..", "docs", "gallery");

    @Test
    void isAsTheModelDrawsItToday(@TempDir Path folder) throws IOException {
        int figures = Gallery.write(folder);

        assertThat(names(KEPT)).isEqualTo(names(folder)).hasSize(figures + 1);
        for (String name : names(folder)) {
            assertThat(Files.readString(KEPT.resolve(name)))
                    .as("%s: run heddle explore --gallery docs/gallery", name)
                    .isEqualTo(Files.readString(folder.resolve(name)));
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }
}
