package dev.heddle.sparse;

import dev.heddle.formats.InputException;

/// A matrix that cannot be converted without loss, or whose metadata means nothing. The message
/// says where, what was found and what is allowed.
public final class SparsityException extends InputException {
    private static final long serialVersionUID = 1L;

    private final int row;

    SparsityException(int row, String message) {
        super(message);
        this.row = row;
    }

    /// The row at fault.
    public int row() {
        return row;
    }
}
