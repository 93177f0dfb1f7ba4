package dev.heddle.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The inputs that a search starts from: files of the repository, small ones.
final class Seeds {
    private static final int MOST_BYTES = 20_000;

    private Seeds() {}

    /// The files below a folder of the repository with this ending.
    static Stream<byte[]> of(String folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("..", folder))) {
            return files
                    .filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .map(Seeds::read)
                    .filter(bytes -> bytes.length <= MOST_BYTES)
                    .toList()
                    .stream();
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
