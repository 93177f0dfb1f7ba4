package dev.heddle.cli;

/// A wrong use or input: its message is all that the user sees, and the exit code is 2.
final class UsageError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageError(String message) {
        super(message);
    }
}
