package dev.heddle.explorer;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.Qualifier;
import dev.heddle.isa.Role;
import dev.heddle.isa.Shape;

import java.util.ArrayList;
import java.util.List;

/// An opcode word by word: what each of its qualifiers says.
final class OpcodeWords {
    private final Form form;
    private final List<Word> words = new ArrayList<>();
    private int layouts;
    private int types;

    private OpcodeWords(Form form) {
        this.form = form;
    }

    /// A word of an opcode.
    ///
    /// @param text    with its dot; all texts together are the opcode
    /// @param meaning in words
    record Word(String text, String meaning) {}

    /// The words of a form's opcode, in their order.
    static List<Word> of(Form form) {
        OpcodeWords reading = new OpcodeWords(form);
        String mnemonic = form.family().warpgroup() ? "wgmma.mma_async" : "mma";
        reading.words.add(new Word(mnemonic, reading.product()));
        for (String word : form.opcode().substring(mnemonic.length() + 1).split("\\.", -1)) {
            reading.words.add(new Word("." + word, reading.meaning(word)));
        }
        return reading.words;
    }

    private String product() {
        return form.family().warpgroup()
                ? "multiplies matrices and adds, by the four warps of a warpgroup, which go on"
                        + " meanwhile"
                : "multiplies matrices and adds, by the 32 lanes of a warp";
    }

    private String meaning(String word) {
        return switch (word) {
            case "sp" -> sparse() + "metadata says which";
            case "sp::ordered_metadata" -> sparse() + "metadata says which, in rising order";
            case "sync" -> "each lane waits until all of its warp are here";
            case "aligned" ->
                    "all lanes of the "
                            + (form.family().warpgroup() ? "warpgroup" : "warp")
                            + " must execute this same instruction";
            case "row", "col" -> layout(word);
            case "block_scale" -> scaled();
            case "satfinite" -> "results that are too large become the largest there is";
            case "xor" -> "a bit of A and a bit of B meet in an exclusive or";
            case "and" -> "a bit of A and a bit of B meet in an and";
            case "popc" -> "the ones that come out are counted";
            case "rn" -> "rounds to the nearest, ties to even";
            case "rz" -> "rounds toward zero";
            case "rm" -> "rounds down";
            case "rp" -> "rounds up";
            default -> pattern(word);
        };
    }

    private String pattern(String word) {
        if (word.startsWith("kind::")) {
            return kind(word.substring("kind::".length()));
        }
        if (word.startsWith("scale_vec::")) {
            int factors = form.scaleVectors();
            return "scale factors for each row of A and each column of B: " + factors;
        }
        return word.equals(form.word(Qualifier.SHAPE)) ? shape() : type(word);
    }

    private String sparse() {
        Granularity granularity = form.granularity().orElseThrow();
        return "A is sparse: of every %d columns %d are stored, and "
                .formatted(granularity.width(), granularity.stored());
    }

    private String scaled() {
        return "A and B are multiplied by scale factors, one for each %d elements along K"
                .formatted(form.scaleFactors(Role.A).orElseThrow().span());
    }

    private String layout(String word) {
        return (layouts++ == 0 ? "A" : "B")
                + (word.equals("row") ? " runs row by row" : " runs column by column");
    }

    private String shape() {
        Shape shape = form.shape();
        String sums = form.family().warpgroup() ? "D is" : "C and D are";
        return "A is %d × %d, B is %d × %d, %s %d × %d"
                .formatted(shape.m(), shape.k(), shape.k(), shape.n(), sums, shape.m(), shape.n());
    }

    private static String kind(String kind) {
        return switch (kind) {
            case "f8f6f4" -> "floats of 8, 6 and 4 bits, A and B each of its own type";
            case "mxf8f6f4" -> "floats of 8, 6 and 4 bits, with scale factors";
            case "mxf4" -> "floats of 4 bits, with scale factors that are powers of two";
            case "mxf4nvf4" -> "floats of 4 bits, with scale factors of either type";
            default -> throw new IllegalArgumentException("no kind " + kind);
        };
    }

    private String type(String word) {
        Qualifier place = Qualifier.TYPE_PLACES.get(types++);
        String whose =
                place == Qualifier.STYPE ? "a scale factor" : "an element of " + letter(place);
        return whose + " is " + words(Format.parse(word));
    }

    private static String letter(Qualifier place) {
        return place.name().substring(0, 1);
    }

    private static String words(Format format) {
        return switch (format) {
            case FloatFormat f ->
                    (f.signed() ? "a float of " : "a float without sign, of ")
                            + "%d bits: %d of the exponent, %d of the fraction"
                                    .formatted(f.bits(), f.exponentBits(), f.fractionBits());
            case IntegerFormat i when i.bits() == 1 -> "one bit";
            case IntegerFormat i ->
                    "%s integer of %d bits"
                            .formatted(i.signed() ? "a signed" : "an unsigned", i.bits());
        };
    }
}
