package dev.heddle.vm.launch;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.vm.Argument;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;

/// Scalar arguments from text.
public final class Scalar {
    /// More than an integer of 64 bits has.
    private static final int MOST_DIGITS = 40;

    private Scalar() {}

    /// The types that [#parse] takes, for messages.
    public static final String TYPES =
            "s8 u8 b8 s16 u16 b16 s32 u32 b32 s64 u64 b64 f16 bf16 f32 f64 e4m3 e5m2";

    /// The format of a scalar type, or none.
    public static Optional<Format> format(String type) {
        return switch (type) {
            case "b8" -> Optional.of(IntegerFormat.U8);
            case "b16" -> Optional.of(IntegerFormat.U16);
            case "b32" -> Optional.of(IntegerFormat.U32);
            case "b64" -> Optional.of(IntegerFormat.U64);
            default ->
                    (" " + TYPES + " ").contains(" " + type + " ")
                            ? Format.named(type)
                            : Optional.empty();
        };
    }

    /// A scalar by type and value: a number, rounded to nearest even where the type is a float;
    /// `nan`, `inf`, `-inf`; or its bits as `0x...`.
    ///
    /// @throws InputException where the type is unknown or the value does not fit in it
    public static Argument.Value parse(String type, String text) {
        Format format = format(type).orElse(null);
        if (format == null) {
            throw new InputException("type %s: expected one of %s".formatted(type, TYPES));
        }
        long code;
        try {
            code = code(format, text.strip());
        } catch (NumberFormatException e) {
            throw new InputException(
                    "%s: expected a number of type %s, or its bits as 0x...".formatted(text, type),
                    e);
        }
        byte[] bytes = new byte[format.bits() / 8];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (code >>> 8 * i);
        }
        return new Argument.Value(bytes);
    }

    private static long code(Format format, String text) {
        if (text.startsWith("0x")) {
            BigInteger bits = new BigInteger(text.substring(2), 16);
            return fitting(bits, BigInteger.ZERO, BigInteger.ONE.shiftLeft(format.bits()), format);
        }
        return switch (format) {
            case IntegerFormat integer -> {
                BigInteger value = whole(new BigDecimal(text));
                boolean signed = integer.ptxName().startsWith("s");
                int bits = signed ? integer.bits() - 1 : integer.bits();
                BigInteger beyond = BigInteger.ONE.shiftLeft(bits);
                yield fitting(value, signed ? beyond.negate() : BigInteger.ZERO, beyond, format)
                        & integer.mask();
            }
            case FloatFormat number -> {
                double value = number(text);
                yield number.encode(value, Rounding.NEAREST_EVEN, Overflow.IEEE);
            }
        };
    }

    private static BigInteger whole(BigDecimal decimal) {
        if (decimal.signum() == 0) {
            return BigInteger.ZERO;
        }
        // Before the point. Numbers such as 1e999999999 and 1e-999999999 are not written out.
        long digits = decimal.precision() - (long) decimal.scale();
        if (digits <= 0 || digits > MOST_DIGITS) {
            throw new NumberFormatException(decimal.toString());
        }
        try {
            return decimal.toBigIntegerExact();
        } catch (ArithmeticException e) {
            throw new NumberFormatException(decimal.toString());
        }
    }

    private static double number(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "nan" -> Double.NaN;
            case "inf", "+inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private static long fitting(
            BigInteger value, BigInteger least, BigInteger beyond, Format format) {
        if (value.compareTo(least) < 0 || value.compareTo(beyond) >= 0) {
            throw new InputException(
                    "%s does not fit in %s: %s to %s"
                            .formatted(
                                    value,
                                    format.ptxName(),
                                    least,
                                    beyond.subtract(BigInteger.ONE)));
        }
        return value.longValue();
    }
}
