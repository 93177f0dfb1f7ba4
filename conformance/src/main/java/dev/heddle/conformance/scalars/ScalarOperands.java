package dev.heddle.conformance.scalars;

import java.util.SplittableRandom;

/// The operands of a form: the same each time, all corners among them.
///
/// The first 2,304 cases are the pairs of 48 corners (a single operand meets all corners of its
/// list); the others are random bits, numbers of moderate size, products and quotients near the
/// least normal number of a format, and neighbours of corners.
final class ScalarOperands {
    private static final int PAIRED = 48;

    private static final long[] WORDS = {
        // Numbers of f32.
        0x00000000L,
        0x80000000L,
        0x00000001L,
        0x80000001L,
        0x007fffffL,
        0x807fffffL,
        0x00800000L,
        0x80800000L,
        0x00800001L,
        0x3f800000L,
        0xbf800000L,
        0x3f800001L,
        0x3f7fffffL,
        0x7f7fffffL,
        0xff7fffffL,
        0x7f800000L,
        0xff800000L,
        0x7fffffffL,
        0x7f800001L,
        0xffc12345L,
        0x3f000000L,
        0x3fc00000L,
        0xc0200000L,
        0x4b000001L,
        0x4f000000L,
        0xcf000000L,
        0x4f800000L,
        0x5f000000L,
        // Integers.
        2,
        31,
        32,
        33,
        0x7fffffffL,
        0xffffffffL,
        0xff,
        0x100,
        0xffff,
        0x10000,
        0x7fff,
        0x8000,
        // Pairs of halves.
        0x3c00bc00L,
        0x7c00fc00L,
        0x7e007bffL,
        0x03ff0400L,
        0x00018001L,
        0x7f803f80L,
        0x7ff7fff7L,
        0x00808001L,
        // More of each.
        0x477fe000L,
        0x477fefffL,
        0x477ff000L,
        0x38800000L,
        0x387fc000L,
        0x33800000L,
        0x33000000L,
        0x33000001L,
        0x41000000L,
        0xc1000000L,
        0x42fe0000L,
        0xc2fc0000L,
        0xc3150000L,
        0x43000000L,
        0x7e800000L,
        0x7e800001L,
        0x00400000L,
        0x43e00000L,
        0x47600000L,
        0x4effffffL,
        0x5f7fffffL,
        0xdf000000L,
        0x3effffffL,
        0x3f000001L,
        0x7f000000L,
        0x7f7f0000L,
        0x7f7f8000L,
        0x7f7fffffL,
        0x7fc00000L,
        0xffffffffL,
        0x477fffffL,
        0xc77ff000L,
        0x0080ff01L,
        0x01020304L,
        0xfffefdfcL
    };

    private static final long[] LONGS = {
        // Numbers of f64.
        0,
        0x8000000000000000L,
        1,
        0x8000000000000001L,
        0x000fffffffffffffL,
        0x0010000000000000L,
        0x8010000000000000L,
        0x3ff0000000000000L,
        0xbff0000000000000L,
        0x3ff0000000000001L,
        0x3fefffffffffffffL,
        0x7fefffffffffffffL,
        0xffefffffffffffffL,
        0x7ff0000000000000L,
        0xfff0000000000000L,
        0x7ff8000000000000L,
        0xfff8000000000000L,
        0x7ff0000000000001L,
        0x3fe0000000000000L,
        0xbff8000000000000L,
        0x4004000000000000L,
        0x4330000000000001L,
        // The ends of f32: 2^-126 and what rounds to it, 2^-149, the largest.
        0x3810000000000000L,
        0x380fffffe0000000L,
        0x380ffffff0000000L,
        0x380ffffff8000000L,
        0x380fffffefffffffL,
        0xb80ffffff0000000L,
        0x36a0000000000000L,
        0x3690000000000000L,
        0x3690000000000001L,
        0x47efffffe0000000L,
        0x47efffffefffffffL,
        0x47effffff0000000L,
        // Integers.
        2,
        63,
        64,
        0x7fffffffffffffffL,
        0xffffffffffffffffL,
        0x7fffffffL,
        0x80000000L,
        0xffffffffL,
        0x100000000L,
        0xffffffff80000000L,
        0x41e0000000000000L,
        0x43e0000000000000L,
        0xc3e0000000000000L,
        0x43f0000000000000L,
        // More of each.
        0x40effc0000000000L,
        0x40effdffffffffffL,
        0x40effe0000000000L,
        0x3f10000000000000L,
        0x3e70000000000000L,
        0x3e60000000000000L,
        0x3e60000000000001L,
        0x41dfffffffc00000L,
        0x41efffffffe00000L,
        0xc1e0000000000000L,
        0xc1e0000000200000L,
        0x405fc00000000000L,
        0x406fe00000000000L,
        0xc060000000000000L,
        0x7ff0000000000000L,
        0x0008000000000000L,
        0x0000000100000000L,
        0x7ff00000ffffffffL,
        0x3fdfffffffffffffL,
        0x37f0000000000000L
    };

    private static final long[] HALVES = {
        // f16: zeros, subnormals, the least normals, one, the largest, infinities, NaNs.
        0x0000,
        0x8000,
        0x0001,
        0x8001,
        0x03ff,
        0x83ff,
        0x0400,
        0x8400,
        0x0401,
        0x3c00,
        0xbc00,
        0x3c01,
        0x3bff,
        0x7bff,
        0xfbff,
        0x7c00,
        0xfc00,
        0x7e00,
        0x7fff,
        0x7c01,
        0xfe55,
        0x3800,
        0x3e00,
        0xc100,
        // bf16.
        0x007f,
        0x0080,
        0x8080,
        0x3f80,
        0xbf80,
        0x3f81,
        0x3f7f,
        0x7f7f,
        0xff7f,
        0x7f80,
        0xff80,
        0x7fc0,
        0x7f81,
        0x3f00,
        0xffff,
        0x4b00,
        // Integers and 8-bit floats.
        2,
        15,
        16,
        17,
        0x00ff,
        0x0100,
        0x7ff7,
        0xfff7,
        0x7e7e,
        0x7f7f,
        0x7c7c,
        0xfc7d,
        0x0801,
        0xff80
    };

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
            case 'w' -> WORDS;
            case 'l' -> LONGS;
            case 'h' -> HALVES;
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
