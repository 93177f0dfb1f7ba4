package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.Format;
import dev.heddle.sparse.StorageFormat;
import dev.heddle.sparse.StorageFormats;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.Stream;

@DisplayName("heddle layout --format")
final class StorageLayoutTest {
    private static String[] with(String[] arguments, String last) {
        return Stream.concat(Stream.of(arguments), Stream.of(last)).toArray(String[]::new);
    }

    @Test
    void layoutsOfStorageFormatsAreDrawn() {
        assertThat(Ran.heddle("layout", "--format", "cutlass-sm80", "--type", "s8").out())
                .contains(
                        "row = offset3 offset7 offset6 offset5; chunk = offset4 offset2 offset1"
                                + " offset0");
        assertThat(Ran.heddle("layout", "--format", "cusparselt", "--type", "f16", "--as", "tsv"))
                .satisfies(
                        ran ->
                                assertThat(ran.out().lines())
                                        .hasSize(64 * 8 + 1)
                                        .contains("metadata\t1\t8\t0"));
        assertThat(Ran.heddle("layout", "--format", "cutlass-sm100", "--as", "svg").out())
                .startsWith("<svg");
        assertThat(Ran.heddle("layout", "--format", "cusparselt", "--type", "u4").code())
                .isEqualTo(2);
    }

    /// The picture, the table and the text have the second metadata of f32, too.
    @Test
    void theSecondMetadataIsDrawnBesideTheFirst() {
        String[] layout = {"layout", "--format", "cusparselt", "--type", "f32", "--as"};

        assertThat(Ran.heddle(with(layout, "text")).out())
                .contains("second metadata of f32: row = offset4 offset2")
                .contains("downwards in blocks of 4 x 2");
        assertThat(Ran.heddle(with(layout, "svg")).out())
                .contains("cusparselt, metadata of f32")
                .contains("cusparselt, second metadata of f32")
                .contains("cusparselt, stored elements of f32");
        assertThat(Ran.heddle(with(layout, "csv")).out().lines())
                .contains("part,place,row,column", "second metadata,4,8,0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "tsv", "csv", "markdown", "json", "svg"})
    void everyFormatIsDrawnForEveryTypeThatItHolds(String as) {
        for (StorageFormat format : StorageFormats.all()) {
            for (Format element : format.formats()) {
                Ran ran =
                        Ran.heddle(
                                "layout",
                                "--format",
                                format.name(),
                                "--type",
                                element.ptxName(),
                                "--as",
                                as);
                assertThat(ran.err()).as("%s %s", format, element).isEmpty();
                assertThat(ran.out()).as("%s %s", format, element).isNotBlank();
            }
        }
    }
}
