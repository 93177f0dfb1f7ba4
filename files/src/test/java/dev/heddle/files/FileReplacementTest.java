package dev.heddle.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

@DisplayName("Files are written whole or not at all")
final class FileReplacementTest {
    private final Path folder;

    FileReplacementTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void aFailureLeavesTheOldFileAndNothingElse() throws IOException {
        Path file = Files.writeString(folder.resolve("d.npy"), "old");
        assertThatExceptionOfType(TensorFileException.class)
                .isThrownBy(
                        () ->
                                FileReplacement.write(
                                        file,
                                        out -> {
                                            out.write(new byte[100_000]);
                                            throw new IOException("No space left on device");
                                        }))
                .withMessage(file + ": No space left on device");
        assertThat(file).hasContent("old");
        assertThat(names()).containsExactly("d.npy");
    }

    @Test
    void aSuccessReplacesTheOldFile() throws IOException {
        Path file = Files.writeString(folder.resolve("d.npy"), "old");
        FileReplacement.write(file, out -> out.write('x'));
        assertThat(file).hasContent("x");
        assertThat(names()).containsExactly("d.npy");
    }

    @Test
    void aLinkStaysALink() throws IOException {
        Path target = Files.writeString(folder.resolve("target"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), target);
        FileReplacement.write(link, out -> out.write('x'));
        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(target).hasContent("x");
    }

    @Test
    void foldersAreRefused() {
        assertThatExceptionOfType(TensorFileException.class)
                .isThrownBy(() -> FileReplacement.write(folder, out -> out.write('x')))
                .withMessage(folder + ": is a folder: expected a file to write");
        Path nowhere = folder.resolve("missing").resolve("d.npy");
        assertThatExceptionOfType(TensorFileException.class)
                .isThrownBy(() -> FileReplacement.write(nowhere, out -> out.write('x')))
                .withMessage(nowhere + ": no such file or folder");
    }

    @Test
    void severalFilesTakeTheirPlacesTogether() throws IOException {
        Path one = Files.writeString(folder.resolve("one"), "old");
        Path other = folder.resolve("other");
        try (FileReplacement.Several several = new FileReplacement.Several()) {
            Files.writeString(several.stage(one), "new");
            Files.writeString(several.stage(other), "new");
            assertThat(one).hasContent("old");
            several.replace();
        }
        assertThat(one).hasContent("new");
        assertThat(other).hasContent("new");
        assertThat(names()).containsExactlyInAnyOrder("one", "other");
    }

    @Test
    void ofSeveralFilesNoneTakesItsPlaceIfOneFails() throws IOException {
        Path one = Files.writeString(folder.resolve("one"), "old");
        try (FileReplacement.Several several = new FileReplacement.Several()) {
            Files.writeString(several.stage(one), "new");
        }
        assertThat(one).hasContent("old");
        assertThat(names()).containsExactly("one");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }

    @Test
    void referencesNameTensors() throws IOException {
        assertThat(TensorReference.parse("dir/a.npy"))
                .isEqualTo(new TensorReference(Path.of("dir/a.npy"), Optional.empty()));
        assertThat(TensorReference.parse("m.safetensors:layer.0:w"))
                .isEqualTo(new TensorReference(Path.of("m.safetensors"), Optional.of("layer.0:w")))
                .hasToString("m.safetensors:layer.0:w");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TensorReference.parse("a.txt"))
                .withMessage("a.txt: expected FILE.npy, FILE.safetensors or FILE.safetensors:NAME");
        Tensor tensor = Tensor.zeros(FloatFormat.BF16, List.of(2, 2));
        TensorReference one =
                new TensorReference(folder.resolve("a.safetensors"), Optional.of("w"));
        one.write(tensor);
        assertThat(one.read()).isEqualTo(tensor);
        assertThat(new TensorReference(one.file(), Optional.empty()).read()).isEqualTo(tensor);
        TensorReference npy = new TensorReference(folder.resolve("a.npy"), Optional.empty());
        npy.write(tensor);
        assertThat(npy.read(FloatFormat.BF16)).isEqualTo(tensor);
    }

    @Test
    void severalTensorsNeedAName() throws IOException {
        Tensor tensor = Tensor.zeros(FloatFormat.BF16, List.of(2, 2));
        Path file = folder.resolve("a.safetensors");
        Safetensors.write(file, java.util.Map.of("a", tensor, "b", tensor));
        assertThatExceptionOfType(TensorFileException.class)
                .isThrownBy(() -> new TensorReference(file, Optional.empty()).read())
                .withMessageContaining("holds 2 tensors: say which");
    }
}
