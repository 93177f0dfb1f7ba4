package dev.heddle.vm.lowering;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.Selector;
import dev.heddle.vm.ir.Source;

import org.jspecify.annotations.Nullable;

/// Video instructions (PTX ISA 9.7.18): parts of the operands are extracted, one operation makes a
/// result of each pair of them, and it is clamped, combined with a third operand, or merged into
/// it. The operation is the method of [dev.heddle.vm.semantics.Video] that has the instruction's
/// name.
final class VideoLowering {
    private static final String[] MASKS = {"", "", "10", "", "3210"};
    private static final String[] OF_B = {"", "", "32", "", "7654"};

    private final CodeBuilder builder;

    VideoLowering(CodeBuilder builder) {
        this.builder = builder;
    }

    /// One value of each operand, a second operation or a merge behind it.
    void scalar(BoundInstruction form) {
        String selector = selector(form.operand(0));
        int bits = bits(selector);
        Source result = operate(form, part(form, 1, "atype"), part(form, 2, "btype"), bits);
        String second = form.word("op2");
        if (second != null) {
            Source c = word(form.operand(3));
            Source wide =
                    builder.compute(isSigned(form, "dtype") ? "signExtend32" : "zeroExtend32", c);
            result = builder.compute("v" + second, result, wide);
        }
        Source word = builder.compute("truncate64", result);
        if (selector != null) {
            word = merged(word, word(form.operand(3)), shift(selector), bits);
        }
        builder.write(unselected(form.operand(0)), word, ScalarType.B32);
    }

    /// Two halves or four bytes at once, taken from both operands.
    void simd(BoundInstruction form) {
        int parts = form.opcode().charAt(form.opcode().length() - 1) - '0';
        int bits = 32 / parts;
        int[] ofA = Selector.parts(selector(form.operand(1)), MASKS[parts]);
        int[] ofB = Selector.parts(selector(form.operand(2)), OF_B[parts]);
        Source[] words = {word(form.operand(1)), word(form.operand(2))};
        Source result = word(form.operand(3));
        for (int part : Selector.parts(selector(form.operand(0)), MASKS[parts])) {
            Source a = selected(words, ofA[part], bits, isSigned(form, "atype"));
            Source b = selected(words, ofB[part], bits, isSigned(form, "btype"));
            Source one = builder.compute("truncate64", operate(form, a, b, bits));
            result =
                    form.has("add")
                            ? builder.compute("add32", result, one)
                            : merged(one, result, part * bits, bits);
        }
        builder.write(unselected(form.operand(0)), result, ScalarType.B32);
    }

    /// `vmad`: product and sum in 128 bits, either negated.
    void multiplyAdd(BoundInstruction form) {
        boolean product = isNegated(form.operand(1)) != isNegated(form.operand(2));
        boolean addend = isNegated(form.operand(3));
        boolean signed = isSigned(form, "atype") || isSigned(form, "btype") || product || addend;
        String scale = form.word("scale");
        int modes =
                (product ? 1 : 0)
                        | (addend ? 2 : 0)
                        | (signed ? 4 : 0)
                        | (form.has("po") ? 8 : 0)
                        | (scale == null ? 0 : Integer.parseInt(scale.substring(3)) << 4);
        Source result =
                builder.compute(
                        "vmad",
                        part(form, 1, "atype"),
                        part(form, 2, "btype"),
                        word(form.operand(3)),
                        Source.word(modes));
        if (form.has("sat")) {
            result = builder.compute("vmadSaturated", result, Source.word(signed ? 1 : 0));
        }
        builder.write(form.operand(0), builder.compute("truncate64", result), ScalarType.B32);
    }

    /// The result of one pair of parts, clamped where the instruction says so.
    private Source operate(BoundInstruction form, Source a, Source b, int bits) {
        String compared = form.word("cmp");
        if (compared != null) {
            return builder.compute(
                    "select64",
                    builder.compute(ComparisonLowering.integral(compared, ScalarType.S64), a, b),
                    Source.longword(1),
                    Source.longword(0));
        }
        Source second = b;
        if (form.has("clamp")) {
            second = builder.compute("vmin", b, Source.longword(32));
        } else if (form.has("wrap")) {
            second = builder.compute("and64", b, Source.longword(31));
        }
        Source result = builder.compute(name(form), a, second);
        if (!form.has("sat")) {
            return result;
        }
        boolean signed = isSigned(form, "dtype");
        return builder.compute(
                "clampLong",
                result,
                Source.longword(signed ? -(1L << bits - 1) : 0),
                Source.longword((1L << (signed ? bits - 1 : bits)) - 1));
    }

    /// The opcode without the number of its parts.
    private static String name(BoundInstruction form) {
        String opcode = form.opcode();
        int last = opcode.length() - 1;
        return Character.isDigit(opcode.charAt(last)) ? opcode.substring(0, last) : opcode;
    }

    private static boolean isSigned(BoundInstruction form, String place) {
        return "s32".equals(form.word(place));
    }

    private Source part(BoundInstruction form, int operand, String type) {
        String selector = selector(form.operand(operand));
        return extracted(
                word(form.operand(operand)), shift(selector), bits(selector), isSigned(form, type));
    }

    private Source selected(Source[] words, int part, int bits, boolean signed) {
        int parts = 32 / bits;
        return extracted(words[part / parts], part % parts * bits, bits, signed);
    }

    private Source extracted(Source word, int shift, int bits, boolean signed) {
        return builder.compute(
                signed ? "partSigned" : "partUnsigned",
                word,
                Source.word(shift),
                Source.word(bits));
    }

    private Source merged(Source value, Source into, int shift, int bits) {
        return builder.compute("insert32", value, into, Source.word(shift), Source.word(bits));
    }

    private Source word(Operand operand) {
        return builder.read(unselected(operand), ScalarType.B32);
    }

    private static boolean isNegated(Operand operand) {
        return operand instanceof Operand.Negated;
    }

    private static Operand plain(Operand operand) {
        return operand instanceof Operand.Negated negated ? negated.operand() : operand;
    }

    /// `h1` of `-%r2.h1`, or null.
    private static @Nullable String selector(Operand operand) {
        return plain(operand) instanceof Operand.Register register
                        && register.declaration() != null
                        && register.declaration().vector() == 1
                ? register.component()
                : null;
    }

    private static Operand unselected(Operand operand) {
        Operand plain = plain(operand);
        return selector(plain) != null && plain instanceof Operand.Register register
                ? new Operand.Register(
                        register.name(), null, register.declaration(), register.position())
                : plain;
    }

    private static int bits(@Nullable String selector) {
        return selector == null ? 32 : selector.charAt(0) == 'h' ? 16 : 8;
    }

    private static int shift(@Nullable String selector) {
        return selector == null ? 0 : (selector.charAt(1) - '0') * bits(selector);
    }
}
