package dev.heddle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.tensorcore.golden.GoldenReader;
import dev.heddle.tensorcore.golden.GoldenReplay;
import dev.heddle.tensorcore.golden.GoldenReplay.Result;
import dev.heddle.tensorcore.kernel.Kernels.Speed;
import dev.heddle.tensorcore.numerics.Generation;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;

/// The recording of 2026-11-21, by Heddle's own recorder and from new seeds: the cases of it that
/// are kept. Device, driver, date and seed stand in the files.
@DisplayName("What an H200 computed of cases that the model was not made from")
final class FreshVectorsTest {
    @ParameterizedTest(name = "{0}: {1} forms, {2} cases")
    @CsvSource({
        "mma_float, 44, 352",
        "mma_int, 54, 432",
        "mma_m8n8k4_f16, 12, 96",
        "mmasp_float, 24, 192",
        "mmasp_int, 64, 512",
        "wgmma_float, 61, 109",
        "wgmma_int, 41, 77",
        "wgmmasp_float, 75, 123",
        "wgmmasp_int, 43, 75"
    })
    void everyRecordedBitIsMet(String file, int forms, int cases) throws IOException {
        List<Result> results = replay(file, Speed.FAST);
        assertThat(results).hasSize(forms);
        assertThat(results.stream().mapToInt(Result::cases).sum()).isEqualTo(cases);
        GoldenVectorsTest.assertExact(results);
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.5.1: m8n8k4 with f16 operands, which Hopper emulates")
    void theExactTwinMeetsTheEmulatedShape() throws IOException {
        GoldenVectorsTest.assertExact(replay("mma_m8n8k4_f16", Speed.EXACT));
    }

    private static List<Result> replay(String file, Speed speed) throws IOException {
        String resource = "/golden/h200-2026-11-21/" + file + ".bin.gz";
        InputStream stream = FreshVectorsTest.class.getResourceAsStream(resource);
        GoldenReplay replay = new GoldenReplay(Generation.SM_90, speed);
        try (GoldenReader reader =
                GoldenReader.open(resource, Objects.requireNonNull(stream, resource))) {
            replay.replay(reader, goldenCase -> true);
        }
        return replay.results();
    }
}
