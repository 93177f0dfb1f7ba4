package dev.heddle.cli;

/// A wrong use or input: its message is all that the user sees, and the exit code is 2.
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refusal(String message) {
        super(message);
    }
}
