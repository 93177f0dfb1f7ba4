package dev.heddle.style;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Whether every Java file of the repository has one subject: those of more than 400 lines mostly
/// have two. Tables may be longer, as there is nothing in them to cut.
@DisplayName("Java files are of at most 400 lines")
final class FileSizeTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int LINES = 400;

    /// What may be longer, and why.
    private static final Map<String, String> TABLES =
            Map.of(
                    "isa/src/main/java/dev/heddle/isa/rule/Rule.java",
                    "every rule with its section, its words and its advice");

    @Test
    void butForTables() throws IOException {
        assertThat(large()).containsExactlyInAnyOrderElementsOf(TABLES.keySet());
    }

    private static List<String> large() throws IOException {
        List<String> large = new ArrayList<>();
        for (Path source : JavaSources.under(ROOT)) {
            if (Files.readAllLines(source).size() > LINES) {
                large.add(ROOT.relativize(source).toString().replace('\\', '/'));
            }
        }
        return large;
    }
}
