package dev.heddle.tensorcore;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Matrix;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;

import java.util.Optional;
import java.util.Random;

/// Operands for products by machine code.
final class ProductOperands {
    private ProductOperands() {}

    /// A double of a size at which sums round, overflow seldom and may vanish.
    static long bits(Random random) {
        int exponent = 1023 + random.nextInt(-70, 70) * (random.nextInt(50) == 0 ? 7 : 1);
        return random.nextLong() & ~0x7FF0_0000_0000_0000L | (long) exponent << 52;
    }

    /// Numbers of many sizes, zeros and subnormal f16 and fp8 numbers among them.
    static Operands operands(Form form, Random random) {
        return operands(form, random, (_, format) -> number(format, random));
    }

    /// How the codes of an operand are drawn.
    interface Codes {
        long of(Role role, FloatFormat format);
    }

    /// The ends of the range, numbers of it that differ much, and some zeros; of an accumulator
    /// also what is no finite number.
    static Codes extremes(Random random) {
        int kinds = random.nextInt(2, 8);
        boolean tiny = random.nextBoolean();
        return (role, format) -> {
            long magnitude =
                    switch (random.nextInt(kinds)) {
                        case 0 -> 0;
                        case 1 -> tiny ? format.minPositive() : format.maxFinite();
                        case 2 -> format.maxFinite();
                        case 3 -> format.minNormal();
                        case 4 -> format.minPositive();
                        case 5 -> format.encode(1, Rounding.NEAREST_EVEN, Overflow.IEEE);
                        default -> random.nextLong() & format.mask() >>> 1;
                    };
            boolean isNumber = Double.isFinite(format.toDouble(magnitude));
            long code = isNumber || role == Role.C ? magnitude : 0;
            return format.signed() && random.nextBoolean() ? code | 1L << format.bits() - 1 : code;
        };
    }

    static Operands operands(Form form, Random random, Codes codes) {
        Vectors vectors = new Vectors(random.nextLong());
        Matrix a = matrix(form, Role.A, form.shape().m(), form.storedColumns(), random, codes);
        Matrix b = matrix(form, Role.B, form.shape().k(), form.shape().n(), random, codes);
        Matrix c = matrix(form, Role.C, form.shape().m(), form.shape().n(), random, codes);
        RegisterOrder order = RegisterOrder.REGISTER_MAJOR;
        boolean shared = form.family().warpgroup();
        Operands operands =
                Operands.of(
                        form.aSource() == ASource.SHARED_MEMORY
                                ? Vectors.byColumns(a.transposed())
                                : Vectors.registers(form.fragment(Role.A), a, order),
                        shared
                                ? Vectors.byColumns(b)
                                : Vectors.registers(form.fragment(Role.B), b, order),
                        Vectors.registers(form.fragment(Role.C), c, order));
        Optional<Matrix> nibbles = form.metadata().map(_ -> vectors.nibbles(form));
        if (nibbles.isPresent()) {
            int selector = vectors.selector(form);
            return operands.withMetadata(vectors.metadata(form, nibbles.get(), selector), selector);
        }
        return operands;
    }

    private static Matrix matrix(
            Form form, Role role, int rows, int columns, Random random, Codes codes) {
        if (form.type(role) instanceof IntegerFormat integer) {
            return integers(integer, rows, columns, random);
        }
        FloatFormat format = (FloatFormat) form.type(role);
        return Matrix.of(format, rows, columns, (_, _) -> codes.of(role, format));
    }

    private static long number(FloatFormat format, Random random) {
        double value =
                random.nextInt(8) == 0
                        ? 0
                        : random.nextGaussian() * Math.scalb(1.0, random.nextInt(-12, 4));
        if (format.exponentBits() < 8 && random.nextInt(12) == 0) {
            value = format.toDouble(format.minPositive()) * random.nextInt(-3, 4);
        }
        return format.encode(value, Rounding.NEAREST_EVEN, Overflow.SATFINITE);
    }

    /// Any bits; one matrix in four has the ends of the range alone, so that sums are as large as
    /// they can be.
    private static Matrix integers(IntegerFormat format, int rows, int columns, Random random) {
        long[] ends = {
            format.signed() ? format.mask() / 2 : format.mask(),
            format.signed() ? format.mask() / 2 + 1 : format.mask() - 1
        };
        int kind = random.nextInt(8);
        return Matrix.of(
                format,
                rows,
                columns,
                (_, _) -> kind < 2 ? ends[kind] : random.nextLong() & format.mask());
    }
}
