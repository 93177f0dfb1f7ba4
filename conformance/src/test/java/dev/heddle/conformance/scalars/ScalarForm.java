package dev.heddle.conformance.scalars;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An instruction with all its qualifiers, or a few that belong together as `add.cc` and `addc` do.
///
/// In the text `$w $l $h $p` are sources of 32, 64, 16 and one bits, `$W $L $H $P` destinations;
/// `%t %v` are free words, `%h` a free half, `%u` a free long, `%q` a free predicate, `%c` a free
/// byte.
///
/// @param text the PTX, ending in a semicolon
/// @param sources the letters of the sources, in order
/// @param destinations the letters of the destinations, in order
public record ScalarForm(String text, String sources, String destinations) {
    private static final Pattern PLACE = Pattern.compile("\\$([a-zA-Z])");
    private static final Pattern CHOICE = Pattern.compile("\\{([^{}]*)\\}");
    private static final Pattern OPEN_NAN =
            Pattern.compile("(add|sub|mul|fma|mad|div|rcp|sqrt)(\\.r[nzmp])?\\.f64 ");
    private static final List<ScalarForm> ALL = read();

    /// Every form, each line of `forms.txt` with all its alternatives.
    public static List<ScalarForm> all() {
        return ALL;
    }

    static ScalarForm of(String text) {
        StringBuilder sources = new StringBuilder();
        StringBuilder destinations = new StringBuilder();
        Matcher places = PLACE.matcher(text);
        while (places.find()) {
            char letter = places.group(1).charAt(0);
            (Character.isLowerCase(letter) ? sources : destinations).append(letter);
        }
        return new ScalarForm(text, sources.toString(), destinations.toString());
    }

    /// The registers that [#instruction] names, declared.
    public String declarations() {
        StringBuilder text =
                new StringBuilder(
                        ".reg .b32 %t, %v;\n.reg .b64 %u;\n.reg .b16 %h;\n.reg .b8 %c;\n"
                                + ".reg .pred %q;\n");
        declare(text, sources, "s");
        declare(text, destinations, "d");
        return text.toString();
    }

    private static void declare(StringBuilder text, String letters, String name) {
        for (int i = 0; i < letters.length(); i++) {
            String type =
                    switch (letters.toLowerCase(Locale.ROOT).charAt(i)) {
                        case 'w' -> "b32";
                        case 'h' -> "b16";
                        case 'l' -> "b64";
                        default -> "pred";
                    };
            text.append(".reg .%s %%%s%d;\n".formatted(type, name, i));
        }
    }

    /// The text with registers in its places: `%s0`, `%s1` for sources, `%d0` for destinations.
    public String instruction() {
        StringBuilder result = new StringBuilder();
        int source = 0;
        int destination = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c != '$') {
                result.append(c);
            } else if (Character.isLowerCase(text.charAt(++at))) {
                result.append("%s").append(source++);
            } else {
                result.append("%d").append(destination++);
            }
        }
        return result.toString();
    }

    private static List<ScalarForm> read() {
        try (InputStream in = ScalarForm.class.getResourceAsStream("forms.txt")) {
            return read(
                    new String(
                            Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The forms of a text, each line with all its alternatives.
    static List<ScalarForm> read(String lines) {
        Set<String> texts = new LinkedHashSet<>();
        lines.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(line -> expand(line.strip(), texts));
        return texts.stream().map(ScalarForm::of).toList();
    }

    /// All ways to take one of each `{a,b}`.
    private static void expand(String pattern, Set<String> texts) {
        Matcher choice = CHOICE.matcher(pattern);
        if (!choice.find()) {
            texts.add(pattern);
            return;
        }
        for (String one : choice.group(1).split(",", -1)) {
            expand(
                    pattern.substring(0, choice.start()) + one + pattern.substring(choice.end()),
                    texts);
        }
    }

    /// The results with one NaN for all, where the manual leaves a NaN's bits open: in the
    /// arithmetic of `.f64`. (An H100 makes a NaN operand quiet. Of several it takes the last one
    /// of a sum or product, the first of a quotient, and of a fused sum b, then c, then a. But the
    /// assembler may exchange operands.)
    long[] settled(long[] results) {
        if (OPEN_NAN.matcher(text).lookingAt()) {
            for (int i = 0; i < results.length; i++) {
                if (Double.isNaN(Double.longBitsToDouble(results[i]))) {
                    results[i] = Double.doubleToRawLongBits(Double.NaN);
                }
            }
        }
        return results;
    }

    @Override
    public String toString() {
        return text;
    }
}
