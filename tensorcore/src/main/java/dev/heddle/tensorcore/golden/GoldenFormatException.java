package dev.heddle.tensorcore.golden;

import java.io.IOException;

/// A golden file that is not what its format says.
public final class GoldenFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    GoldenFormatException(String file, long offset, String problem) {
        super("%s: byte %d: %s".formatted(file, offset, problem));
    }
}
