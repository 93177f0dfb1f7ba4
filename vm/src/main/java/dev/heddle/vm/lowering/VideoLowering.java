package dev.heddle.vm.lowering;

import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.ptx.ScalarType.S64;
import static dev.heddle.vm.ir.OperationKind.ABS;
import static dev.heddle.vm.ir.OperationKind.ADD;
import static dev.heddle.vm.ir.OperationKind.AND;
import static dev.heddle.vm.ir.OperationKind.BFE;
import static dev.heddle.vm.ir.OperationKind.BFI;
import static dev.heddle.vm.ir.OperationKind.MAX;
import static dev.heddle.vm.ir.OperationKind.MIN;
import static dev.heddle.vm.ir.OperationKind.SELP;
import static dev.heddle.vm.ir.OperationKind.SEXT;
import static dev.heddle.vm.ir.OperationKind.SUB;
import static dev.heddle.vm.ir.OperationKind.TRUNC;
import static dev.heddle.vm.ir.OperationKind.VAVRG;
import static dev.heddle.vm.ir.OperationKind.VMAD;
import static dev.heddle.vm.ir.OperationKind.VMADSAT;
import static dev.heddle.vm.ir.OperationKind.VSHL;
import static dev.heddle.vm.ir.OperationKind.VSHR;
import static dev.heddle.vm.ir.OperationKind.ZEXT;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.Selector;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Source;

import org.jspecify.annotations.Nullable;

/// Video instructions (PTX ISA 9.7.18): parts of the operands are extracted, one operation makes a
/// result of each pair of them, and it is clamped, combined with a third operand, or merged into
/// it.
final class VideoLowering {
    private static final String[] MASKS = {"", "", "10", "", "3210"};
    private static final String[] OF_B = {"", "", "32", "", "7654"};

    private static final Operation LOW = Operation.from(B64, TRUNC, B32);

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
            Source wide = builder.compute(widen(isSigned(form, "dtype")), c);
            result = builder.compute(operation("v" + second), result, wide);
        }
        Source word = builder.compute(LOW, result);
        if (selector != null) {
            word = merged(word, word(form.operand(3)), shift(selector), bits);
        }
        builder.write(unselected(form.operand(0)), word, B32);
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
            Source one = builder.compute(LOW, operate(form, a, b, bits));
            result =
                    form.has("add")
                            ? builder.compute(ADD, B32, result, one)
                            : merged(one, result, part * bits, bits);
        }
        builder.write(unselected(form.operand(0)), result, B32);
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
                        VMAD,
                        S64,
                        part(form, 1, "atype"),
                        part(form, 2, "btype"),
                        word(form.operand(3)),
                        Source.word(modes));
        if (form.has("sat")) {
            result = builder.compute(VMADSAT, S64, result, Source.word(signed ? 1 : 0));
        }
        builder.write(form.operand(0), builder.compute(LOW, result), B32);
    }

    /// The result of one pair of parts, clamped where the instruction says so.
    private Source operate(BoundInstruction form, Source a, Source b, int bits) {
        String compared = form.word("cmp");
        if (compared != null) {
            return builder.compute(
                    SELP,
                    B64,
                    builder.compute(
                            ComparisonLowering.kind(compared),
                            ComparisonLowering.working(compared, S64),
                            a,
                            b),
                    Source.longword(1),
                    Source.longword(0));
        }
        Source second = b;
        if (form.has("clamp")) {
            second = builder.compute(MIN, S64, b, Source.longword(32));
        } else if (form.has("wrap")) {
            second = builder.compute(AND, B64, b, Source.longword(31));
        }
        Source result =
                name(form).equals("vabsdiff")
                        ? builder.compute(ABS, B64, builder.compute(SUB, B64, a, second))
                        : builder.compute(operation(name(form)), a, second);
        if (!form.has("sat")) {
            return result;
        }
        boolean signed = isSigned(form, "dtype");
        Source least = Source.longword(signed ? -(1L << bits - 1) : 0);
        Source most = Source.longword((1L << (signed ? bits - 1 : bits)) - 1);
        return builder.compute(MIN, S64, builder.compute(MAX, S64, result, least), most);
    }

    private static Operation operation(String name) {
        return switch (name) {
            case "vadd" -> Operation.of(ADD, B64);
            case "vsub" -> Operation.of(SUB, B64);
            case "vmin" -> Operation.of(MIN, S64);
            case "vmax" -> Operation.of(MAX, S64);
            case "vavrg" -> Operation.of(VAVRG, S64);
            case "vshl" -> Operation.of(VSHL, S64);
            case "vshr" -> Operation.of(VSHR, S64);
            default -> throw new UnsupportedInstruction(name);
        };
    }

    private static Operation widen(boolean signed) {
        return Operation.from(B32, signed ? SEXT : ZEXT, B64);
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
        Source part =
                builder.compute(
                        BFE,
                        signed ? ScalarType.S32 : ScalarType.U32,
                        word,
                        Source.word(shift),
                        Source.word(bits));
        return builder.compute(widen(signed), part);
    }

    private Source merged(Source value, Source into, int shift, int bits) {
        return builder.compute(BFI, B32, value, into, Source.word(shift), Source.word(bits));
    }

    private Source word(Operand operand) {
        return builder.read(unselected(operand), B32);
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
