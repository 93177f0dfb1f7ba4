package dev.heddle.style;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.spi.ToolProvider;

/// Whether every Java file of the repository is as google-java-format writes it, in AOSP style. The
/// formatter leaves comments alone, so their width is asked for here.
///
/// `./mvnw -q -pl style -Pformat test` writes the files instead.
@DisplayName("Every Java file is formatted")
final class FormattingTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int COLUMNS = 100;
    private static final String MEND = "./mvnw -q -pl style -Pformat test";

    @Test
    void asGoogleJavaFormatWritesIt() throws IOException {
        Optional<ToolProvider> formatter = ToolProvider.findFirst("google-java-format");
        assumeTrue(
                formatter.isPresent() || isMaven(),
                "google-java-format is on the class path of the Maven build only");
        boolean write = System.getProperty("heddle.format", "check").equals("write");
        List<String> arguments = new ArrayList<>(List.of("--aosp", "--skip-javadoc-formatting"));
        arguments.add(write ? "--replace" : "--dry-run");
        for (Path source : sources()) {
            arguments.add(source.toString());
        }
        StringWriter differing = new StringWriter();
        StringWriter errors = new StringWriter();
        formatter
                .orElseThrow()
                .run(
                        new PrintWriter(differing),
                        new PrintWriter(errors),
                        arguments.toArray(String[]::new));
        assertThat(errors.toString()).isEmpty();
        assertThat(differing.toString().lines()).as("files that `%s` would change", MEND).isEmpty();
    }

    @Test
    void withCommentsOfAtMostAHundredColumns() throws IOException {
        List<String> wide = new ArrayList<>();
        for (Path source : sources()) {
            List<String> lines = Files.readAllLines(source);
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                if (line.length() > COLUMNS && line.strip().startsWith("//")) {
                    wide.add(source + ":" + (i + 1));
                }
            }
        }
        assertThat(wide).isEmpty();
    }

    /// Surefire names the folder of the module.
    private static boolean isMaven() {
        return System.getProperty("basedir") != null;
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = JavaSources.under(ROOT);
        assertThat(sources).hasSizeGreaterThan(100);
        return sources;
    }
}
