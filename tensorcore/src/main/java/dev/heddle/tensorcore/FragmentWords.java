package dev.heddle.tensorcore;

import dev.heddle.formats.Matrix;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Position;
import dev.heddle.isa.Role;

/// A matrix as the registers of its fragment, and back: 32-bit words, lane after lane, registers of
/// a lane in the order of the operand's vector, an f64 register as two words, the low one first.
///
/// An instruction that computes several products at once (`mma.m8n8k4` with `.f16`: four) takes
/// them as one matrix: of A, C and D below each other, of B side by side.
///
/// @param fragment the fragment
public record FragmentWords(Fragment fragment) {
    /// Rows of the matrix.
    public int rows() {
        return fragment.role() == Role.B
                ? fragment.rows()
                : fragment.rows() * fragment.computations();
    }

    /// Columns of the matrix; of a sparse A the stored ones.
    public int columns() {
        return fragment.role() == Role.B
                ? fragment.columns() * fragment.computations()
                : fragment.columns();
    }

    private int wordsOfRegister() {
        return fragment.registerBits() / Integer.SIZE;
    }

    private int words() {
        return fragment.lanes() * fragment.registers() * wordsOfRegister();
    }

    private int word(int lane, int element) {
        int register = lane * fragment.registers() + fragment.register(element);
        return register * wordsOfRegister() + fragment.bitLow(element) / Integer.SIZE;
    }

    /// The registers that hold a matrix.
    ///
    /// @throws IllegalArgumentException if it is of another size or format
    public int[] pack(Matrix matrix) {
        matrix.require(fragment.role().toString(), rows(), columns(), fragment.format());
        int[] words = new int[words()];
        for (int lane = 0; lane < fragment.lanes(); lane++) {
            for (int element = 0; element < fragment.elements(); element++) {
                Position at = fragment.position(lane, element);
                long code = matrix.bits(row(at), column(at));
                int word = word(lane, element);
                words[word] |= (int) (code << fragment.bitLow(element) % Integer.SIZE);
                if (wordsOfRegister() == 2) {
                    words[word + 1] = (int) (code >>> Integer.SIZE);
                }
            }
        }
        return words;
    }

    /// The matrix that registers hold.
    ///
    /// @throws IllegalArgumentException if they are fewer than the fragment has
    public Matrix unpack(int[] words) {
        if (words.length < words()) {
            throw new IllegalArgumentException(
                    "operand %s: %d words, expected %d"
                            .formatted(fragment.role(), words.length, words()));
        }
        Matrix matrix = Matrix.zeros(fragment.format(), rows(), columns());
        for (int lane = 0; lane < fragment.lanes(); lane++) {
            for (int element = 0; element < fragment.elements(); element++) {
                Position at = fragment.position(lane, element);
                int word = word(lane, element);
                long code = Integer.toUnsignedLong(words[word]);
                if (wordsOfRegister() == 2) {
                    code |= (long) words[word + 1] << Integer.SIZE;
                }
                code = code >>> fragment.bitLow(element) % Integer.SIZE & fragment.format().mask();
                matrix.set(row(at), column(at), code);
            }
        }
        return matrix;
    }

    private int row(Position at) {
        return fragment.role() == Role.B ? at.row() : at.computation() * fragment.rows() + at.row();
    }

    private int column(Position at) {
        return fragment.role() == Role.B
                ? at.computation() * fragment.columns() + at.column()
                : at.column();
    }
}
