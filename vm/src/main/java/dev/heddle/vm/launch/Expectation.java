package dev.heddle.vm.launch;

import dev.heddle.formats.Format;

import java.nio.file.Path;
import java.util.Optional;

/// What a buffer should hold after the last launch.
///
/// @param place that says so, for messages
/// @param buffer its name
/// @param file that holds the expected elements
/// @param format of the elements, where it is not the buffer's
/// @param tolerance how near they must come
public record Expectation(
        String place, String buffer, String file, Optional<Format> format, Tolerance tolerance) {

    /// Compares what a launch left with what it should have.
    ///
    /// @param buffer the type of the buffer
    /// @param folder in which the file is looked for
    /// @throws LaunchFileException where the file cannot be read, or is of another size
    public Agreement compare(BufferType buffer, byte[] got, Path folder) {
        BufferType type = format.map(other -> BufferType.row(other, got.length)).orElse(buffer);
        byte[] expected =
                Contents.tensor(folder, place, file, Optional.of(type.format())).codes().bytes();
        if (got.length != expected.length) {
            throw new LaunchFileException(
                    place,
                    "buffer %s has %d bytes, %s %d"
                            .formatted(this.buffer, got.length, file, expected.length));
        }
        return tolerance.compare(type, got, expected);
    }
}
