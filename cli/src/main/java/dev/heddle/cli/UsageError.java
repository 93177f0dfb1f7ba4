package dev.heddle.cli;

import java.util.List;

/// A wrong use or input: its message is all that the user sees.
final class UsageError extends RuntimeException {
    /// The exit code.
    static final int CODE = 2;

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // never serialized
    private final List<String> tries;

    UsageError(String message) {
        this(message, List.of());
    }

    /// @param tries commands that were probably meant, or that tell more
    UsageError(String message, List<String> tries) {
        super(message);
        this.tries = List.copyOf(tries);
    }

    List<String> tries() {
        return tries;
    }
}
