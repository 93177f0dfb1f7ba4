package dev.heddle.sparse;

import static dev.heddle.sparse.Words.SHORTS;

import dev.heddle.formats.Codes;
import dev.heddle.formats.Format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// The magnitudes of a dense matrix, row by row. NaN counts above infinity, both as finite numbers.
final class Magnitudes {
    private final MatrixType type;
    private final MemorySegment bytes;

    /// The magnitude of every code, for formats of at most 16 bits.
    private final float[] table;

    Magnitudes(StoredMatrix dense) {
        this.type = dense.type();
        this.bytes = dense.values();
        int bits = type.elementBits();
        this.table = new float[bits <= Short.SIZE ? 1 << bits : 0];
        for (int code = 0; code < table.length; code++) {
            table[code] = magnitude(type.format(), code);
        }
    }

    private static float magnitude(Format format, long code) {
        double value = Math.abs(format.toDouble(code & format.mask()));
        return Double.isNaN(value)
                ? Float.MAX_VALUE
                : (float) Math.min(value, Math.nextDown(Float.MAX_VALUE));
    }

    /// Puts the magnitudes of some rows into an array, and zeros for rows that there are not.
    void magnitudes(int first, int rows, float[] into) {
        int columns = type.columns();
        for (int i = 0; i < rows; i++) {
            if (first + i < type.rows()) {
                magnitudes(row(first + i), into, i * columns);
            } else {
                Arrays.fill(into, i * columns, (i + 1) * columns, 0);
            }
        }
    }

    private void magnitudes(Codes codes, float[] into, int at) {
        int columns = type.columns();
        if (type.elementBits() == Short.SIZE) {
            for (int column = 0; column < columns; column++) {
                int code = (short) SHORTS.get(codes.bytes(), column * Short.BYTES) & 0xffff;
                into[at + column] = table[code];
            }
            return;
        }
        for (int column = 0; column < columns; column++) {
            long code = codes.bits(column);
            into[at + column] =
                    table.length > 0 ? table[(int) code] : magnitude(type.format(), code);
        }
    }

    /// The codes of a row.
    Codes row(int row) {
        int length = Math.toIntExact(type.rowBytes());
        byte[] copy = new byte[length];
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, (long) row * length, copy, 0, length);
        return Codes.wrap(type.format(), type.columns(), copy);
    }
}
