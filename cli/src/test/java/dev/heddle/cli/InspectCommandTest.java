package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.files.Npy;
import dev.heddle.files.Safetensors;
import dev.heddle.formats.Codes;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;

@DisplayName("heddle inspect")
final class InspectCommandTest {
    private static final int ONE = 0x3c00;
    private static final int MINUS_ZERO = 0x8000;

    @TempDir Path folder;

    /// Two ones in every chunk, at random, and a -0 that its chunk has no room for.
    @BeforeEach
    void aMatrixTimesAMask() throws IOException {
        Codes codes = Codes.zeros(FloatFormat.F16, 64 * 128);
        Random random = new Random(17);
        for (int chunk = 0; chunk < 64 * 32; chunk++) {
            int first = random.nextInt(4);
            int second = (first + 1 + random.nextInt(3)) % 4;
            codes.set(4 * chunk + first, ONE);
            codes.set(4 * chunk + second, ONE);
            int column = 0;
            while (codes.bits(4 * chunk + column) != 0) {
                column++;
            }
            codes.set(4 * chunk + column, MINUS_ZERO);
        }
        Npy.write(folder.resolve("a.npy"), new Tensor(List.of(64, 128), codes));
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private void compress(String to) {
        Ran ran = Ran.heddle("compress", file("a.npy"), "--format", "cusparselt", "-o", file(to));
        assertThat(ran.err()).isEmpty();
    }

    /// Bytes without a word of their format can be one alone, because they mean the matrix.
    private void assertCusparselt(String bytes) {
        Ran ran =
                Ran.heddle(
                        "inspect",
                        file(bytes),
                        "--type",
                        "f16",
                        "--shape",
                        "64x128",
                        "--like",
                        file("a.npy"),
                        "--json");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).contains("\"can_be\":[\"cusparselt\"]");
    }

    @Test
    void theFormatIsNamedThoughZerosLostTheirSign() {
        compress("c.bin");

        assertCusparselt("c.bin");
    }

    @Test
    void zerosThatLostTheirSignAreCounted() throws IOException {
        compress("c.safetensors");
        Codes codes = Npy.read(folder.resolve("a.npy")).codes();
        codes.set(0, codes.bits(0) ^ 0x4000);
        Npy.write(folder.resolve("b.npy"), new Tensor(List.of(64, 128), codes));

        Ran same = Ran.heddle("inspect", file("c.safetensors"), "--like", file("a.npy"));
        Ran other = Ran.heddle("inspect", file("c.safetensors"), "--like", file("b.npy"));

        assertThat(same.out()).contains("like         yes, but for the sign of 2048 zeros");
        assertThat(other.out()).contains("like         no");
    }

    @Test
    void whatPaddedMatricesWereIsSaid() throws IOException {
        Npy.write(
                folder.resolve("r.npy"),
                new Tensor(List.of(60, 120), Codes.zeros(FloatFormat.F16, 60 * 120)));
        Ran.heddle(
                "compress",
                file("r.npy"),
                "--format",
                "cutlass-sm80",
                "--pad",
                "-o",
                file("c.safetensors"));

        Ran ran = Ran.heddle("inspect", file("c.safetensors"), "--json");

        assertThat(ran.out())
                .contains("\"type\":\"64 x 128 .f16\",\"padded_from\":\"60 x 120 .f16\"");
    }

    /// Checkpoints keep 4-bit codes in bytes: the lower half of a byte comes first.
    @Test
    void fourBitCodesThatShareBytesAreAMatrix() throws IOException {
        Codes bytes = Codes.zeros(IntegerFormat.U8, 16 * 64);
        bytes.set(0, 0x21);
        bytes.set(1, 0x43);
        Safetensors.write(
                folder.resolve("q.safetensors"), Map.of("q", new Tensor(List.of(16, 64), bytes)));

        Ran compressed =
                Ran.heddle(
                        "compress",
                        file("q.safetensors"),
                        "--type",
                        "e2m1",
                        "--format",
                        "cutlass-sm80",
                        "-o",
                        file("c.safetensors"));
        Ran expanded = Ran.heddle("expand", file("c.safetensors"), "-o", file("b.npy"));

        assertThat(compressed.err()).isEmpty();
        assertThat(expanded.err()).isEmpty();
        Tensor again = Npy.read(folder.resolve("b.npy"), FloatFormat.E2M1);
        assertThat(again.shape()).containsExactly(16, 128);
        for (int column = 0; column < 128; column++) {
            assertThat(again.codes().bits(column)).isEqualTo(column < 4 ? column + 1 : 0);
        }
    }

    @Test
    void theFormatThatMeansAMatrixIsNamed() throws IOException {
        Npy.write(folder.resolve("a.npy"), ConformingMatrix.of(64, 128));
        compress("c.bin");

        assertCusparselt("c.bin");
    }

    @Test
    void rawBytesOfADenseMatrixAreKnown() throws IOException {
        Files.write(folder.resolve("a.bin"), ConformingMatrix.of(64, 128).codes().bytes());

        Ran ran =
                Ran.heddle(
                        "inspect", file("a.bin"), "--type", "f16", "--shape", "64x128", "--json");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .contains("\"conforms\":[\"2:4\",\"4:8\"]")
                .contains("\"can_be\":[\"dense\"]");
    }

    @Test
    void bytesThatAreFarTooFewAreNoFormat() throws IOException {
        Files.write(folder.resolve("a.bin"), new byte[4096]);
        for (String shape : List.of("999999999x999999999", "4x268435456", "30000x30000")) {
            Ran ran = Ran.heddle("inspect", file("a.bin"), "--type", "f16", "--shape", shape);
            assertThat(ran.err()).as(shape).isEmpty();
            assertThat(ran.out()).as(shape).containsPattern("can_be +none");
        }
    }

    @Test
    void whatAMatrixConformsToIsSaidAndWhetherMetadataIsInOrder() throws IOException {
        Npy.write(folder.resolve("a.npy"), ConformingMatrix.of(64, 128));
        Ran.heddle(
                "compress", file("a.npy"), "--format", "cutlass-sm80", "-o", file("c.safetensors"));

        Ran ran = Ran.heddle("inspect", file("c.safetensors"), "tensor");

        assertThat(ran.out())
                .contains("cutlass-sm80")
                .contains("ordered metadata of 2:4")
                .containsPattern("conforms +2:4 ");
    }

    @Test
    void theOrderOfMetadataAloneIsNamed() throws IOException {
        Npy.write(folder.resolve("a.npy"), ConformingMatrix.of(64, 128));
        Ran.heddle("compress", file("a.npy"), "--format", "cutlass-sm80", "-o", file("c.npy"));

        Ran ran = Ran.heddle("inspect", file("c.metadata.npy"), "--like", file("a.npy"), "--json");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).contains("\"metadata_of\":[\"cutlass-sm80\",\"torch-cutlass\"]");
    }
}
