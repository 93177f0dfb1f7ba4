package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.files.Npy;
import dev.heddle.files.Safetensors;
import dev.heddle.files.TensorReference;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

@DisplayName("heddle compress, expand, convert")
final class ConvertCommandTest {
    @TempDir Path folder;

    private Tensor conforming;

    @BeforeEach
    void aConformingMatrix() {
        conforming = ConformingMatrix.of(64, 128);
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    /// Compresses `a.npy` to `c.safetensors`.
    private Ran compress(String format, String... options) {
        List<String> words = new ArrayList<>(List.of("compress", file("a.npy")));
        words.addAll(List.of("--format", format, "-o", file("c.safetensors")));
        words.addAll(List.of(options));
        return Ran.heddle(words.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "indices", "bitmask", "cutlass-sm80", "cutlass-sm90-k64", "cutlass-sm100",
                "torch-cutlass", "cusparselt", "ptx-m16n8k16", "ptx-m16n8k32", "wgmma-swizzle128"
            })
    void whatIsCompressedExpandsToTheSame(String format) throws IOException {
        Npy.write(folder.resolve("a.npy"), conforming);

        Ran compressed = compress(format);
        Ran expanded = Ran.heddle("expand", file("c.safetensors"), "-o", file("b.npy"));

        assertThat(compressed.err()).isEmpty();
        assertThat(compressed.code()).isZero();
        assertThat(expanded.err()).isEmpty();
        assertThat(Npy.read(folder.resolve("b.npy"))).isEqualTo(conforming);
    }

    /// Files of two, three and one part.
    @ParameterizedTest
    @ValueSource(strings = {"indices", "bitmask", "cusparselt"})
    void whatIsCompressedToArraysExpandsToTheSame(String format) throws IOException {
        Npy.write(folder.resolve("a.npy"), conforming);

        Ran compressed =
                Ran.heddle("compress", file("a.npy"), "--format", format, "-o", file("c.npy"));
        List<String> words = new ArrayList<>(List.of("expand", file("c.npy"), "--from", format));
        words.addAll(List.of("--shape", "64x128", "--type", "f16", "-o", file("b.npy")));
        Ran expanded = Ran.heddle(words.toArray(String[]::new));

        assertThat(compressed.err()).isEmpty();
        assertThat(expanded.err()).isEmpty();
        assertThat(Npy.read(folder.resolve("b.npy"))).isEqualTo(conforming);
    }

    @Test
    void aChunkThatDoesNotConformIsNamedAndNothingIsWritten() throws IOException {
        conforming.codes().set(130, 0x3c00);
        conforming.codes().set(128, 0x3c00);
        conforming.codes().set(129, 0x4000);
        conforming.codes().set(131, 0);
        Npy.write(folder.resolve("a.npy"), conforming);

        Ran ran = compress("cutlass-sm80");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .contains("row 1, chunk 0 (columns 0..3) holds 1.0, 2.0, 1.0, 0.0")
                .contains("would have to go: column 2 (1.0)")
                .contains("--prune");
        try (var files = Files.list(folder)) {
            assertThat(files.map(f -> f.getFileName().toString())).containsExactly("a.npy");
        }
    }

    @Test
    void pruningKeepsTheLargestAndSaysHowMuchWent() throws IOException {
        Tensor a = Tensor.zeros(FloatFormat.F16, List.of(1, 4));
        List.of(0x3c00, 0xc400, 0x4000, 0x3800)
                .forEach(
                        code ->
                                a.codes()
                                        .set(
                                                List.of(0x3c00, 0xc400, 0x4000, 0x3800)
                                                        .indexOf(code),
                                                code));
        Npy.write(folder.resolve("a.npy"), a);

        Ran ran = compress("cutlass-sm80", "--prune", "--pad", "--json");
        Ran.heddle("expand", file("c.safetensors"), "-o", file("b.npy"));

        assertThat(ran.out()).contains("\"dropped\":2");
        Tensor b = Npy.read(folder.resolve("b.npy"));
        assertThat(b.shape()).containsExactly(1, 4);
        assertThat(List.of(b.bits(0), b.bits(1), b.bits(2), b.bits(3)))
                .containsExactly(0L, 0xc400L, 0x4000L, 0L);
    }

    @Test
    void whatIsDroppedIsCountedInElementsWherePairsAreStored() throws IOException {
        Tensor a = Tensor.zeros(IntegerFormat.S4, List.of(1, 8));
        List<Integer> values = List.of(1, 1, 2, 0, 3, 3, 0, 4);
        for (int column = 0; column < 8; column++) {
            a.codes().set(column, values.get(column));
        }
        Npy.write(folder.resolve("a.npy"), a);

        Ran ran = compress("cutlass-sm80", "--type", "s4", "--prune", "--pad", "--json");

        // The pairs (1, 1) and (2, 0) go.
        assertThat(ran.out()).contains("\"dropped\":3");
    }

    @Test
    void sizesThatDoNotFitAreRefusedOrPaddedAndTheFileSaysSo() throws IOException {
        Npy.write(folder.resolve("a.npy"), Tensor.zeros(FloatFormat.F16, List.of(60, 120)));

        Ran refused = compress("torch-cutlass");
        Ran padded = compress("torch-cutlass", "--pad");

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("multiples of 32").contains("as 64 x 128; --pad adds");
        assertThat(padded.code()).isZero();
        assertThat(Safetensors.open(folder.resolve("c.safetensors")).metadata())
                .containsEntry("heddle:tensor", "torch-cutlass f16 64x128 of 60x120");
    }

    @Test
    void aCheckpointKeepsItsShardsAndWhatIsNoMatrix() throws IOException {
        Tensor bias = Tensor.zeros(FloatFormat.F32, List.of(7));
        bias.codes().set(3, 0x40490fdb);
        Safetensors.write(folder.resolve("m-1.safetensors"), Map.of("q.weight", conforming));
        Safetensors.write(
                folder.resolve("m-2.safetensors"), Map.of("k.weight", conforming, "k.bias", bias));
        Files.writeString(
                folder.resolve("m.safetensors.index.json"),
                "{\"weight_map\":{\"q.weight\":\"m-1.safetensors\",\"k.weight\":\"m-2.safetensors\",\"k.bias\":\"m-2.safetensors\"}}");

        Ran compressed =
                Ran.heddle(
                        "compress",
                        file("m.safetensors.index.json"),
                        "--only",
                        "q.*",
                        "--format",
                        "cusparselt",
                        "-o",
                        file("s.safetensors.index.json"));
        Ran expanded =
                Ran.heddle("expand", file("s.safetensors.index.json"), "-o", file("e.safetensors"));

        assertThat(compressed.err()).isEmpty();
        assertThat(expanded.err()).isEmpty();
        assertThat(Safetensors.open(folder.resolve("s-00001-of-00002.safetensors")).names())
                .containsExactly("q.weight.blob");
        Safetensors back = Safetensors.open(folder.resolve("e.safetensors"));
        assertThat(back.read("q.weight")).isEqualTo(conforming);
        assertThat(back.read("k.weight")).isEqualTo(conforming);
        assertThat(back.read("k.bias")).isEqualTo(bias);
    }

    @Test
    void badMetadataIsNamedWithItsPlace() throws IOException {
        Npy.write(folder.resolve("a.npy"), conforming);
        Ran.heddle("compress", file("a.npy"), "--format", "indices", "-o", file("c.npy"));
        TensorReference metadata = TensorReference.parse(file("c.metadata.npy"));
        Tensor broken = metadata.read();
        broken.codes().set(17, 0x4a);
        metadata.write(broken);

        Ran ran = Ran.heddle("expand", file("c.npy"), "--from", "indices", "-o", file("b.npy"));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .contains("row 1, chunk 2 (byte 17, bits 3..0) is 0b1010")
                .contains("PTX ISA 9.7.14.6.1");
        assertThat(folder.resolve("b.npy")).doesNotExist();
    }

    @Test
    void fourBitElementsTravelTwoAByte() throws IOException {
        Tensor a = Tensor.zeros(IntegerFormat.S4, List.of(16, 128));
        a.codes().set(0, 0x7);
        a.codes().set(1, 0x9);
        Npy.write(folder.resolve("a.npy"), a);

        compress("cutlass-sm80", "--type", "s4");
        Ran ran = Ran.heddle("expand", file("c.safetensors"), "-o", file("b.npy"));

        assertThat(ran.err()).isEmpty();
        assertThat(Npy.read(folder.resolve("b.npy"), IntegerFormat.S4)).isEqualTo(a);
    }

    @Test
    void whatIsDenseAlreadyIsSaidToBeSo() throws IOException {
        Npy.write(folder.resolve("a.npy"), conforming);

        Ran ran = Ran.heddle("expand", file("a.npy"), "-o", file("b.npy"));

        assertThat(ran.out()).endsWith("b.npy: written; no matrix changed its format\n");
        assertThat(Npy.read(folder.resolve("b.npy"))).isEqualTo(conforming);
    }

    @Test
    void everyFormatIsListedWithItsSource() {
        Ran ran = Ran.heddle("convert", "--formats", "--json");

        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines())
                .hasSizeGreaterThan(15)
                .allSatisfy(
                        line ->
                                assertThat(line)
                                        .contains("\"source\":\"")
                                        .contains("\"elements\":[\""));
    }

