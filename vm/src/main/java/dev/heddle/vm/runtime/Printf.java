package dev.heddle.vm.runtime;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Formats as C does, from the argument bytes that `vprintf` is given.
public final class Printf {
    private static final Pattern DIRECTIVE =
            Pattern.compile(
                    "%([-+ #0]*)(\\*|\\d+)?(?:\\.(\\*|\\d+))?(hh|h|ll|l|z|j|t|L)?([a-zA-Z%])");

    /// C promises no more for one conversion.
    private static final long LONGEST_FIELD = 4095;

    private final Arguments memory;
    private final Texts texts;
    private final StringBuilder output = new StringBuilder();
    private int offset;
    private int count;

    /// Reads argument bytes, of which the first decide what is printed.
    public interface Arguments {
        long read(int offset, int bytes, int printed);
    }

    /// Reads a text that an argument points to, or its first bytes.
    public interface Texts {
        String read(long address, int most);
    }

    public Printf(String format, int most, Arguments memory, Texts texts) {
        this.memory = memory;
        this.texts = texts;
        Matcher matcher = DIRECTIVE.matcher(format);
        int end = 0;
        while (output.length() <= most && matcher.find()) {
            output.append(format, end, matcher.start());
            end = matcher.end();
            directive(matcher);
        }
        output.append(format, end, format.length());
    }

    public String text() {
        return output.toString();
    }

    public int arguments() {
        return count;
    }

    private long next(int bytes) {
        return next(bytes, bytes);
    }

    private long next(int bytes, int printed) {
        offset = (offset + bytes - 1) / bytes * bytes;
        long value = memory.read(offset, bytes, printed);
        offset += bytes;
        count++;
        return value;
    }

    private static String group(Matcher matcher, int index) {
        String text = matcher.group(index);
        return text == null ? "" : text;
    }

    private int number(String text) {
        if (text.isEmpty()) {
            return -1;
        }
        long number =
                text.equals("*")
                        ? (int) next(4)
                        : text.length() > 9 ? LONGEST_FIELD : Long.parseLong(text);
        return (int) Math.clamp(number, -LONGEST_FIELD, LONGEST_FIELD);
    }

    private void directive(Matcher matcher) {
        String flags = group(matcher, 1);
        char conversion = group(matcher, 5).charAt(0);
        if (conversion == '%') {
            output.append('%');
            return;
        }
        int width = number(group(matcher, 2));
        int precision = number(group(matcher, 3));
        if (width < -1) {
            flags += "-";
            width = -width;
        }
        String length = group(matcher, 4);
        String text =
                switch (conversion) {
                    case 'd', 'i', 'u', 'x', 'X', 'o' ->
                            integer(conversion, length, flags, precision);
                    case 'p' -> "0x" + Long.toHexString(next(8));
                    case 'c' -> String.valueOf((char) (next(4, 1) & 0xff));
                    case 's' -> texts.read(next(8), precision < 0 ? Integer.MAX_VALUE : precision);
                    case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A' ->
                            real(Double.longBitsToDouble(next(8)), conversion, flags, precision);
                    default -> group(matcher, 0);
                };
        output.append(pad(text, flags, width, conversion));
    }

    private String integer(char conversion, String length, String flags, int precision) {
        boolean wide =
                length.startsWith("l")
                        || length.equals("z")
                        || length.equals("j")
                        || length.equals("t");
        if (conversion == 'd' || conversion == 'i') {
            return signed(wide ? next(8) : narrow(word(length), length), flags, precision);
        }
        long value = integer(wide, length);
        return switch (conversion) {
            case 'x' -> alternate(flags, "0x", unsigned(value, 16, precision));
            case 'X' ->
                    alternate(flags, "0X", unsigned(value, 16, precision).toUpperCase(Locale.ROOT));
            case 'o' -> unsigned(value, 8, precision);
            default -> unsigned(value, 10, precision);
        };
    }

    private long integer(boolean wide, String length) {
        long value = wide ? next(8) : word(length);
        return switch (length) {
            case "hh" -> value & 0xff;
            case "h" -> value & 0xffff;
            default -> value;
        };
    }

