package dev.heddle.cuda;

/// There is no usable NVIDIA driver on this machine. The message says what was looked for;
/// nothing else of Heddle depends on it.
public final class DriverUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DriverUnavailableException(String message) {
        super(message);
    }
}
