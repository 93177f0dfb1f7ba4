package dev.heddle.vm.lowering;

import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.S64;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.ptx.ScalarType.U64;
import static dev.heddle.vm.ir.OperationKind.ABS;
import static dev.heddle.vm.ir.OperationKind.ADD;
import static dev.heddle.vm.ir.OperationKind.AND;
import static dev.heddle.vm.ir.OperationKind.BFE;
import static dev.heddle.vm.ir.OperationKind.BFI;
import static dev.heddle.vm.ir.OperationKind.MAX;
import static dev.heddle.vm.ir.OperationKind.MIN;
import static dev.heddle.vm.ir.OperationKind.MUL;
import static dev.heddle.vm.ir.OperationKind.NEG;
import static dev.heddle.vm.ir.OperationKind.SELP;
import static dev.heddle.vm.ir.OperationKind.SEXT;
import static dev.heddle.vm.ir.OperationKind.SHL;
import static dev.heddle.vm.ir.OperationKind.SHR;
import static dev.heddle.vm.ir.OperationKind.SUB;
import static dev.heddle.vm.ir.OperationKind.TRUNC;
import static dev.heddle.vm.ir.OperationKind.ZEXT;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.ptx.instruction.Selector;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Source;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Objects;

/// Video instructions (PTX ISA 9.7.18): parts of the operands are extracted, one operation makes a
/// result of each pair of them, and it is clamped, combined with a third operand, or merged into
/// it.
///
/// GPUs since sm_50 have no such instructions: the assembler makes them of others that work on 64
/// bits. Where these depart from the pseudocode of the manual, they decide, because every GPU that
/// runs PTX today runs them: `docs/evidence/gpu.md` lists the places and the code.
record VideoLowering(CodeBuilder builder) {
    private static final String[] MASKS = {"", "", "10", "", "3210"};
    private static final String[] OF_B = {"", "", "32", "", "7654"};

    private static final Operation LOW = Operation.from(B64, TRUNC, B32);

    /// What is made of each pair of parts: what the opcode says between `v` and the number of
    /// parts.
    private enum Function {
        ADD,
        SUB,
        ABSDIFF,
        MIN,
        MAX,
        AVRG,
        SET,
        SHL,
        SHR;

        static Function of(BoundInstruction form) {
            int end = form.opcode().length() - (form.kind() == InstructionKind.VIDEO_SIMD ? 1 : 0);
            return valueOf(form.opcode().substring(1, end).toUpperCase(Locale.ROOT));
        }
    }

    /// One value of each operand, a second operation or a merge behind it.
    void scalar(BoundInstruction form) {
        String selector = selector(form.operand(0));
        Source result = operate(form, part(form, 1, "atype"), part(form, 2, "btype"));
        if (form.has("sat")) {
            result = clamped(form, result, selector);
        }
        String second = form.word("op2");
        if (second != null) {
            result = combined(form, second, result);
        }
        Source word = builder.compute(LOW, result);
        if (selector != null) {
            int shift = shift(selector);
            // The assembler merges the upper half into the upper half.
            Source part = selector.equals("h1") ? builder.highHalf(word) : word;
            word = merged(part, word(form.operand(3)), shift, bits(selector));
        }
        builder.write(unselected(form.operand(0)), word, B32);
    }

    /// `.sat`: a shift is clamped to 32 bits wherever it goes. Other results of a part are compared
    /// without sign, so that a negative one becomes the largest; those of an unsigned word have no
    /// upper bound, and are cut.
    private Source clamped(BoundInstruction form, Source result, @Nullable String selector) {
        boolean signed = isSigned(form, "dtype");
        if (form.kind() == InstructionKind.VIDEO_SHIFT) {
            return clamped(
                    builder.compute(BFE, S64, result, Source.word(0), Source.word(34)), 32, signed);
        }
        if (selector != null) {
            return builder.compute(MIN, U64, result, most(bits(selector), signed));
        }
        return signed
                ? clamped(result, 32, true)
                : builder.compute(MAX, S64, result, Source.longword(0));
    }

    /// The second operation. Sums, differences and clamped shifts are cut to 32 bits and extended
    /// by their sign before; the other operand is extended as the type says, which decides how they
    /// are compared, too.
    private Source combined(BoundInstruction form, String second, Source result) {
        boolean signed = isSigned(form, form.word("dtype") == null ? "atype" : "dtype");
        Source c = builder.compute(widen(signed), word(form.operand(3)));
        boolean cut =
                switch (Function.of(form)) {
                    case SHL, SHR -> form.has("sat");
                    case ADD, SUB -> true;
                    case ABSDIFF, MIN, MAX, AVRG, SET -> false;
                };
        Source first = cut ? builder.compute(widen(true), builder.compute(LOW, result)) : result;
        return switch (second) {
            case "add" -> builder.compute(ADD, B64, first, c);
            case "min" -> builder.compute(MIN, signed ? S64 : U64, first, c);
            default -> builder.compute(MAX, signed ? S64 : U64, first, c);
        };
    }