    @Test
    void ofACheckpointNoFileIsWrittenIfOneMatrixDoesNotConform() throws IOException {
        Tensor full = Tensor.zeros(FloatFormat.F16, List.of(64, 128));
        for (int i = 0; i < 4; i++) {
            full.codes().set(i, 0x3c00);
        }
        Safetensors.write(folder.resolve("m-1.safetensors"), Map.of("q", conforming));
        Safetensors.write(folder.resolve("m-2.safetensors"), Map.of("k", full));
        Files.writeString(
                folder.resolve("m.safetensors.index.json"),
                "{\"weight_map\":{\"q\":\"m-1.safetensors\",\"k\":\"m-2.safetensors\"}}");
        String[] convert = {
            "compress",
            file("m.safetensors.index.json"),
            "--format",
            "cutlass-sm80",
            "-o",
            file("s.safetensors.index.json")
        };

        Ran refused = Ran.heddle(convert);
        Ran pruned =
                Ran.heddle(
                        "prune",
                        file("m.safetensors.index.json"),
                        "-o",
                        file("p.safetensors.index.json"));

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("matrix \"k\": row 0, chunk 0");
        assertThat(pruned.err()).isEmpty();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())))
                    .containsExactlyInAnyOrder(
                            "m-1.safetensors",
                            "m-2.safetensors",
                            "m.safetensors.index.json",
                            "p-00001-of-00002.safetensors",
                            "p-00002-of-00002.safetensors",
                            "p.safetensors.index.json");
        }
    }

    @Test
    void wrongUseIsOneMessage() throws IOException {
        Files.write(folder.resolve("x.bin"), "abc".getBytes(StandardCharsets.US_ASCII));
        assertThat(
                        Ran.heddle(
                                "compress",
                                file("x.bin"),
                                "--format",
                                "indices",
                                "-o",
                                file("y.bin")))
                .satisfies(
                        ran -> {
                            assertThat(ran.code()).isEqualTo(2);
                            assertThat(ran.err()).contains("--shape").doesNotContain("\tat ");
                        });
        assertThat(
                        Ran.heddle(
                                        "compress",
                                        file("a.npy"),
                                        "--format",
                                        "nope",
                                        "-o",
                                        file("y.bin"))
                                .err())
                .contains("unknown storage format \"nope\": expected one of dense indices");
    }
}
