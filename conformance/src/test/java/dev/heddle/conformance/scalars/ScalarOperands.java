package dev.heddle.conformance.scalars;

import java.util.SplittableRandom;

/// The operands of a form: the same each time, all corners among them.
///
/// The first 2,304 cases are the pairs of 48 corners (a single operand meets all corners of its
/// list); the others are random bits, numbers of moderate size, products and quotients near the
/// least normal number of a format, and neighbours of corners.
final class ScalarOperands {
    private static final int PAIRED = 48;

    private final SplittableRandom random;
    private final ScalarForm form;
    private final long[] row;

    private ScalarOperands(ScalarForm form, long seed) {
        this.form = form;
        random = new SplittableRandom(seed ^ form.text().hashCode() * 0x9e3779b97f4a7c15L);
        row = new long[form.sources().length()];
    }

    /// The words of all sources, those of one source together.
    ///
    /// @param seed of what is random; the corners are always the same
    static long[] of(ScalarForm form, long seed, int cases) {
        ScalarOperands operands = new ScalarOperands(form, seed);
        int sources = operands.row.length;
        long[] words = new long[sources * cases];
        for (int i = 0; i < cases; i++) {
            operands.next(i);
            for (int s = 0; s < sources; s++) {
                words[s * cases + i] = operands.row[s];
            }
        }
        return words;
    }

    private void next(int index) {
        int kind = index < PAIRED * PAIRED ? 0 : 1 + index % 4;
        for (int s = 0; s < row.length; s++) {
            char letter = form.sources().charAt(s);
            row[s] =
                    switch (kind) {
                        case 0 -> paired(letter, s, index);
                        case 1 -> cut(letter, random.nextLong());
                        case 2 -> moderate(letter);
                        case 3 -> cut(letter, corner(letter) + random.nextInt(-2, 3));
                        default -> moderate(letter);
                    };
        }
        if (kind == 4) {
            nearTheLeastNormal();
        }
    }

    private static long[] corners(char letter) {
        return switch (letter) {
            case 'w' -> ScalarCorners.WORDS;
            case 'l' -> ScalarCorners.LONGS;
            case 'h' -> ScalarCorners.HALVES;
            default -> new long[] {0, 1};
        };
    }

    private long corner(char letter) {
        long[] corners = corners(letter);
        return corners[random.nextInt(corners.length)];
    }

    private static long cut(char letter, long word) {
        return switch (letter) {
            case 'w' -> word & 0xffff_ffffL;
            case 'h' -> word & 0xffff;
            case 'p' -> word & 1;
            default -> word;
        };
    }

    private long paired(char letter, int source, int index) {
        long[] corners = corners(letter);
        int at =
                switch (source) {
                    case 0 -> row.length == 1 ? index : index / PAIRED;
                    case 1 -> index % PAIRED;
                    default -> random.nextInt(corners.length);
                };
        return cut(letter, corners[at % corners.length]);
    }

    /// A number around one of the format that the form computes in.
    private long moderate(char letter) {
        long sign = random.nextLong();
        return switch (letter) {
            case 'w' ->
                    half()
                            ? halfNumber() << 16 | halfNumber()
                            : cut(
                                    'w',
                                    sign & 0x8000_0000L
                                            | (long) random.nextInt(104, 158) << 23
                                            | random.nextInt(1 << 23));
            case 'l' ->
                    sign & Long.MIN_VALUE
                            | (long) random.nextInt(1023 - 40, 1023 + 66) << 52
                            | random.nextLong(1L << 52);
            case 'h' -> halfNumber();
            default -> random.nextInt(2);
        };
    }

    private boolean half() {
        return form.text().contains("f16x2");
    }

    private boolean brain() {
        return form.text().contains("bf16");
    }

    private long halfNumber() {
        int sign = random.nextInt(2) << 15;
        return brain()
                ? sign | random.nextInt(110, 140) << 7 | random.nextInt(128)
                : sign | random.nextInt(8, 23) << 10 | random.nextInt(1024);
    }

    /// The first two operands such that their product or their quotient is about the least normal
    /// number, a third one zero or about as small.
    private void nearTheLeastNormal() {
        String text = form.text();
        for (int s = 0; s < row.length; s++) {
            row[s] =
                    switch (form.sources().charAt(s)) {
                        case 'w' ->
                                half()
                                        ? edge16(s, row[0] >>> 16) << 16 | edge16(s, row[0])
                                        : edge(s, row[0], 23, 8, text.startsWith("div"));
                        case 'h' -> edge16(s, row[0]);
                        case 'l' -> edge(s, row[0], 52, 11, text.startsWith("div"));
                        default -> row[s];
                    };
        }
    }

    private long edge16(int source, long first) {
        return brain() ? edge(source, first, 7, 8, false) : edge(source, first, 10, 5, false);
    }

    /// @param first the first operand, already dealt
    private long edge(
            int source, long first, int fractionBits, int exponentBits, boolean quotient) {
        int bias = (1 << exponentBits - 1) - 1;
        long fraction = random.nextLong(1L << fractionBits);
        if (random.nextInt(4) == 0) {
            fraction = random.nextBoolean() ? 0 : (1L << fractionBits) - 1 - random.nextInt(3);
        }
        long sign = (long) random.nextInt(2) << fractionBits + exponentBits;
        long exponent = first >>> fractionBits & (1 << exponentBits) - 1;
        long firstFraction = first & (1L << fractionBits) - 1;
        if (source == 0) {
            int least = quotient ? 1 : 2;
            exponent = random.nextInt(least, quotient ? 4 : bias - 1);
        } else if (source == 1) {
            // Of a product the other factor: 2^least / first, or its neighbours.
            double ratio = 2.0 / (1 + Math.scalb((double) firstFraction, -fractionBits));
            fraction =
                    quotient
                            ? random.nextInt(3) == 0
                                    ? fraction
                                    : firstFraction + random.nextInt(-1, 2)
                            : (long) Math.scalb(ratio - 1, fractionBits) + random.nextInt(-2, 3);
            fraction &= (1L << fractionBits) - 1;
            exponent = quotient ? bias + exponent - 1 + random.nextInt(2) : bias - exponent;
        } else {
            exponent = random.nextBoolean() ? 0 : random.nextInt(1, 4);
            fraction = exponent == 0 ? 0 : fraction;
        }
        return sign | exponent << fractionBits | fraction;
    }
}
