package dev.heddle.files;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A tensor file that cannot be read or written. The message names the file, what was found and
/// what is allowed, on one line.
public final class TensorFileException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int QUOTED_LENGTH = 80;

    TensorFileException(Path file, String problem) {
        this(file, problem, null);
    }

    TensorFileException(Path file, String problem, @Nullable Throwable cause) {
        super(file + ": " + problem, cause);
    }

    /// The one line: never null.
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /// The failure of an operation on the file itself, in words.
    static TensorFileException of(Path file, IOException cause) {
        if (cause instanceof TensorFileException already) {
            return already;
        }
        String message = cause.getMessage();
        String problem =
                switch (cause) {
                    case NoSuchFileException _ -> "no such file or folder";
                    case AccessDeniedException _ -> "permission denied";
                    default -> message == null ? cause.toString() : message;
                };
        return new TensorFileException(file, problem, cause);
    }

    /// Text from a file, fit for a message: in quotes, of bounded length, without control
    /// characters.
    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < Math.min(text.length(), QUOTED_LENGTH); i++) {
            char c = text.charAt(i);
            boolean plain = c >= ' ' && c < 0x7F;
            quoted.append(plain ? String.valueOf(c) : "\\u%04x".formatted((int) c));
        }
        return quoted.append(text.length() > QUOTED_LENGTH ? "...\"" : "\"").toString();
    }
}
