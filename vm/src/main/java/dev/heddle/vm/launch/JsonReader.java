package dev.heddle.vm.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads a JSON text (RFC 8259) into values that know their places.
///
/// Written out here because a launch file is the first thing that a young process reads: Jackson's
/// parsers load `BigDecimal`, whose tables take the JVM's interpreter longer than
/// everything else that is done with the file.
final class JsonReader {
    private static final int DEEPEST = 64;
    private static final int LONGEST_NUMBER = 1000;

    private final String text;
    private final String name;
    private int at;
    private int line = 1;
    private int lineStart;

    /// @param name of the file, for messages
    JsonReader(String text, String name) {
        this.text = text;
        this.name = name;
    }

    /// The one value that the text holds.
    ///
    /// @throws LaunchFileException where the text is no JSON
    JsonValue read() {
        skipSpace();
        if (at == text.length()) {
            at = 0;
            line = 1;
            lineStart = 0;
            throw wrong("the file is empty");
        }
        JsonValue value = value(0);
        skipSpace();
        if (at < text.length()) {
            throw wrong("something follows the object");
        }
        return value;
    }

    private String place() {
        return name + ':' + line + ':' + (at - lineStart + 1);
    }

    private LaunchFileException wrong(String why) {
        return new LaunchFileException(place(), "no JSON: " + why);
    }

    /// What stands here is none of what could.
    private LaunchFileException unexpected(String expected) {
        if (at >= text.length()) {
            return wrong("Unexpected end-of-input: expected " + expected);
        }
        int found = text.codePointAt(at);
        return wrong(
                "Unexpected character ("
                        + (found < ' '
                                ? "U+00" + (found < 16 ? "0" : "") + Integer.toHexString(found)
                                : "'" + Character.toString(found) + "'")
                        + "): expected "
                        + expected);
    }

    private void skipSpace() {
        for (; at < text.length(); at++) {
            char next = text.charAt(at);
            if (next == '\n' || next == '\r' && !text.startsWith("\r\n", at)) {
                line++;
                lineStart = at + 1;
            } else if (next != ' ' && next != '\t' && next != '\r') {
                return;
            }
        }
    }

    /// Whether this character is next; it is taken.
    private boolean take(char wanted) {
        boolean there = at < text.length() && text.charAt(at) == wanted;
        at += there ? 1 : 0;
        return there;
    }

    private JsonValue value(int depth) {
        String place = place();
        if (depth > DEEPEST) {
            throw new LaunchFileException(place, "no launch file: nested too deeply");
        }
        char first = at < text.length() ? text.charAt(at) : 0;
        Object value =
                switch (first) {
                    case '{' -> object(depth);
                    case '[' -> list(depth);
                    case '"' -> string();
                    case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(place);
                    default -> word();
                };
        return new JsonValue(value, place);
    }

    private Object word() {
        if (taken("true")) {
            return true;
        } else if (taken("false")) {
            return false;
        } else if (taken("null")) {
            return JsonValue.NULL;
        }
        throw unexpected("a value");
    }

    private boolean taken(String word) {
        int end = at + word.length();
        boolean there =
                text.startsWith(word, at)
                        && (end == text.length()
                                || !Character.isJavaIdentifierPart(text.charAt(end)));
        at = there ? end : at;
        return there;
    }

    private Map<String, JsonValue> object(int depth) {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        take('{');
        skipSpace();
        if (take('}')) {
            return fields;
        }
        do {
            skipSpace();
            String place = place();
            if (at >= text.length() || text.charAt(at) != '"') {
                throw unexpected("a name in quotes");
            }
            String field = string();
            skipSpace();
            if (!take(':')) {
                throw unexpected("a colon");
            }
            skipSpace();
            if (fields.put(field, value(depth + 1)) != null) {
                throw new LaunchFileException(place, "field " + field + " is there twice");
            }
            skipSpace();
        } while (take(','));
        if (!take('}')) {
            throw unexpected("a comma or }");
        }
        return fields;
    }

    private List<JsonValue> list(int depth) {
        List<JsonValue> values = new ArrayList<>();
        take('[');
        skipSpace();
        if (take(']')) {
            return values;
        }
        do {
            skipSpace();
            values.add(value(depth + 1));
            skipSpace();
        } while (take(','));
        if (!take(']')) {
            throw unexpected("a comma or ]");
        }
        return values;
    }

    private String string() {
        StringBuilder built = new StringBuilder();
        take('"');
        while (!take('"')) {
            if (at >= text.length() || text.charAt(at) < ' ') {
                throw unexpected("the end of the text in quotes");
            }
            char next = text.charAt(at++);
            built.append(next == '\\' ? escaped() : next);
        }
        return built.toString();
    }

    private char escaped() {
        char kind = at < text.length() ? text.charAt(at) : 0;
        if (kind == 'u') {
            return hexadecimal();
        }
        int which = "\"\\/bfnrt".indexOf(kind);
        if (which < 0) {
            throw unexpected("one of \" \\ / b f n r t u behind a backslash");
        }
        at++;
        return "\"\\/\b\f\n\r\t".charAt(which);
    }

    private char hexadecimal() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            at++;
            char next = at < text.length() ? text.charAt(at) : 0;
            // `digit` takes those of other scripts, too.
            int digit = next < 128 ? Character.digit(next, 16) : -1;
            if (digit < 0) {
                throw unexpected("four hexadecimal digits");
            }
            code = code << 4 | digit;
        }
        at++;
        return (char) code;
    }

    private JsonNumber number(String place) {
        int begin = at;
        take('-');
        if (!take('0')) {
            digits();
        }
        if (take('.')) {
            digits();
        }
        if (take('e') || take('E')) {
            if (!take('-')) {
                take('+');
            }
            int exponent = at;
            digits();
            if (at - exponent > 10 || Long.parseLong(text, exponent, at, 10) > Integer.MAX_VALUE) {
                throw new LaunchFileException(
                        place, "no launch file: a number with an exponent beyond 2147483647");
            }
        }
        if (at < text.length() && isNumberPart(text.charAt(at))) {
            throw unexpected("the end of the number");
        }
        if (at - begin > LONGEST_NUMBER) {
            throw new LaunchFileException(
                    place, "no launch file: a number of more than 1000 characters");
        }
        return new JsonNumber(text.substring(begin, at));
    }

    private static boolean isNumberPart(char next) {
        return next == '.' || next == '-' || next == '+' || Character.isJavaIdentifierPart(next);
    }

    private void digits() {
        int begin = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == begin) {
            throw unexpected("a digit");
        }
    }
}
