package dev.heddle.files;

import dev.heddle.formats.Codes;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Packing;
import dev.heddle.formats.Tensor;
import dev.heddle.formats.Value;

/// How a file holds codes of a format it has no name for, and how they are read back.
///
/// @param stored the elements as the file names them
/// @param dtype their type in the file's own words
/// @param raw whether the file says nothing but the width of an element
record CodeCarrier(Tensor stored, String dtype, boolean raw) {

    /// The elements as codes of a format. No value changes.
    ///
    /// @throws InputException if the file's elements are of another format, or a code or
    ///     value does not fit in it
    Tensor as(Format format) {
        Format found = stored.format();
        if (isSame(found, raw, format)) {
            return stored.reinterpret(format);
        }
        if (!raw && found instanceof IntegerFormat from && format instanceof IntegerFormat to) {
            return sameValues(from, to);
        }
        boolean codes = raw || found instanceof IntegerFormat;
        if (codes && found.bits() == Byte.SIZE && format.bits() < Byte.SIZE) {
            return narrowed(format);
        }
        int width = Packing.dense(format).containerBits();
        throw new InputException(
                "dtype %s holds %s elements, %s was asked for: expected %s, or its codes as unsigned integers of %d bits"
                        .formatted(
                                dtype,
                                raw ? found.bits() + "-bit raw" : found,
                                format,
                                format,
                                Math.max(width, Byte.SIZE)));
    }

    /// Whether the elements of a file are codes of a format as they are.
    ///
    /// @param found what the file's elements are, or their width where they are raw
    static boolean isSame(Format found, boolean raw, Format format) {
        if (raw) {
            return fills(found, format);
        }
        return switch (found) {
            case IntegerFormat _ when format instanceof IntegerFormat -> found == format;
            case IntegerFormat _ -> fills(found, format);
            case FloatFormat _ -> found == format || bothBinary32(found, format);
        };
    }

    /// Whether a code takes the whole of an element.
    private static boolean fills(Format element, Format format) {
        return format.bits() >= Byte.SIZE
                && element.bits() == Packing.dense(format).containerBits();
    }

    private static boolean bothBinary32(Format found, Format format) {
        return found == FloatFormat.F32 && format == FloatFormat.TF32;
    }

    private Tensor sameValues(IntegerFormat from, IntegerFormat to) {
        Codes source = stored.codes();
        Codes target = Codes.zeros(to, source.length());
        for (long i = 0; i < source.length(); i++) {
            Value value = source.value(i);
            long code = to.wrap(from.toLong(source.bits(i)));
            if (!to.value(code).equals(value)) {
                throw new InputException(
                        "element %d of dtype %s is %s: expected %d to %d for %s"
                                .formatted(i, dtype, decimal(value), to.min(), to.max(), to));
            }
            target.set(i, code);
        }
        return new Tensor(stored.shape(), target);
    }

    private static String decimal(Value value) {
        return value instanceof Value.Finite finite
                ? finite.toBigDecimal().toPlainString()
                : value.toString();
    }

    private Tensor narrowed(Format format) {
        Codes source = stored.codes();
        Codes target = Codes.zeros(format, source.length());
        for (long i = 0; i < source.length(); i++) {
            long code = source.bits(i);
            if ((code & ~format.mask()) != 0) {
                throw new InputException(
                        "element %d of dtype %s is 0x%x: expected one %s code a byte, at most 0x%x"
                                .formatted(i, dtype, code, format, format.mask()));
            }
            target.set(i, code);
        }
        return new Tensor(stored.shape(), target);
    }

    /// The elements one a byte, sign-extended if they have a sign: what a format below eight bits
    /// is written as.
    static Codes bytes(Codes codes) {
        IntegerFormat carrier =
                codes.format() == IntegerFormat.S4 ? IntegerFormat.S8 : IntegerFormat.U8;
        Codes bytes = Codes.zeros(carrier, codes.length());
        for (long i = 0; i < codes.length(); i++) {
            long code = codes.bits(i);
            bytes.set(i, codes.format() == IntegerFormat.S4 ? IntegerFormat.S4.toLong(code) : code);
        }
        return bytes;
    }

    /// Truth values, one a byte, as single bits.
    ///
    /// @throws InputException if a byte is neither 0 nor 1
    static Codes truths(byte[] bytes) {
        Codes truths = Codes.zeros(IntegerFormat.B1, bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if ((bytes[i] & ~1) != 0) {
                throw new InputException(
                        "element %d is 0x%02x: expected a truth value, 0 or 1"
                                .formatted(i, bytes[i] & 0xFF));
            }
            truths.set(i, bytes[i]);
        }
        return truths;
    }
}
