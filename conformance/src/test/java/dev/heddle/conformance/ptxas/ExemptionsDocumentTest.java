package dev.heddle.conformance.ptxas;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// `docs/evidence/legality.md` lists the exemptions; a failure shows the lines to put there.
@DisplayName("docs/evidence/legality.md lists what the model and ptxas may differ in")
final class ExemptionsDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "evidence", "legality.md");

    @Test
    void everyExemptionIsListedWithItsReason() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (Exemption exemption : Exemption.values()) {
            rows.append(
                    "| `%s` | %s | %s |\n"
                            .formatted(exemption, exemption.accepts(), exemption.reason()));
        }
        assertThat(Files.readString(DOCUMENT)).contains(rows);
    }
}
