package dev.heddle.explorer;

import static dev.heddle.layout.Axis.COLUMN;
import static dev.heddle.layout.Axis.ROW;

import dev.heddle.formats.InputException;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.MatrixDescriptor;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix;
import dev.heddle.isa.SwizzleMode;
import dev.heddle.layout.Axis;
import dev.heddle.layout.Point;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// A matrix of wgmma in shared memory, drawn twice: by address and bank, with a row for every 128
/// bytes and a column for each of the 32 banks; and by row and column, with the address of each
/// word.
///
/// @param form   the form
/// @param role   A or B
/// @param matrix descriptor, direction and element width
record SharedMemoryFigure(Form form, Role role, SharedMatrix matrix) {
    private static final int LINE_BYTES = 128;
    private static final int BANK_BITS = 32;

    /// Lines that are drawn at most.
    private static final int LINES = 512;

    /// @throws InputException if the form does not read the matrix from shared memory, or
    ///     its elements cannot stand so
    SharedMemoryFigure {
        boolean there =
                form.family().warpgroup()
                        && (role == Role.B
                                || role == Role.A && form.aSource() == ASource.SHARED_MEMORY);
        if (!there) {
            throw new InputException(
                    form + " does not read " + role + " from shared memory (PTX ISA 9.7.15.5.1.2)");
        }
        if (matrix.major() == SharedMatrix.Major.MN && matrix.elementBits() != 16) {
            throw new InputException(
                    "MN-major "
                            + form.type(role).ptxName()
                            + ": only .f16 and .bf16 may be transposed (PTX ISA 9.7.15.5.2)");
        }
    }

    /// A descriptor under which the matrix is without gaps, at address 0.
    static MatrixDescriptor packed(Form form, Role role, SwizzleMode mode) {
        int rowBytes = mode.rowBytes();
        int columns = role == Role.A ? form.storedColumns() : form.shape().k();
        int core = SwizzleMode.NONE.patternBytes();
        int across = columns * form.type(role).bits() / 8 / SwizzleMode.NONE.rowBytes();
        return mode == SwizzleMode.NONE
                ? new MatrixDescriptor(0, core, core * across, 0, mode)
                : new MatrixDescriptor(0, 16, 8 * rowBytes, 0, mode);
    }

    /// Rows as the instruction counts them: along M of A, along N of B.
    private int rows() {
        return role == Role.A ? form.shape().m() : form.shape().n();
    }

    private int columns() {
        return role == Role.A ? form.storedColumns() : form.shape().k();
    }

    /// Why it cannot be drawn: the descriptor's offsets may spread it over too much memory.
    Optional<String> undrawable() {
        return words().stream().allMatch(word -> word.line >= 0 && word.line < LINES)
                ? Optional.empty()
                : Optional.of(
                        "these offsets spread the matrix over more than "
                                + LINES
                                + " lines of 128 bytes, too many to draw");
    }

    /// A word of 32 bits and what it holds.
    ///
    /// @param line     which 128 bytes from [#firstLine] on
    /// @param bank     0..31
    /// @param row      its first row: along M of A, along N of B
    /// @param column   its first column along K; of a sparse A a stored one
    record Word(int line, int bank, int row, int column) {}

    /// The first element of a word, as `B[8][5]`.
    String element(Word word) {
        return role == Role.A
                ? "A[%d][%d]".formatted(word.row, word.column)
                : "B[%d][%d]".formatted(word.column, word.row);
    }

    /// The number of the first 128 bytes that are drawn.
    int firstLine() {
        return matrix.descriptor().startAddress() / LINE_BYTES;
    }

    /// The words that hold the matrix, each position once; the offsets of a descriptor may make
    /// two of them the same memory.
    List<Word> words() {
        boolean alongK = matrix.major() == SharedMatrix.Major.K;
        int step = Math.max(BANK_BITS / matrix.elementBits(), 1);
        List<Word> words = new ArrayList<>();
        for (int row = 0; row < rows(); row += alongK ? 1 : step) {
            for (int column = 0; column < columns(); column += alongK ? step : 1) {
                long word = matrix.bitAddress(row, column) / BANK_BITS;
                words.add(
                        new Word((int) (word / 32 - firstLine()), (int) (word % 32), row, column));
            }
        }
        return words;
    }

    /// What the words follow from, for the page to list them: the offsets of rows and columns in
    /// bits, which add up, and what the swizzle does to their sum.
    Map<String, Object> table() {
        Map<String, Object> table = new LinkedHashMap<>();
        table.put("rows", offsets(rows(), ROW));
        table.put("columns", offsets(columns(), COLUMN));
        table.put("start", matrix.descriptor().startAddress());
        table.put("pattern", matrix.descriptor().baseOffset() << 7);
        table.put("swizzled", (matrix.descriptor().mode().rowBytes() >> 4) - 1);
        table.put("alongK", matrix.major() == SharedMatrix.Major.K);
        table.put("bits", matrix.elementBits());
        return table;
    }

    private List<Integer> offsets(int extent, Axis axis) {
        return IntStream.range(0, extent)
                .map(index -> matrix.layout().offset(Point.of(axis, index)))
                .boxed()
                .toList();
    }

    /// What is drawn, in sentences.
    List<String> caption() {
        MatrixDescriptor descriptor = matrix.descriptor();
        return List.of(
                "Matrix %s in shared memory, %s, %s-major, %s; descriptor 0x%s. PTX ISA 9.7.15.5.1.2"
                        .formatted(
                                role,
                                form.type(role).ptxName(),
                                matrix.major(),
                                descriptor.mode(),
                                String.format("%016x", descriptor.encode())),
                matrix.layout().toString() + ", in bits, before the swizzle",
                "By address, a row is 128 bytes and a column a bank of 32 bits; "
                        + (role == Role.A ? "m: row, k: column of A" : "k: row, n: column of B")
                        + ". By row and column: the address of each 32 bits, whose lowest hold the"
                        + " first element. One hue for every row of eight, one lightness"
                        + " for every 16-byte unit, which the swizzle moves whole.");
    }
}
