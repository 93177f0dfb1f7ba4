package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.files.Npy;
import dev.heddle.files.Safetensors;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Matrix;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

@DisplayName("- is standard input, of tensors too")
final class StandardInputTest {
    private static final String DENSE = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    private static final Path GEMM = Path.of("../examples/sparse-gemm-f16");

    @TempDir Path folder;

    private static Ran fed(Path input, String... words) throws IOException {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(Files.readAllBytes(input)));
        try {
            return Ran.heddle(words);
        } finally {
            System.setIn(before);
        }
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    /// A matrix of 16 x 16 in f16.
    private Path matrix() throws IOException {
        Path file = folder.resolve("a.npy");
        Matrix codes = Matrix.of(FloatFormat.F16, 16, 16, (row, column) -> 0x3c00 + row - column);
        Npy.write(file, Tensor.of(codes));
        return file;
    }

    private static List<Path> kept() throws IOException {
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return all.filter(each -> each.getFileName().toString().startsWith("heddle-input"))
                    .toList();
        }
    }

    @Test
    void aMatrixOfAnInstruction() throws IOException {
        Path a = matrix();
        String[] words = {"exec", DENSE, "--random", "1", "--a", a.toString(), "--json"};
        Ran file = Ran.heddle(words);
        assertThat(file.code()).isZero();
        words[5] = "-";
        List<Path> before = kept();
        assertThat(fed(a, words).out()).isEqualTo(file.out());
        assertThat(kept()).isEqualTo(before);
    }

    @Test
    void oneTensorOfSeveral() throws IOException {
        Path packed = folder.resolve("w.safetensors");
        Tensor a = Npy.read(matrix());
        Safetensors.write(packed, Map.of("a", a, "other", a));
        String[] words = {"exec", DENSE, "--random", "1", "--a", packed + ":a"};
        Ran file = Ran.heddle(words);
        words[5] = "-:a";
        assertThat(fed(packed, words).out()).isNotEmpty().isEqualTo(file.out());
        words[5] = "-";
        assertThat(fed(packed, words).err())
                .startsWith("heddle: <stdin>: holds 2 tensors: say which");
    }

    @Test
    void filesOfTheConverter() throws IOException {
        Path a = matrix();
        Ran compressed =
                fed(
                        a,
                        "compress",
                        "-",
                        "--prune",
                        "--format",
                        "cusparselt",
                        "-o",
                        path("w.safetensors"));
        assertThat(compressed.code()).isZero();
        Path whole = folder.resolve("w.safetensors");
        assertThat(fed(whole, "expand", "-", "-o", path("b.npy")).code()).isZero();
        assertThat(fed(a, "prune", "-", "-o", path("c.npy")).code()).isZero();
        assertThat(folder.resolve("b.npy")).hasSameBinaryContentAs(folder.resolve("c.npy"));
        assertThat(fed(whole, "inspect", "-").out()).contains("cusparselt");
    }

    @Test
    void bytesWithoutAHeader() throws IOException {
        Path blob = Files.write(folder.resolve("w.bin"), new byte[32 * 32 * 2]);
        String[] words = {
            "convert", "-", "--to", "cutlass-sm80", "--type", "f16", "--shape", "32x32", "-o", ""
        };
        words[9] = path("w.safetensors");
        assertThat(fed(blob, words).code()).isZero();
        Ran exec = fed(blob, "exec", DENSE, "--random", "1", "--a", "-");
        assertThat(exec.code()).isEqualTo(2);
        assertThat(exec.err()).contains("-: expected a .npy or .safetensors file");
    }

    @Test
    void anArgumentOfALaunch() throws IOException {
        String launch = GEMM.resolve("launch.json").toString();
        String[] words = {"run", GEMM.resolve("sparse-gemm-f16.compute_80.ptx").toString()};
        Ran piped =
                fed(
                        GEMM.resolve("d.expected.npy"),
                        words[0],
                        words[1],
                        "--launch",
                        launch,
                        "--expect",
                        "d=-");
        assertThat(piped.code()).as(piped.err()).isZero();
        assertThat(piped.out()).contains("as expected: d, 16384 elements, 16384 with equal bits");
    }

    @Test
    void itIsReadOnceAndNamedInMessages() throws IOException {
        Path a = matrix();
        assertThat(fed(a, "prune", "-", "--scores", "-", "-o", path("x.npy")).err())
                .contains("-: standard input can be read only once");
        byte[] start = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 50};
        Path cut = Files.write(folder.resolve("cut.npy"), start);
        assertThat(fed(cut, "exec", DENSE, "--random", "1", "--a", "-").err())
                .startsWith("heddle: <stdin>: ");
        Path empty = Files.write(folder.resolve("empty"), new byte[0]);
        assertThat(fed(empty, "prune", "-", "-o", path("x.npy")).err())
                .contains("-: standard input is empty");
    }
}
