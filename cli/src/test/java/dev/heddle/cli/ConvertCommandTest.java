package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.files.Npy;
import dev.heddle.files.Safetensors;
import dev.heddle.files.TensorReference;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;
import dev.heddle.sparse.MatrixConversion;
import dev.heddle.sparse.MatrixType;
import dev.heddle.sparse.StorageFormats;
import dev.heddle.sparse.StoredMatrix;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

@DisplayName("heddle compress, expand, convert")
final class ConvertCommandTest {
    @TempDir Path folder;

    private Tensor conforming;

    @BeforeEach
    void aConformingMatrix() {
        conforming = Tensor.zeros(FloatFormat.F16, List.of(64, 128));
        Random random = new Random(3);
        for (int chunk = 0; chunk < 64 * 32; chunk++) {
            for (int i = 0; i < 2; i++) {
                conforming.codes().set(chunk * 4L + random.nextInt(4), 1 + random.nextInt(0x7bff));
            }
        }
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "indices", "bitmask", "cutlass-sm80", "cutlass-sm90-k64", "cutlass-sm100",
                "torch-cutlass", "cusparselt", "ptx-m16n8k16", "ptx-m16n8k32", "wgmma-swizzle128"
            })
    void whatIsCompressedExpandsToTheSame(String format) throws IOException {
        Npy.write(folder.resolve("a.npy"), conforming);

        Ran compressed =
                Ran.heddle(
                        "compress", file("a.npy"), "--format", format, "-o", file("c.safetensors"));
        Ran expanded = Ran.heddle("expand", file("c.safetensors"), "-o", file("b.npy"));

        assertThat(compressed.err()).isEmpty();
        assertThat(compressed.code()).isZero();
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

        Ran ran =
                Ran.heddle(
                        "compress",
                        file("a.npy"),
                        "--format",
                        "cutlass-sm80",
                        "-o",
                        file("c.safetensors"));

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

        Ran ran =
                Ran.heddle(
                        "compress",
                        file("a.npy"),
                        "--format",
                        "cutlass-sm80",
                        "--prune",
                        "--pad",
                        "-o",
                        file("c.safetensors"),
                        "--json");
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

        Ran ran =
                Ran.heddle(
                        "compress",
                        file("a.npy"),
                        "--type",
                        "s4",
                        "--format",
                        "cutlass-sm80",
                        "--prune",
                        "--pad",
                        "-o",
                        file("c.safetensors"),
                        "--json");

        // The pairs (1, 1) and (2, 0) go.
        assertThat(ran.out()).contains("\"dropped\":3");
    }

    @Test
    void sizesThatDoNotFitAreRefusedOrPaddedAndTheFileSaysSo() throws IOException {
        Npy.write(folder.resolve("a.npy"), Tensor.zeros(FloatFormat.F16, List.of(60, 120)));

        Ran refused =
                Ran.heddle(
                        "compress",
                        file("a.npy"),
                        "--format",
                        "torch-cutlass",
                        "-o",
                        file("c.safetensors"));
        Ran padded =
                Ran.heddle(
                        "compress",
                        file("a.npy"),
                        "--format",
                        "torch-cutlass",
                        "--pad",
                        "-o",
                        file("c.safetensors"));

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

        Ran.heddle(
                "compress",
                file("a.npy"),
                "--type",
                "s4",
                "--format",
                "cutlass-sm80",
                "-o",
                file("c.safetensors"));
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
    void inspectNamesTheFormatThatMeansAMatrix() throws IOException {
        Npy.write(folder.resolve("a.npy"), conforming);
        Ran.heddle("compress", file("a.npy"), "--format", "cusparselt", "-o", file("c.bin"));

        Ran ran =
                Ran.heddle(
                        "inspect",
                        file("c.bin"),
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
    void inspectKnowsRawBytesOfADenseMatrix() throws IOException {
        Files.write(folder.resolve("a.bin"), conforming.codes().bytes());

        Ran ran =
                Ran.heddle(
                        "inspect", file("a.bin"), "--type", "f16", "--shape", "64x128", "--json");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .contains("\"conforms\":[\"2:4\",\"4:8\"]")
                .contains("\"can_be\":[\"dense\"]");
    }

    @Test
    void inspectOfBytesThatAreFarTooFewNamesNoFormat() throws IOException {
        Files.write(folder.resolve("a.bin"), new byte[4096]);
        for (String shape : List.of("999999999x999999999", "4x268435456", "30000x30000")) {
            Ran ran = Ran.heddle("inspect", file("a.bin"), "--type", "f16", "--shape", shape);
            assertThat(ran.err()).as(shape).isEmpty();
            assertThat(ran.out()).as(shape).containsPattern("can_be +none");
        }
    }

    @Test
    void inspectSaysWhatAMatrixConformsToAndWhetherMetadataIsInOrder() throws IOException {
        Npy.write(folder.resolve("a.npy"), conforming);
        Ran.heddle(
                "compress", file("a.npy"), "--format", "cutlass-sm80", "-o", file("c.safetensors"));

        Ran ran = Ran.heddle("inspect", file("c.safetensors"), "tensor");

        assertThat(ran.out())
                .contains("cutlass-sm80")
                .contains("ordered metadata of 2:4")
                .containsPattern("conforms +2:4 ");
    }

    @Test
    void inspectNamesTheOrderOfMetadataThatStandsAlone() throws IOException {
        Npy.write(folder.resolve("a.npy"), conforming);
        Ran.heddle("compress", file("a.npy"), "--format", "cutlass-sm80", "-o", file("c.npy"));

        Ran ran = Ran.heddle("inspect", file("c.metadata.npy"), "--like", file("a.npy"), "--json");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).contains("\"metadata_of\":[\"cutlass-sm80\",\"torch-cutlass\"]");
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

    /// The example's own files give stored elements by rows and metadata in the order of lanes; the
    /// launch file written here has the dense matrix alone, and the product must be the same.
    @Test
    void aLaunchFileCompressesTheMatrixItself() throws IOException {
        Path example = Path.of("..", "examples", "sparse-gemm-f16");
        MatrixType type = new MatrixType(128, 128, FloatFormat.F16);
        StoredMatrix lanes =
                new StoredMatrix(
                        StorageFormats.named("ptx-m16n8k32"),
                        type,
                        MemorySegment.ofArray(new byte[128 * 64 * 2]),
                        MemorySegment.ofArray(
                                Npy.read(example.resolve("metadata.npy")).codes().bytes()));
        StoredMatrix rows = StoredMatrix.allocate(StorageFormats.named("indices"), type);
        new MatrixConversion(lanes, rows).run();
        StoredMatrix stored =
                new StoredMatrix(
                        rows.format(),
                        type,
                        MemorySegment.ofArray(Npy.read(example.resolve("a.npy")).codes().bytes()),
                        rows.metadata());
        Npy.write(folder.resolve("w.npy"), stored.expanded());
        for (String name : List.of("b.npy", "d.expected.npy", "sparse-gemm-f16.compute_80.ptx")) {
            Files.copy(example.resolve(name), folder.resolve(name));
        }
        Files.writeString(
                folder.resolve("launch.json"),
                """
                {"ptx": "sparse-gemm-f16.compute_80.ptx", "entry": "sparse_gemm_f16",
                 "grid": [2,2,1], "block": [128,1,1],
                 "buffers": [{"buffer": "w", "file": "w.npy"}],
                 "args": [{"buffer": "a", "valuesOf": "w", "format": "indices"},
                          {"buffer": "e", "metadataOf": "w", "format": "ptx-m16n8k32"},
                          {"buffer": "b", "file": "b.npy"},
                          {"buffer": "d", "poison": 65536, "format": "f32", "shape": [128,128]},
                          {"s32": 128}, {"s32": 128}],
                 "expect": [{"buffer": "d", "file": "d.expected.npy", "within": "exact"}]}
                """);

        Ran ran = Ran.heddle("run", file("launch.json"));

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
    }

    @Test
    void aLaunchFileSaysWhyAMatrixCannotBeCompressed() throws IOException {
        conforming.codes().set(0, 0x3c00);
        conforming.codes().set(1, 0x3c00);
        conforming.codes().set(2, 0x3c00);
        Npy.write(folder.resolve("w.npy"), conforming);
        Files.writeString(
                folder.resolve("k.ptx"),
                ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n");
        String[][] cases = {
            {"w", "cutlass-sm80", "row 0, chunk 0"},
            {"w", "nope", "unknown storage format"},
            {"x", "cutlass-sm80", "a buffer that is described before this one"}
        };
        for (String[] wrong : cases) {
            Files.writeString(
                    folder.resolve("l.json"),
                    """
                    {"ptx": "k.ptx", "entry": "k", "grid": [1,1,1], "block": [32,1,1],
                     "buffers": [{"buffer": "w", "file": "w.npy"},
                                 {"buffer": "e", "metadataOf": "%s", "format": "%s"}],
                     "args": []}
                    """
                            .formatted(wrong[0], wrong[1]));
            Ran ran = Ran.heddle("run", file("l.json"));
            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).contains("l.json:").contains(wrong[2]).doesNotContain("\tat ");
        }
    }

    /// `cutlass-sm80` and `wgmma-plain` hold 16 x 16 padded.
    @ParameterizedTest
    @ValueSource(strings = {"indices", "cutlass-sm80", "cusparselt", "bitmask", "wgmma-plain"})
    void execTakesACompressedMatrix(String format) throws IOException {
        Tensor a = Tensor.zeros(FloatFormat.F16, List.of(16, 16));
        for (int row = 0; row < 16; row++) {
            a.codes().set(row * 16L + row, 0x3c00);
        }
        Npy.write(folder.resolve("a.npy"), a);
        Tensor b = Tensor.zeros(FloatFormat.F16, List.of(16, 8));
        for (int i = 0; i < 128; i++) {
            b.codes().set(i, 0x3c00 + i);
        }
        Npy.write(folder.resolve("b.npy"), b);
        Ran.heddle(
                "compress",
                file("a.npy"),
                "--pad",
                "--format",
                format,
                "-o",
                file("a.safetensors"));
        String opcode = "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

        Ran dense = Ran.heddle("exec", opcode, "--a", file("a.npy"), "--b", file("b.npy"));
        Ran compressed =
                Ran.heddle("exec", opcode, "--a", file("a.safetensors"), "--b", file("b.npy"));

        assertThat(compressed.err()).isEmpty();
        assertThat(compressed.code()).isZero();
        assertThat(compressed.out()).isEqualTo(dense.out());
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