    /// Two halves or four bytes at once, taken from both operands.
    void simd(BoundInstruction form) {
        int parts = form.places().get(1).selector() == Selector.HALVES ? 2 : 4;
        int bits = 32 / parts;
        int[] ofA = Selector.parts(selector(form.operand(1)), MASKS[parts]);
        int[] ofB = Selector.parts(selector(form.operand(2)), OF_B[parts]);
        Source[] words = {word(form.operand(1)), word(form.operand(2))};
        Source result = word(form.operand(3));
        for (int part : Selector.parts(selector(form.operand(0)), MASKS[parts])) {
            Source a = selected(words, ofA[part], bits, isSigned(form, "atype"));
            Source b = selected(words, ofB[part], bits, isSigned(form, "btype"));
            Source of = operate(form, a, b);
            Source one =
                    builder.compute(
                            LOW, form.has("sat") ? clamped(of, bits, isSigned(form, "dtype")) : of);
            result =
                    form.has("add")
                            ? builder.compute(ADD, B32, result, one)
                            : merged(one, result, part * bits, bits);
        }
        builder.write(unselected(form.operand(0)), result, B32);
    }

    /// `vmad`: product and sum in 64 bits, either negated. Words are signed whatever their types,
    /// which decide how the result is scaled and clamped alone.
    void multiplyAdd(BoundInstruction form) {
        boolean product = isNegated(form.operand(1)) != isNegated(form.operand(2));
        boolean addend = isNegated(form.operand(3));
        boolean signed = isSigned(form, "atype") || isSigned(form, "btype") || product || addend;
        Source result =
                builder.compute(MUL, B64, factor(form, 1, "atype"), factor(form, 2, "btype"));
        if (product) {
            result = builder.compute(NEG, B64, result);
        }
        Source c = builder.compute(widen(true), word(form.operand(3)));
        result = builder.compute(addend ? SUB : ADD, B64, result, c);
        if (form.has("po")) {
            result = builder.compute(ADD, B64, result, Source.longword(1));
        }
        String scale = form.word("scale");
        if (scale != null) {
            Source shift = Source.word(Integer.parseInt(scale.substring(3)));
            result = builder.compute(SHR, signed ? S64 : U64, result, shift);
        }
        if (form.has("sat")) {
            result = clamped(result, 32, signed);
        }
        builder.write(form.operand(0), builder.compute(LOW, result), B32);
    }

    private Source factor(BoundInstruction form, int operand, String type) {
        return selector(form.operand(operand)) == null
                ? builder.compute(widen(true), word(form.operand(operand)))
                : part(form, operand, type);
    }

    /// The result of one pair of parts.
    private Source operate(BoundInstruction form, Source a, Source b) {
        return switch (Function.of(form)) {
            case ADD -> builder.compute(ADD, B64, a, b);
            case SUB -> builder.compute(SUB, B64, a, b);
            case ABSDIFF -> builder.compute(ABS, B64, builder.compute(SUB, B64, a, b));
            case MIN -> builder.compute(MIN, S64, a, b);
            case MAX -> builder.compute(MAX, S64, a, b);
            case AVRG -> average(a, b);
            case SET -> compared(form, a, b);
            case SHL -> builder.compute(SHL, B64, a, amount(form, b));
            case SHR -> builder.compute(SHR, S64, a, amount(form, b));
        };
    }

    /// Rounded away from zero: half of the sum, and of one more where it is not negative.
    private Source average(Source a, Source b) {
        Source sum = builder.compute(ADD, B64, a, b);
        Source sign = builder.compute(SHR, S64, sum, Source.word(63));
        Source more = builder.compute(ADD, B64, sign, Source.longword(1));
        return builder.compute(SHR, S64, builder.compute(ADD, B64, sum, more), Source.word(1));
    }

    private Source compared(BoundInstruction form, Source a, Source b) {
        String word = Objects.requireNonNull(form.word("cmp"));
        Source holds =
                builder.compute(
                        ComparisonLowering.kind(word), ComparisonLowering.working(word, S64), a, b);
        return builder.compute(SELP, B64, holds, Source.longword(1), Source.longword(0));
    }

    private Source amount(BoundInstruction form, Source b) {
        Source word = builder.compute(LOW, b);
        return form.has("clamp")
                ? builder.compute(MIN, U32, word, Source.word(32))
                : builder.compute(AND, B32, word, Source.word(31));
    }

    /// Within the numbers of so many bits.
    private Source clamped(Source value, int bits, boolean signed) {
        Source least = Source.longword(signed ? -(1L << bits - 1) : 0);
        return builder.compute(
                MIN, S64, builder.compute(MAX, S64, value, least), most(bits, signed));
    }

    private static Source most(int bits, boolean signed) {
        return Source.longword((1L << (signed ? bits - 1 : bits)) - 1);
    }

    private static Operation widen(boolean signed) {
        return Operation.from(B32, signed ? SEXT : ZEXT, B64);
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
                        BFE, signed ? S32 : U32, word, Source.word(shift), Source.word(bits));
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
