package dev.heddle.formats;

import java.io.Serial;

/// Something that a person wrote is refused: a text, an option, what a file holds, or things that
/// do not fit one another.
///
/// The message is meant for that person, and all that he needs: what was found, and what is
/// allowed. An [IllegalArgumentException] of any other class is a mistake of the Java code that
/// calls; a program may show this class as a fault of its input, and no other.
public class InputException extends IllegalArgumentException {
    @Serial private static final long serialVersionUID = 1;

    /// @param message one line
    public InputException(String message) {
        super(message);
    }

    /// @param message one line
    /// @param cause what says more to whoever looks for a mistake
    public InputException(String message, Throwable cause) {
        super(message, cause);
    }

    /// The message: never null.
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
