package dev.heddle.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.tensorcore.golden.GoldenCase;
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
import java.util.Random;
import java.util.function.Predicate;

@DisplayName("What an H200 computed: PTX ISA 9.7.14.5, 9.7.14.6, 9.7.15.5, 9.7.15.6")
final class GoldenVectorsTest {
    private static final long SEED = 20261121;

    @ParameterizedTest(name = "{0}: {1} forms, {2} cases")
    @CsvSource({
        "mma_float, 28, 308",
        "mma_int, 48, 384",
        "mmasp_float, 24, 318",
        "mmasp_int, 64, 704",
        "wgmma_float, 76, 232",
        "wgmma_int, 32, 116",
        "wgmmasp_float, 76, 232",
        "wgmmasp_int, 32, 116"
    })
    void everyRecordedBitIsMetByTheFastKernels(String file, int forms, int cases)
            throws IOException {
        List<Result> results = replay(file, Speed.FAST, goldenCase -> true);

        assertExact(results);
        assertThat(results).hasSize(forms);
        assertThat(results.stream().mapToInt(Result::cases).sum()).isEqualTo(cases);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"mma_float", "mma_int", "mmasp_float", "mmasp_int", "wgmmasp_float"})
    void aSampleOfThemIsMetByTheExactTwin(String file) throws IOException {
        Random random = new Random(SEED);
        assertExact(replay(file, Speed.EXACT, goldenCase -> random.nextInt(8) == 0));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"mma_float", "mmasp_float", "wgmma_float", "wgmmasp_int"})
    void theyAreMetPlainlyAndByColumns(String file) throws IOException {
        assertExact(replay(file, Speed.PLAIN, goldenCase -> true));
        assertExact(replay(file, Speed.COLUMNS, goldenCase -> true));
    }

    /// As kernels compute them: by machine code, single bits too, where this processor runs it.
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "mma_float", "mma_int", "mmasp_float", "mmasp_int",
        "wgmma_float", "wgmma_int", "wgmmasp_float", "wgmmasp_int"
    })
    void theyAreMetAsKernelsComputeThem(String file) throws IOException {
        assertExact(replay(file, Speed.ADAPTIVE, goldenCase -> true));
    }

    @Test
    void aGenerationWithoutAFormSaysSo() throws IOException {
        GoldenReplay ada = new GoldenReplay(Generation.SM_89);
        try (GoldenReader reader = open("mma_float")) {
            assertThatThrownBy(() -> ada.replay(reader, goldenCase -> true))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not on sm_89");
        }
    }

    /// Every case of every form came out with the bits of the GPU.
    static void assertExact(List<Result> results) {
        assertThat(results)
                .allSatisfy(
                        result ->
                                assertThat(result.exact())
                                        .as("%s, first difference %s", result, result.difference())
                                        .isEqualTo(result.cases()));
    }

    private static List<Result> replay(String file, Speed speed, Predicate<GoldenCase> which)
            throws IOException {
        GoldenReplay replay = new GoldenReplay(Generation.SM_90, speed);
        try (GoldenReader reader = open(file)) {
            replay.replay(reader, which);
        }
        return replay.results();
    }

    private static GoldenReader open(String file) throws IOException {
        String resource = "/golden/h200/" + file + ".bin.gz";
        InputStream stream = GoldenVectorsTest.class.getResourceAsStream(resource);
        return GoldenReader.open(resource, Objects.requireNonNull(stream, resource));
    }
}