    /// A word, of which `h` and `hh` print a part.
    private long word(String length) {
        return switch (length) {
            case "hh" -> next(4, 1);
            case "h" -> next(4, 2);
            default -> next(4);
        };
    }

    private static long narrow(long value, String length) {
        return switch (length) {
            case "hh" -> (byte) value;
            case "h" -> (short) value;
            default -> (int) value;
        };
    }

    private static String signed(long value, String flags, int precision) {
        String digits = leadingZeros(Long.toString(value).replace("-", ""), precision);
        return sign(value < 0, flags) + digits;
    }

    private static String sign(boolean negative, String flags) {
        return negative ? "-" : flags.contains("+") ? "+" : flags.contains(" ") ? " " : "";
    }

    private static String unsigned(long value, int radix, int precision) {
        return leadingZeros(Long.toUnsignedString(value, radix), precision);
    }

    private static String leadingZeros(String digits, int precision) {
        return "0".repeat(Math.max(0, precision - digits.length())) + digits;
    }

    private static String alternate(String flags, String prefix, String digits) {
        return flags.contains("#") && !digits.equals("0") ? prefix + digits : digits;
    }

    private static String real(double value, char conversion, String flags, int precision) {
        boolean upper = Character.isUpperCase(conversion);
        String sign = sign(Double.doubleToRawLongBits(value) < 0, flags);
        double magnitude = Math.abs(value);
        if (!Double.isFinite(value)) {
            String word = Double.isNaN(value) ? "nan" : "inf";
            return sign + (upper ? word.toUpperCase(Locale.ROOT) : word);
        }
        int digits = precision < 0 ? 6 : precision;
        String text =
                switch (Character.toLowerCase(conversion)) {
                    case 'f' ->
                            new BigDecimal(magnitude)
                                    .setScale(digits, RoundingMode.HALF_EVEN)
                                    .toPlainString();
                    case 'e' -> scientific(magnitude, digits);
                    case 'g' -> general(magnitude, Math.max(1, digits), flags.contains("#"));
                    default -> Double.toHexString(magnitude);
                };
        return sign + (upper ? text.toUpperCase(Locale.ROOT) : text);
    }

    private static String scientific(double magnitude, int digits) {
        if (magnitude == 0) {
            return "0" + (digits > 0 ? "." + "0".repeat(digits) : "") + "e+00";
        }
        BigDecimal rounded =
                new BigDecimal(magnitude)
                        .round(new MathContext(digits + 1, RoundingMode.HALF_EVEN));
        int exponent = rounded.precision() - rounded.scale() - 1;
        String mantissa =
                rounded.movePointLeft(exponent)
                        .setScale(digits, RoundingMode.HALF_EVEN)
                        .toPlainString();
        return "%se%s%02d".formatted(mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    private static String general(double magnitude, int digits, boolean keepZeros) {
        if (magnitude == 0) {
            return "0";
        }
        BigDecimal rounded =
                new BigDecimal(magnitude).round(new MathContext(digits, RoundingMode.HALF_EVEN));
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent < -4 || exponent >= digits) {
            String text = scientific(magnitude, digits - 1);
            int e = text.indexOf('e');
            return keepZeros ? text : trimmed(text.substring(0, e)) + text.substring(e);
        }
        String text =
                rounded.setScale(digits - 1 - exponent, RoundingMode.HALF_EVEN).toPlainString();
        return keepZeros ? text : trimmed(text);
    }

    private static String trimmed(String text) {
        if (text.indexOf('.') < 0) {
            return text;
        }
        String shorter = text.replaceAll("0+$", "");
        return shorter.endsWith(".") ? shorter.substring(0, shorter.length() - 1) : shorter;
    }

    private static String pad(String text, String flags, int width, char conversion) {
        int missing = width - text.length();
        if (missing <= 0) {
            return text;
        }
        if (flags.contains("-")) {
            return text + " ".repeat(missing);
        }
        if (flags.contains("0") && conversion != 's' && conversion != 'c') {
            int signs =
                    text.startsWith("-") || text.startsWith("+") || text.startsWith(" ") ? 1 : 0;
            return text.substring(0, signs) + "0".repeat(missing) + text.substring(signs);
        }
        return " ".repeat(missing) + text;
    }
}
