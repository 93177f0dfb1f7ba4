package dev.heddle.formats;

/// A matrix of element codes in row-major order.
///
/// @param codes `rows * columns` elements
public record Matrix(int rows, int columns, Codes codes) {

    /// The code of an element, given where it is.
    @FunctionalInterface
    public interface CodeAt {
        long code(int row, int column);
    }

    /// @throws IllegalArgumentException if a dimension is negative or the codes are not as many
    public Matrix {
        if (rows < 0 || columns < 0) {
            throw new IllegalArgumentException(
                    "%d x %d matrix: expected no negative dimension".formatted(rows, columns));
        }
        if (codes.length() != (long) rows * columns) {
            throw new IllegalArgumentException(
                    "%d x %d matrix: expected %d elements, found %d"
                            .formatted(rows, columns, (long) rows * columns, codes.length()));
        }
    }

    /// A matrix whose codes are all zero.
    public static Matrix zeros(Format format, int rows, int columns) {
        return new Matrix(rows, columns, Codes.zeros(format, (long) rows * columns));
    }

    /// A matrix of the codes that a function gives, asked row by row.
    public static Matrix of(Format format, int rows, int columns, CodeAt codeAt) {
        Matrix matrix = zeros(format, rows, columns);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                matrix.set(row, column, codeAt.code(row, column));
            }
        }
        return matrix;
    }

    public Format format() {
        return codes.format();
    }

    /// The code of an element.
    ///
    /// @throws IndexOutOfBoundsException if it lies outside
    public long bits(int row, int column) {
        return codes.bits(index(row, column));
    }

    /// Sets the code of an element; bits above the format's width are dropped.
    ///
    /// @throws IndexOutOfBoundsException if it lies outside
    public void set(int row, int column, long code) {
        codes.set(index(row, column), code);
    }

    /// The exact value of an element.
    public Value value(int row, int column) {
        return codes.value(index(row, column));
    }

    /// The value of an element as a `double`: see [Format#toDouble].
    public double toDouble(int row, int column) {
        return codes.toDouble(index(row, column));
    }

    /// The same values in another format.
    public Matrix convert(Format to, Rounding rounding, Overflow overflow) {
        return new Matrix(rows, columns, codes.convert(to, rounding, overflow));
    }

    /// Refuses a matrix of another size or format.
    ///
    /// @param operand what it is to be, for the message
    public void require(String operand, int rows, int columns, Format format) {
        if (this.rows != rows || this.columns != columns || format() != format) {
            throw new InputException(
                    "operand %s: found %s, expected %dx%d %s"
                            .formatted(operand, this, rows, columns, format.ptxName()));
        }
    }

    /// Rows and columns exchanged, in new memory.
    public Matrix transposed() {
        return of(format(), columns, rows, (row, column) -> bits(column, row));
    }

    private long index(int row, int column) {
        if (row < 0 || row >= rows || column < 0 || column >= columns) {
            throw new IndexOutOfBoundsException(
                    "row %d, column %d of a %d x %d matrix".formatted(row, column, rows, columns));
        }
        return (long) row * columns + column;
    }

    /// `16 x 8 .f16`.
    @Override
    public String toString() {
        return "%d x %d %s".formatted(rows, columns, format());
    }
}
