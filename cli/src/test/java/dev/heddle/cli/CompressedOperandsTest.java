package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.files.Npy;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Tensor;
import dev.heddle.sparse.MatrixConversion;
import dev.heddle.sparse.MatrixType;
import dev.heddle.sparse.StorageFormats;
import dev.heddle.sparse.StoredMatrix;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@DisplayName("heddle run and exec take compressed matrices, or compress them")
final class CompressedOperandsTest {
    @TempDir Path folder;

    private String file(String name) {
        return folder.resolve(name).toString();
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
        Tensor conforming = ConformingMatrix.of(64, 128);
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
}
