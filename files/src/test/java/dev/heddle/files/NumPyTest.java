package dev.heddle.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.formats.Format;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

@DisplayName(".npy files exchanged with NumPy itself")
final class NumPyTest {
    private static final String WRITE =
            """
            import numpy as np, sys
            r = np.random.default_rng(20260106)
            for order in 'CF':
                for end in '<>':
                    for t in ['f2','f4','f8','i1','u1','i2','u2','i4','u4','i8','u8','b1']:
                        for shape in [(), (5,), (3, 4), (2, 3, 4)]:
                            size = int(np.prod(shape)) * np.dtype(t).itemsize
                            raw = r.integers(0, 2 if t == 'b1' else 256, size, dtype=np.uint8)
                            a = raw.view(end + t).reshape(shape)
                            name = '_'.join([t, 'big' if end == '>' else 'little', order,
                                             'x'.join(map(str, shape))])
                            np.save(name + '.npy', np.asarray(a, order=order))
                            codes = np.ascontiguousarray(a).astype('<' + t).tobytes()
                            open(name + '.codes', 'wb').write(codes)
            """;

    private static final String READ =
            """
            import numpy as np, glob
            for name in glob.glob('*.back'):
                a = np.load(name)
                b = np.load(name.replace('.back', '.npy'))
                assert a.shape == b.shape, name
                assert a.dtype == b.dtype.newbyteorder('<'), (name, a.dtype, b.dtype)
                assert a.tobytes() == b.astype(b.dtype.newbyteorder('<')).tobytes(), name
                assert a.flags['C_CONTIGUOUS'], name
            """;

    private final Path folder;

    NumPyTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void everyTypeOrderAndShape() throws IOException, InterruptedException {
        assumeTrue(python("import numpy") == 0, "python3 with NumPy is not installed here");
        assertThat(python(WRITE)).isZero();
        List<Path> files;
        try (var list = Files.list(folder)) {
            files = list.filter(file -> file.toString().endsWith(".npy")).toList();
        }
        assertThat(files).hasSize(2 * 2 * 12 * 4);
        for (Path file : files) {
            Tensor tensor = Npy.read(file);
            String name = file.toString().replaceFirst("\\.npy$", "");
            byte[] codes = Files.readAllBytes(Path.of(name + ".codes"));
            byte[] read =
                    tensor.format().bits() == 1
                            ? CodeCarrier.bytes(tensor.codes()).bytes()
                            : tensor.codes().bytes();
            assertThat(read).as(name).isEqualTo(codes);
            assertThat(tensor.format().ptxName()).isEqualTo(ptxName(file));
            Npy.write(Path.of(name + ".back"), tensor);
        }
        assertThat(python(READ)).isZero();
    }

    private static String ptxName(Path file) {
        String type = String.valueOf(file.getFileName()).substring(0, 2);
        int bits = type.equals("b1") ? 1 : 8 * (type.charAt(1) - '0');
        String kind = type.substring(0, 1).replace('i', 's');
        return Format.parse(kind + bits).ptxName();
    }

    private int python(String program) throws IOException, InterruptedException {
        Path log = folder.resolve("python.log");
        try {
            Process process =
                    new ProcessBuilder("python3", "-c", program)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("python3 took more than a minute");
            }
            if (process.exitValue() != 0) {
                System.Logger logger = System.getLogger(NumPyTest.class.getName());
                logger.log(System.Logger.Level.INFO, Files.readString(log, StandardCharsets.UTF_8));
            }
            return process.exitValue();
        } catch (IOException e) {
            // No python3
            return -1;
        }
    }
}
