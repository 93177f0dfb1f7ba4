package dev.heddle.files;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/// A file that is written whole or not at all: its content goes to a new file in the same folder,
/// which then takes its place.
public final class FileReplacement {

    /// What to write.
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /// What to write into mapped memory.
    @FunctionalInterface
    public interface MappedContent {
        /// Fills the file.
        ///
        /// @param memory as many zero bytes as the file is to have
        void writeTo(MemorySegment memory) throws IOException;
    }

    /// Several files that take their places together, when all of them are complete.
    public static final class Several implements AutoCloseable {
        private final Map<Path, Path> staged = new LinkedHashMap<>();

        /// A file to write in place of another: in the same folder, under a name of its own.
        public Path stage(Path file) throws TensorFileException {
            checkPlace(file);
            Path written = beside(file);
            staged.put(written, file);
            return written;
        }

        /// Puts the files into their places, in the order in which they were staged.
        ///
        /// @throws TensorFileException if one cannot be moved
        public void replace() throws TensorFileException {
            for (Map.Entry<Path, Path> file : staged.entrySet()) {
                try {
                    move(file.getKey(), file.getValue());
                } catch (IOException e) {
                    throw TensorFileException.of(file.getValue(), e);
                }
            }
        }

        /// Removes what has not taken its place.
        @Override
        public void close() {
            for (Path written : staged.keySet()) {
                try {
                    Files.deleteIfExists(written);
                } catch (IOException e) {
                    // It stays under its own name, and harms nobody
                }
            }
        }
    }

    private FileReplacement() {}

    /// Writes a file of a known size by filling its memory, in any order and by any threads. If
    /// that fails, a file that was there before is left as it was.
    ///
    /// @throws TensorFileException with the name of the file if it cannot be written
    public static void map(Path file, long size, MappedContent content) throws TensorFileException {
        try {
            checkPlace(file);
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new TensorFileException(file, "is not a regular file: expected one to map");
            }
            Path real = Files.isSymbolicLink(file) && Files.exists(file) ? file.toRealPath() : file;
            Path written = beside(real);
            try {
                fill(written, size, content);
                move(written, real);
            } finally {
                Files.deleteIfExists(written);
            }
        } catch (IOException e) {
            throw TensorFileException.of(file, e);
        }
    }

    private static void fill(Path written, long size, MappedContent content) throws IOException {
        try (FileChannel channel =
                        FileChannel.open(
                                written,
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE);
                Arena arena = Arena.ofShared()) {
            // Memory of a file without room on the disk ends the process's access to it
            if (Files.getFileStore(written).getUsableSpace() < size) {
                throw new IOException("no room for %d bytes on the disk".formatted(size));
            }
            content.writeTo(channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena));
        } catch (InternalError e) {
            throw new IOException("the disk is full, or a file became shorter meanwhile", e);
        }
    }

    private static void checkPlace(Path file) throws TensorFileException {
        if (Files.isDirectory(file)) {
            throw new TensorFileException(file, "is a folder: expected a file to write");
        }
    }

    /// A new file in the same folder, which is gone when the program is ended before it is moved.
    private static Path beside(Path file) {
        Path written =
                file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID() + ".tmp");
        written.toFile().deleteOnExit();
        return written;
    }

    private static void move(Path written, Path file) throws IOException {
        keepPermissions(file, written);
        Files.move(
                written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Writes a file. If that fails, a file that was there before is left as it was.
    ///
    /// A symbolic link stays one: its target is replaced. What is no regular file, like
    /// `/dev/null`, is written to directly.
    ///
    /// @throws TensorFileException with the name of the file if it cannot be written
    public static void write(Path file, Content content) throws TensorFileException {
        try {
            checkPlace(file);
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
        Path written = beside(file);
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
            move(written, file);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /// Who may read and write a file that was there stays the same.
    private static void keepPermissions(Path file, Path written) throws IOException {
        PosixFileAttributeView there =
                Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (there != null && Files.exists(file)) {
            Files.setPosixFilePermissions(written, there.readAttributes().permissions());
        }
    }
}
