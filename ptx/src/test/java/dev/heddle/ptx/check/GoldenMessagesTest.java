package dev.heddle.ptx.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// One file per mistake, and what is said about it. `-Dheddle.bless=true` writes the expected texts
/// anew; read them before they are committed.
@DisplayName("Messages name outcome, place, cause, remedy, rule and section")
final class GoldenMessagesTest {

    private static final Path FOLDER = Path.of("src/test/resources/dev/heddle/ptx/mistakes");

    static List<Path> mistakes() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".ptx")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void theMessageIsTheBlessedOne(Path file) throws IOException {
        String name = file.getFileName().toString();
        CheckReport report = Check.text(Files.readString(file, StandardCharsets.ISO_8859_1), name);
        Path expected = FOLDER.resolve(name.replace(".ptx", ".expected"));
        if (Boolean.getBoolean("heddle.bless")) {
            Files.writeString(expected, report.text());
        }
        assertThat(report.text()).isNotEmpty().isEqualTo(Files.readString(expected));
        assertThat(report.verdict()).isEqualTo(verdict(name));
    }

    private static CheckReport.Verdict verdict(String name) {
        if (name.startsWith("advice-")) {
            return CheckReport.Verdict.ACCEPT;
        }
        return name.startsWith("undefined-")
                ? CheckReport.Verdict.UNDEFINED
                : CheckReport.Verdict.REJECT;
    }

    @Test
    void thereAreAtLeastSixtyMistakes() throws IOException {
        assertThat(mistakes()).hasSizeGreaterThanOrEqualTo(60);
    }
}
