package dev.heddle.tensorcore;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Matrix;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.Position;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;

import java.util.List;
import java.util.Random;

/// Seeded inputs of a form: matrices, and the registers that hold them.
final class Vectors {
    private final Random random;

    Vectors(long seed) {
        this.random = new Random(seed);
    }

    /// A code: a moderate number, one far away in magnitude, or any bits at all.
    long code(Format format) {
        if (!(format instanceof FloatFormat number)) {
            return random.nextLong() & format.mask();
        }
        double value =
                switch (random.nextInt(12)) {
                    case 0 -> random.nextGaussian() * Math.scalb(1.0, random.nextInt(60) - 30);
                    case 1 -> 0.0;
                    case 2 -> -0.0;
                    case 3 -> number.toDouble(number.minPositive()) * random.nextInt(-8, 9);
                    case 4 -> number.toDouble(number.maxFinite()) * (random.nextBoolean() ? 1 : -1);
                    default -> random.nextGaussian();
                };
        return random.nextInt(400) == 0
                ? random.nextLong() & number.mask()
                : number.encode(value, Rounding.NEAREST_EVEN, Overflow.SATFINITE);
    }

    Matrix matrix(Format format, int rows, int columns) {
        return Matrix.of(format, rows, columns, (row, column) -> code(format));
    }

    /// Legal nibbles for all chunks.
    Matrix nibbles(Form form) {
        Metadata metadata = form.metadata().orElseThrow();
        List<Integer> legal = metadata.validNibbles();
        return Matrix.of(
                IntegerFormat.U4,
                metadata.rows(),
                metadata.chunks(),
                (row, chunk) -> legal.get(random.nextInt(legal.size())));
    }

    /// All matrices of an instruction; of a sparse form A is stored.
    MatrixProduct.Inputs inputs(Form form) {
        int products = form.fragment(Role.D).computations();
        int m = form.shape().m();
        int n = form.shape().n();
        MatrixProduct.Inputs inputs =
                new MatrixProduct.Inputs(
                        matrix(form.type(Role.A), m * products, form.storedColumns()),
                        matrix(form.type(Role.B), form.shape().k(), n * products),
                        matrix(form.type(Role.C), m * products, n));
        if (form.sparse()) {
            inputs = inputs.withStored(inputs.a(), nibbles(form));
        }
        if (form.blockScaled()) {
            ScaleFactors factors = form.scaleFactors(Role.A).orElseThrow();
            inputs =
                    inputs.withScales(
                            matrix(factors.format(), m, factors.vectors()),
                            matrix(factors.format(), factors.vectors(), n));
        }
        return inputs;
    }

    int selector(Form form) {
        return random.nextInt(form.metadata().orElseThrow().selectors());
    }

    /// The first word of a register.
    private static int word(Fragment fragment, int lane, int element, RegisterOrder order) {
        int register = fragment.register(element);
        int at =
                switch (order) {
                    case LANE_MAJOR -> lane * fragment.registers() + register;
                    case REGISTER_MAJOR -> register * fragment.lanes() + lane;
                    case WARP_MAJOR ->
                            lane / 32 * fragment.registers() * 32 + register * 32 + lane % 32;
                };
        return at * (fragment.registerBits() / Integer.SIZE);
    }

    /// The registers that hold a matrix as the manual deals it.
    static int[] registers(Fragment fragment, Matrix matrix, RegisterOrder order) {
        int wide = fragment.registerBits() / Integer.SIZE;
        int[] words = new int[fragment.lanes() * fragment.registers() * wide];
        for (int lane = 0; lane < fragment.lanes(); lane++) {
            for (int element = 0; element < fragment.elements(); element++) {
                Position at = fragment.position(lane, element);
                long code = matrix.bits(at.row(), at.column());
                int word = word(fragment, lane, element, order);
                long bits = code << fragment.bitLow(element);
                words[word] |= (int) bits;
                if (wide == 2) {
                    words[word + 1] |= (int) (bits >>> Integer.SIZE);
                }
            }
        }
        return words;
    }

    /// The matrix that registers hold.
    static Matrix matrix(Fragment fragment, int[] words, RegisterOrder order) {
        Matrix matrix = Matrix.zeros(fragment.format(), fragment.rows(), fragment.columns());
        int wide = fragment.registerBits() / Integer.SIZE;
        for (int lane = 0; lane < fragment.lanes(); lane++) {
            for (int element = 0; element < fragment.elements(); element++) {
                Position at = fragment.position(lane, element);
                int word = word(fragment, lane, element, order);
                long bits = Integer.toUnsignedLong(words[word]);
                if (wide == 2) {
                    bits |= (long) words[word + 1] << Integer.SIZE;
                }
                matrix.set(at.row(), at.column(), bits >>> fragment.bitLow(element));
            }
        }
        return matrix;
    }

    /// The metadata words of all lanes; those of lanes that the selector does not name are garbage.
    int[] metadata(Form form, Matrix nibbles, int selector) {
        Metadata metadata = form.metadata().orElseThrow();
        int[] words = new int[form.lanes()];
        for (int lane = 0; lane < words.length; lane++) {
            words[lane] = metadata.suppliers(selector).contains(lane) ? 0 : random.nextInt();
        }
        for (int row = 0; row < nibbles.rows(); row++) {
            for (int chunk = 0; chunk < nibbles.columns(); chunk++) {
                Metadata.Nibble place = metadata.nibble(new Metadata.Chunk(row, chunk), selector);
                words[place.lane()] |= (int) nibbles.bits(row, chunk) << place.bitLow();
            }
        }
        return words;
    }

    /// Row-major words of a matrix whose elements fill them, as B of wgmma comes out of memory: by
    /// columns.
    static int[] byColumns(Matrix b) {
        byte[] bytes = b.transposed().codes().bytes();
        int[] words = new int[bytes.length / Integer.BYTES];
        for (int at = 0; at < bytes.length; at++) {
            words[at / Integer.BYTES] |= (bytes[at] & 0xFF) << at % Integer.BYTES * Byte.SIZE;
        }
        return words;
    }
}
