package dev.heddle.sparse;

import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.Packing;

/// The size and the element format of a matrix.
///
/// @param rows    at least 1
/// @param columns at least 1
/// @param format  what its elements are
public record MatrixType(int rows, int columns, Format format) {
    /// @throws InputException if a size is below 1
    public MatrixType {
        if (rows < 1 || columns < 1) {
            throw new InputException(
                    "%d x %d matrix: expected at least one row and one column"
                            .formatted(rows, columns));
        }
    }

    /// Bits from one element to the next: 4, 8, 16 or 32; six-bit codes are in a byte each.
    public int elementBits() {
        return Packing.dense(format).containerBits();
    }

    /// Bytes of a dense matrix, row by row without gaps.
    ///
    /// @throws InputException if a row does not fill whole bytes
    public long bytes() {
        return rows * rowBytes();
    }

    /// Bytes of a dense row.
    long rowBytes() {
        long bits = (long) columns * elementBits();
        if (bits % Byte.SIZE != 0) {
            throw new InputException("%s: expected rows that fill whole bytes".formatted(this));
        }
        return bits / Byte.SIZE;
    }

    /// The matrix with other sizes.
    public MatrixType sized(int newRows, int newColumns) {
        return new MatrixType(newRows, newColumns, format);
    }

    /// `64 x 128 .f16`.
    @Override
    public String toString() {
        return "%d x %d %s".formatted(rows, columns, format);
    }
}
