package dev.heddle.sparse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/// Places of metadata as CUTLASS 4.7.0 computes them: `fill_layoutE` of its sparse configurations
/// and `reorder_meta`, compiled and run on the host on 2026-11-22.
///
/// A line of the resource: configuration, rows, columns (of `reorder_meta` words), size, then
/// `row,chunk,place` in nibbles (of `reorder_meta` `row,word,place` in words).
@DisplayName("CUTLASS 4.7.0: where metadata stands")
final class CutlassLayoutsTest {
    private record Configuration(String format, Format element) {}

    private static final Map<String, Configuration> CONFIGURATIONS =
            Map.ofEntries(
                    Map.entry(
                            "sm90-16-k32", new Configuration("cutlass-sm90-k32", FloatFormat.F16)),
                    Map.entry(
                            "sm90-16-k64", new Configuration("cutlass-sm90-k64", FloatFormat.BF16)),
                    Map.entry(
                            "sm90-16-k128",
                            new Configuration("cutlass-sm90-k128", FloatFormat.F16)),
                    Map.entry(
                            "sm90-32-k32", new Configuration("cutlass-sm90-k32", FloatFormat.TF32)),
                    Map.entry(
                            "sm90-32-k64", new Configuration("cutlass-sm90-k64", FloatFormat.TF32)),
                    Map.entry(
                            "sm90-32-k128",
                            new Configuration("cutlass-sm90-k128", FloatFormat.F32)),
                    Map.entry(
                            "sm90-8-k64", new Configuration("cutlass-sm90-k64", IntegerFormat.S8)),
                    Map.entry(
                            "sm90-8-k128",
                            new Configuration("cutlass-sm90-k128", FloatFormat.E4M3)),
                    Map.entry("sm100-16", new Configuration("cutlass-sm100", FloatFormat.F16)),
                    Map.entry("sm100-32", new Configuration("cutlass-sm100", FloatFormat.TF32)),
                    Map.entry("sm100-8", new Configuration("cutlass-sm100", IntegerFormat.S8)),
                    Map.entry("sm100-8f", new Configuration("cutlass-sm100", FloatFormat.E4M3)),
                    Map.entry("sm100-4", new Configuration("cutlass-sm100", FloatFormat.E2M1)),
                    Map.entry("sm80-16", new Configuration("cutlass-sm80", FloatFormat.F16)),
                    Map.entry("sm80-32", new Configuration("cutlass-sm80", IntegerFormat.S8)));

    @ParameterizedTest
    @MethodSource("lines")
    void metadataStandsWhereCutlassPutsIt(String line) {
        String[] fields = line.split(" ", -1);
        Configuration configuration = Objects.requireNonNull(CONFIGURATIONS.get(fields[0]));
        Arrangement arrangement =
                StorageFormats.named(configuration.format()).arrangement(configuration.element());
        TiledLayout layout = arrangement.metadata();
        boolean words = fields[0].startsWith("sm80");
        int nibbles = words ? arrangement.word().bits() / 4 : 1;
        int rows = Integer.parseInt(fields[1]);
        int chunks =
                words
                        ? Integer.parseInt(fields[2]) * nibbles
                        : Integer.parseInt(fields[2]) / arrangement.granularity().width();

        for (String triple : List.of(fields).subList(4, fields.length)) {
            String[] at = triple.split(",", -1);
            long place =
                    layout.offset(
                            rows,
                            chunks,
                            Integer.parseInt(at[0]),
                            Integer.parseInt(at[1]) * nibbles);
            assertThat(place).as(triple).isEqualTo(Long.parseLong(at[2]) * nibbles);
        }
    }

    @ParameterizedTest
    @MethodSource("lines")
    void metadataTakesAsMuchAsCutlassAllocates(String line) {
        String[] fields = line.split(" ", -1);
        Configuration configuration = Objects.requireNonNull(CONFIGURATIONS.get(fields[0]));
        Arrangement arrangement =
                StorageFormats.named(configuration.format()).arrangement(configuration.element());
        boolean words = fields[0].startsWith("sm80");
        int nibbles = words ? arrangement.word().bits() / 4 : 1;
        int width = arrangement.granularity().width();
        int columns = Integer.parseInt(fields[2]);

        assertThat(
                        arrangement
                                .metadata()
                                .size(
                                        Integer.parseInt(fields[1]),
                                        words ? columns * nibbles : columns / width))
                .isEqualTo(Long.parseLong(fields[3]) * nibbles / (words ? 1 : width));
    }

    static Stream<String> lines() {
        try (InputStream stream =
                        CutlassLayoutsTest.class.getResourceAsStream("cutlass-layouts.txt.gz");
                BufferedReader reader =
                        new BufferedReader(
                                new InputStreamReader(
                                        new GZIPInputStream(Objects.requireNonNull(stream)),
                                        StandardCharsets.US_ASCII))) {
            return reader.lines().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
