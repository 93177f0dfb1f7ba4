package dev.heddle.explorer;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Value;

import java.math.BigDecimal;
import java.util.Optional;

/// Numbers as text, as people type and read them.
final class Numeral {
    /// Longer decimals are rounded for reading.
    private static final int READABLE = 24;

    private Numeral() {}

    /// A value in decimal: exact if that is short, else the nearest `double` after a tilde.
    static String of(Value value) {
        return switch (value) {
            case Value.Finite finite -> {
                BigDecimal decimal = finite.toBigDecimal().stripTrailingZeros();
                String plain =
                        decimal.scale() <= 0 && decimal.precision() - decimal.scale() <= 16
                                ? decimal.toPlainString()
                                : decimal.toString();
                yield plain.length() <= READABLE ? plain : "~" + decimal.doubleValue();
            }
            case Value.Infinity(boolean negative) -> negative ? "-inf" : "inf";
            case Value.NaN _ -> "NaN";
        };
    }

    static String of(Format format, long code) {
        return of(format.value(code));
    }

    /// The code nearest to a number as typed: decimal, `inf` or `NaN`; or a code as `0x3c00`.
    ///
    /// @param what whose value it is, for the message
    /// @throws InputException if it is none, or the format has nothing like it
    static long code(String what, String word, Format format) {
        try {
            if (word.startsWith("0x")) {
                long code = Long.parseUnsignedLong(word.substring(2), 16);
                if (format.bits() < 64 && code >>> format.bits() != 0) {
                    throw new NumberFormatException("more bits than the format has");
                }
                return code;
            }
            double value = Double.parseDouble(word.replaceFirst("^([+-]?)inf$", "$1Infinity"));
            if (Double.isNaN(value) && !(format instanceof FloatFormat)) {
                throw new NumberFormatException("NaN");
            }
            return format.encode(Value.of(value), Rounding.NEAREST_EVEN, Overflow.IEEE);
        } catch (IllegalArgumentException e) {
            throw new InputException(
                    "%s \"%s\": expected a number for %s, or its code as 0x…"
                            .formatted(what, word, format.ptxName()),
                    e);
        }
    }

    /// What a decimal number became that the format does not have: `0.1 became 0.0999755859375`.
    static Optional<String> change(String word, Format format, long code) {
        try {
            BigDecimal typed = new BigDecimal(word);
            boolean same =
                    format.value(code) instanceof Value.Finite finite
                            && finite.toBigDecimal().compareTo(typed) == 0;
            return same
                    ? Optional.empty()
                    : Optional.of(
                            "%s became %s, the nearest %s"
                                    .formatted(word, of(format, code), format.ptxName()));
        } catch (NumberFormatException e) {
            return Optional.empty(); // a code, an infinity or NaN is what it says
        }
    }
}
