package dev.heddle.files;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/// A file that is written whole or not at all: its content goes to a new file in the same folder,
/// which then takes its place.
public final class FileReplacement {

    /// What to write.
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private FileReplacement() {}

    /// Writes a file. If that fails, a file that was there before is left as it was.
    ///
    /// A symbolic link stays one: its target is replaced. What is no regular file, like
    /// `/dev/null`, is written to directly.
    ///
    /// @throws TensorFileException with the name of the file if it cannot be written
    public static void write(Path file, Content content) throws TensorFileException {
        try {
            if (Files.isDirectory(file)) {
                throw new TensorFileException(file, "is a folder: expected a file to write");
            }
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                try (OutputStream out = Files.newOutputStream(file)) {
                    content.writeTo(out);
                }
                return;
            }
            replace(
                    Files.isSymbolicLink(file) && Files.exists(file) ? file.toRealPath() : file,
                    content);
        } catch (IOException e) {
            throw TensorFileException.of(file, e);
        }
    }

    private static void replace(Path file, Content content) throws IOException {
        Path written =
                file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID() + ".tmp");
        try {
            try (OutputStream out =
                    new BufferedOutputStream(
                            Files.newOutputStream(
                                    written,
                                    StandardOpenOption.CREATE_NEW,
                                    StandardOpenOption.WRITE,
                                    LinkOption.NOFOLLOW_LINKS))) {
                content.writeTo(out);
            }
            Files.move(
                    written,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(written);
        }
    }
}
