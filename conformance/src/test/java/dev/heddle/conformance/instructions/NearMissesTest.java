package dev.heddle.conformance.instructions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.conformance.instructions.NearMisses.NearMiss;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The verdicts are stored ([NearMisses] draws and asks ptxas 13.0), so that the test needs none.
@DisplayName("What the assembler refuses never reaches the machine")
final class NearMissesTest {
    private static final Path STORED = Path.of("src/test/resources/near-misses.tsv");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noneIsTaken(boolean reached) throws IOException {
        List<NearMiss> misses = Files.readAllLines(STORED).stream().map(NearMiss::parse).toList();
        assertThat(misses).hasSizeGreaterThan(500);
        assertThat(misses.stream().filter(miss -> miss.isTaken(reached)).map(NearMiss::line))
                .isEmpty();
    }
}
