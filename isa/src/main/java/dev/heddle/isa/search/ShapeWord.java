package dev.heddle.isa.search;

import dev.heddle.isa.Shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// A shape, or a part of one, as people write it: `m16n8k16`, `16x8x16`, `k64`, `16816`.
///
/// @param m      the extent asked for, or 0 for any; so `n` and `k`
/// @param digits the extents one behind the other, as disassemblers write them; empty if letters or
///               crosses part them
record ShapeWord(int m, int n, int k, String digits) {
    private static final int LONGEST = 6;

    /// Reads a word in small letters; empty if it is no shape.
    static Optional<ShapeWord> of(String word) {
        if (word.isEmpty() || word.length() > 16) {
            return Optional.empty();
        }
        boolean digits = word.chars().allMatch(c -> c >= '0' && c <= '9');
        if (digits) {
            return word.length() >= 3 && word.length() <= LONGEST
                    ? Optional.of(new ShapeWord(0, 0, 0, word))
                    : Optional.empty();
        }
        return Character.isDigit(word.charAt(0)) ? crossed(word) : lettered(word);
    }

    private static Optional<ShapeWord> crossed(String word) {
        List<Integer> extents = new ArrayList<>();
        for (String part : word.split("[x*\u00d7]", -1)) {
            int extent = number(part);
            if (extent <= 0) {
                return Optional.empty();
            }
            extents.add(extent);
        }
        return extents.size() < 2 || extents.size() > 3
                ? Optional.empty()
                : Optional.of(
                        new ShapeWord(
                                extents.get(0),
                                extents.get(1),
                                extents.size() == 3 ? extents.get(2) : 0,
                                ""));
    }

    private static Optional<ShapeWord> lettered(String word) {
        int[] extents = new int[3];
        int at = 0;
        int filled = 0;
        for (int i = 0; i < 3; i++) {
            if (at < word.length() && word.charAt(at) == "mnk".charAt(i)) {
                int end = at + 1;
                while (end < word.length() && Character.isDigit(word.charAt(end))) {
                    end++;
                }
                extents[i] = number(word.substring(at + 1, end));
                filled += extents[i] > 0 ? 1 : 0;
                at = end;
            }
        }
        return at < word.length() || filled == 0
                ? Optional.empty()
                : Optional.of(new ShapeWord(extents[0], extents[1], extents[2], ""));
    }

    private static int number(String text) {
        boolean whole =
                !text.isEmpty()
                        && text.length() <= 4
                        && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return whole ? Integer.parseInt(text) : 0;
    }

    /// What it asks for: each extent by itself, so that a shape that does not exist is near those
    /// that share an extent with it.
    List<Criterion> criteria() {
        if (!digits.isEmpty()) {
            return List.of(
                    new Criterion(
                            digits,
                            "the shape whose extents read " + digits,
                            form -> digits.equals(joined(form.shape()))));
        }
        List<Criterion> criteria = new ArrayList<>();
        add(criteria, "m", m, Shape::m);
        add(criteria, "n", n, Shape::n);
        add(criteria, "k", k, Shape::k);
        return criteria;
    }

    private static String joined(Shape shape) {
        return "" + shape.m() + shape.n() + shape.k();
    }

    private static void add(
            List<Criterion> criteria, String letter, int wanted, ToIntFunction<Shape> extent) {
        if (wanted > 0) {
            criteria.add(
                    new Criterion(
                            letter + wanted,
                            letter.toUpperCase(Locale.ROOT) + " = " + wanted,
                            form -> extent.applyAsInt(form.shape()) == wanted));
        }
    }
}
