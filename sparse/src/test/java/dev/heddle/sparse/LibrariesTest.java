package dev.heddle.sparse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.files.Safetensors;
import dev.heddle.formats.Codes;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// Bytes as the libraries themselves make them, computed on 2026-11-22 on a CPU: PyTorch 2.13.0's
/// `sparse_semi_structured_from_dense_cutlass`, and the code of compressed-tensors (commit
/// 3739ac98) for `sparse-24-bitmask` and `marlin-24`; and, on an H100, cuSPARSELt 0.8.0's
/// compressed matrices (PyTorch 2.11.0).
@DisplayName("What PyTorch, compressed-tensors and cuSPARSELt write, byte for byte")
final class LibrariesTest {
    private record Sample(String format, Tensor dense, List<Tensor> parts, Format element) {
        List<MemorySegment> segments() {
            return parts.stream().map(part -> MemorySegment.ofArray(part.codes().bytes())).toList();
        }

        StoredMatrix matrix() {
            MatrixType type = new MatrixType(dense.shape().get(0), dense.shape().get(1), element);
            byte[] bytes = dense.codes().bytes();
            if (element == IntegerFormat.S4) {
                Codes narrow = Codes.zeros(element, bytes.length);
                for (int i = 0; i < bytes.length; i++) {
                    narrow.set(i, bytes[i]);
                }
                bytes = narrow.bytes();
            }
            return StoredMatrix.of(
                    StorageFormats.named("dense"), type, MemorySegment.ofArray(bytes));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("names")
    void compressingGivesTheLibrarysBytes(String name) {
        Sample sample = sample(name);
        StoredMatrix dense = sample.matrix();
        StoredMatrix compressed =
                StoredMatrix.allocate(StorageFormats.named(sample.format()), dense.type());

        new MatrixConversion(dense, compressed).run();

        assertThat(concatenated(compressed.parts())).isEqualTo(concatenated(sample.segments()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("names")
    void expandingTheLibrarysBytesGivesTheMatrix(String name) {
        Sample sample = sample(name);
        StoredMatrix dense = sample.matrix();
        StoredMatrix compressed =
                StoredMatrix.of(
                        StorageFormats.named(sample.format()),
                        dense.type(),
                        MemorySegment.ofArray(concatenated(sample.segments())));
        StoredMatrix expanded = StoredMatrix.allocate(StorageFormats.named("dense"), dense.type());

        new MatrixConversion(compressed, expanded).run();

        assertThat(expanded.values().mismatch(dense.values())).isEqualTo(-1);
    }

    private static byte[] concatenated(List<MemorySegment> parts) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        parts.forEach(part -> whole.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)));
        return whole.toByteArray();
    }

    private static Sample sample(String name) {
        try {
            Safetensors file = open();
            String[] fields = name.split("\\.", -1);
            Format element = Format.parse(fields[1]);
            List<String> parts = StorageFormats.named(fields[0]).parts().suffixes();
            List<Tensor> tensors = new ArrayList<>();
            for (String part : parts.subList(0, Math.min(2, parts.size()))) {
                tensors.add(file.read(name + "." + part));
            }
            return new Sample(fields[0], file.read(name + ".dense"), tensors, element);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<String> names() throws IOException {
        return open().names().stream()
                .filter(name -> name.endsWith(".dense"))
                .map(name -> name.substring(0, name.length() - ".dense".length()))
                .sorted();
    }

    private static Safetensors open() throws IOException {
        Path copy = Files.createTempFile("libraries", ".safetensors");
        copy.toFile().deleteOnExit();
        try (InputStream stream =
                LibrariesTest.class.getResourceAsStream("libraries.safetensors")) {
            Files.write(copy, Objects.requireNonNull(stream).readAllBytes());
        }
        return Safetensors.open(copy);
    }
}
