package dev.heddle.files;

import dev.heddle.formats.InputException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Reads the Python dictionary of a `.npy` header: strings, truth values, tuples of integers, and
/// nothing else that Python knows.
final class NpyHeaderParser {
    // NumPy's own limit
    private static final int MAX_DIMENSIONS = 64;

    private final String text;
    private int at;
    private @Nullable String descr;
    private @Nullable Boolean fortranOrder;
    private @Nullable List<Integer> shape;

    private NpyHeaderParser(String text) {
        this.text = text;
    }

    /// @throws InputException if it is anything but the three keys of the format
    static NpyHeader parse(String text) {
        return new NpyHeaderParser(text).dictionary();
    }

    private NpyHeader dictionary() {
        expect('{');
        while (!accept('}')) {
            entry();
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        skipSpace();
        if (at < text.length()) {
            throw unexpected("the end");
        }
        return new NpyHeader(
                present("descr", descr),
                present("fortran_order", fortranOrder),
                present("shape", shape));
    }

    private void entry() {
        String key = string();
        expect(':');
        switch (key) {
            case "descr" -> descr = once(key, descr, type());
            case "fortran_order" -> fortranOrder = once(key, fortranOrder, truth());
            case "shape" -> shape = once(key, shape, tuple());
            default ->
                    throw new InputException(
                            "header key %s: expected descr, fortran_order and shape"
                                    .formatted(TensorFileException.quoted(key)));
        }
    }

    private static <T> T once(String key, @Nullable T before, T value) {
        if (before != null) {
            throw new InputException("header key \"%s\" appears twice".formatted(key));
        }
        return value;
    }

    private static <T> T present(String key, @Nullable T value) {
        if (value == null) {
            throw new InputException(
                    "header has no key \"%s\": expected descr, fortran_order and shape"
                            .formatted(key));
        }
        return value;
    }

    private String type() {
        skipSpace();
        if (peek() == '[' || peek() == '(') {
            throw new InputException(
                    "structured dtype: expected one number an element, like '<f2'");
        }
        return string();
    }

    private String string() {
        skipSpace();
        char quote = peek();
        if (quote != '\'' && quote != '"') {
            throw unexpected("a string");
        }
        int end = text.indexOf(quote, at + 1);
        if (end < 0) {
            throw unexpected("a string that ends");
        }
        String string = text.substring(at + 1, end);
        at = end + 1;
        return string;
    }

    private boolean truth() {
        skipSpace();
        if (text.startsWith("True", at)) {
            at += 4;
            return true;
        }
        if (text.startsWith("False", at)) {
            at += 5;
            return false;
        }
        throw unexpected("True or False");
    }

    private List<Integer> tuple() {
        expect('(');
        List<Integer> dimensions = new ArrayList<>();
        while (!accept(')')) {
            dimensions.add(dimension());
            if (dimensions.size() > MAX_DIMENSIONS) {
                throw new InputException("more than %d dimensions".formatted(MAX_DIMENSIONS));
            }
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return dimensions;
    }

    private int dimension() {
        skipSpace();
        int start = at;
        long value = 0;
        while (at < text.length() && peek() >= '0' && peek() <= '9') {
            value = Math.min(value * 10 + (peek() - '0'), Integer.MAX_VALUE + 1L);
            at++;
        }
        if (at == start) {
            throw unexpected("a dimension, 0 or more");
        }
        if (value > Integer.MAX_VALUE) {
            throw new InputException(
                    "dimension %s: expected at most %d"
                            .formatted(
                                    TensorFileException.quoted(text.substring(start, at)),
                                    Integer.MAX_VALUE));
        }
        // Python 2 wrote long integers so
        if (peek() == 'L') {
            at++;
        }
        return (int) value;
    }

    private boolean accept(char c) {
        skipSpace();
        if (peek() != c) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(char c) {
        if (!accept(c)) {
            throw unexpected("'" + c + "'");
        }
    }

    private void skipSpace() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    /// The next character, or one that no header holds.
    private char peek() {
        return at < text.length() ? text.charAt(at) : '\uFFFF';
    }

    private IllegalArgumentException unexpected(String expected) {
        String found =
                at < text.length()
                        ? TensorFileException.quoted(
                                text.substring(at, Math.min(at + 20, text.length())))
                        : "the end";
        return new InputException(
                "header, character %d: expected %s, found %s".formatted(at, expected, found));
    }
}
