package dev.heddle.programs.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

@DisplayName("the library that stands in for CUDA's")
final class NativeLibraryTest {
    @TempDir private Path folder;

    private Path built(String name) throws IOException {
        Path built = Files.createDirectory(folder.resolve(name));
        Files.writeString(built.resolve("heddle.c"), name);
        return built;
    }

    @Test
    void theFirstOfTwoProcessesThatBuildItIsKept() throws IOException {
        Path kept = folder.resolve("kept");
        NativeLibrary.move(built("first"), kept);
        NativeLibrary.move(built("second"), kept);
        assertThat(kept.resolve("heddle.c")).hasContent("first");
    }

    @Test
    void whatElseGoesWrongIsTold() throws IOException {
        Path built = built("built");
        assertThatThrownBy(() -> NativeLibrary.move(built, folder.resolve("no/folder")))
                .isInstanceOf(FileSystemException.class);
    }
}
