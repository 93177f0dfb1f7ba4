package dev.heddle.tensorcore.numerics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

final class NumericsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "numerics.md");

    /// With `-Dheddle.update=true` the page is written instead.
    @Test
    void theDocumentIsWhatTheTablePrints() throws IOException {
        if (Boolean.getBoolean("heddle.update")) {
            Files.writeString(PAGE, NumericsPage.markdown());
        }
        assertThat(PAGE).hasContent(NumericsPage.markdown());
    }
}
