package dev.heddle.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Why a file cannot be read or written, in words: the system's exceptions often carry the name
/// alone.
final class InputFault {
    private InputFault() {}

    /// What to say of a file that cannot be read.
    static String of(Path file) {
        return Files.isDirectory(file)
                ? file + ": a folder, not a file"
                : Files.exists(file)
                        ? file + ": not readable, its permissions forbid it"
                        : file + ": no such file";
    }

    /// What to say of a failure to read or write.
    static String of(IOException e) {
        return e instanceof FileSystemException failure && failure.getReason() == null
                ? failure.getFile() + ": " + reason(failure)
                : String.valueOf(e.getMessage());
    }

    /// The reason alone.
    static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException _ -> "its permissions forbid it";
            case NoSuchFileException _ -> "no such file or folder";
            case FileAlreadyExistsException _ -> "there is a file in its place";
            default -> String.valueOf(e.getMessage());
        };
    }
}
