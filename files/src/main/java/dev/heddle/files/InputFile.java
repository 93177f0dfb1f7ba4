package dev.heddle.files;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file open for reading. A read is checked against the size of the file before memory is taken.
record InputFile(Path path, FileChannel channel, long size) implements AutoCloseable {
    // A channel keeps a direct buffer as large as the largest read
    private static final int SLICE = 1 << 20;

    static InputFile open(Path path) throws IOException {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw new TensorFileException(
                    path,
                    Files.isDirectory(path)
                            ? "is a folder: expected a file"
                            : "is not a regular file: its size must be known");
        }
        FileChannel channel = FileChannel.open(path);
        return new InputFile(path, channel, channel.size());
    }

    TensorFileException problem(String problem) {
        return new TensorFileException(path, problem);
    }

    /// @param what what the bytes are, for the message
    byte[] read(long position, long length, String what) throws IOException {
        if (length > size - position) {
            throw problem(
                    "truncated: %s takes %d bytes from byte %d on, found %d"
                            .formatted(what, length, position, Math.max(0, size - position)));
        }
        byte[] bytes = new byte[Math.toIntExact(length)];
        for (int read = 0; read < bytes.length; ) {
            ByteBuffer slice = ByteBuffer.wrap(bytes, read, Math.min(SLICE, bytes.length - read));
            int count = channel.read(slice, position + read);
            if (count < 0) {
                throw problem("became shorter while it was read");
            }
            read += count;
        }
        return bytes;
    }

    /// The same as memory of the file, without a copy.
    MemorySegment map(long position, long length, Arena arena) throws IOException {
        return channel.map(FileChannel.MapMode.READ_ONLY, position, length, arena);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
