package dev.heddle.vm.launch;

import java.math.BigDecimal;
import java.util.OptionalLong;

/// A number of a JSON text.
///
/// @param text as it is written there
record JsonNumber(String text) {
    /// Digits of which any number fits in a long.
    private static final int FEW_DIGITS = 18;

    /// The nearest double; infinite where there is none.
    double doubleValue() {
        return Double.parseDouble(text);
    }

    /// The nearest float; infinite where there is none.
    float floatValue() {
        return Float.parseFloat(text);
    }

    /// The number where it is whole and fits in a long, however it is written: `1e3` is.
    OptionalLong whole() {
        if (isPlain(text)) {
            return OptionalLong.of(Long.parseLong(text));
        }
        BigDecimal decimal = new BigDecimal(text);
        // A number such as 1e999999999 is not written out.
        if (Math.abs((long) decimal.scale()) >= 64
                || decimal.stripTrailingZeros().scale() > 0
                || decimal.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) < 0
                || decimal.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(decimal.longValueExact());
    }

    /// Whether a number is nothing but a sign and few digits: then there is no need of
    /// `BigDecimal`, whose tables take a young process tens of milliseconds.
    static boolean isPlain(String text) {
        int digits = text.startsWith("-") ? 1 : 0;
        for (int i = digits; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return text.length() > digits && text.length() - digits <= FEW_DIGITS;
    }

    @Override
    public String toString() {
        return text;
    }
}
