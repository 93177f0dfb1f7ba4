package dev.heddle.cli;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Matrix;

import java.util.ArrayList;
import java.util.List;

/// Matrices in text.
final class MatrixText {
    private static final int MOST_ROWS = 64;
    private static final int MOST_COLUMNS = 8;

    private MatrixText() {}

    /// An element as people write it: the shortest decimal that reads back to it.
    static String value(Matrix matrix, int row, int column) {
        double value = matrix.toDouble(row, column);
        if (matrix.format() instanceof IntegerFormat) {
            return String.valueOf((long) value);
        }
        return matrix.format().bits() <= 32 ? String.valueOf((float) value) : String.valueOf(value);
    }

    /// An element's code in hexadecimal.
    static String code(Matrix matrix, int row, int column) {
        int digits = (matrix.format().bits() + 3) / 4;
        return ("0x%0" + digits + "x").formatted(matrix.bits(row, column));
    }

    /// All codes, row by row.
    static List<List<String>> codes(Matrix matrix) {
        return all(matrix, MatrixText::code);
    }

    /// All values, row by row.
    static List<List<String>> values(Matrix matrix) {
        return all(matrix, MatrixText::value);
    }

    /// How an element is written.
    private interface Cell {
        String at(Matrix matrix, int row, int column);
    }

    private static List<List<String>> all(Matrix matrix, Cell cell) {
        List<List<String>> rows = new ArrayList<>();
        for (int row = 0; row < matrix.rows(); row++) {
            List<String> cells = new ArrayList<>();
            for (int column = 0; column < matrix.columns(); column++) {
                cells.add(cell.at(matrix, row, column));
            }
            rows.add(cells);
        }
        return rows;
    }

    /// The matrix as a table; a wide one is cut, and says so.
    static List<String> lines(String name, Matrix matrix) {
        List<List<String>> rows = values(matrix);
        int columns = Math.min(matrix.columns(), MOST_COLUMNS);
        int width = 0;
        for (List<String> row : rows) {
            width =
                    Math.max(
                            width,
                            row.stream().limit(columns).mapToInt(String::length).max().orElse(0));
        }
        List<String> lines = new ArrayList<>();
        lines.add(name + " " + matrix);
        for (int r = 0; r < Math.min(rows.size(), MOST_ROWS); r++) {
            StringBuilder line = new StringBuilder();
            for (int c = 0; c < columns; c++) {
                String cell = rows.get(r).get(c);
                line.append("  ").append(" ".repeat(width - cell.length())).append(cell);
            }
            lines.add(line.append(matrix.columns() > columns ? "  …" : "").toString());
        }
        if (matrix.columns() > columns || rows.size() > MOST_ROWS) {
            lines.add("  (cut; --out saves all of it, --json prints it)");
        }
        return lines;
    }
}
