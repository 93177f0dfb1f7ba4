package dev.heddle.vm.lowering;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Source;

/// Integer arithmetic, bit fields, logic and shifts: PTX ISA 9.7.1, 9.7.2, 9.7.8. Sixteen-bit types
/// are extended, worked in 32 bits, and cut again by the write.
final class IntegerLowering {
    private final CodeBuilder builder;

    IntegerLowering(CodeBuilder builder) {
        this.builder = builder;
    }

    /// An operand, extended to 32 bits where the type is narrower.
    private Source read(BoundInstruction form, int index) {
        return read(form, index, form.type());
    }

    private Source read(BoundInstruction form, int index, ScalarType type) {
        Source value = builder.read(form.operand(index), type);
        return type.bits() == 16 && MethodNames.isSigned(type)
                ? builder.compute("signExtend16", value)
                : value;
    }

    private static String bits(ScalarType type) {
        return type.bits() == 64 ? "64" : "32";
    }

    void addOrSubtract(BoundInstruction form) {
        boolean add = form.kind() == InstructionKind.INTEGER_ADD;
        ScalarType type = form.type();
        if (form.has("sat")) {
            String method = add ? "addSaturatingS32" : "subtractSaturatingS32";
            builder.write(
                    form.operand(0), builder.compute(method, read(form, 1), read(form, 2)), type);
        } else if (type == ScalarType.U16X2 || type == ScalarType.S16X2) {
            packed(form, add ? "add32" : "subtract32");
        } else {
            binary(form, (add ? "add" : "subtract") + bits(type));
        }
    }

    /// `add.u16x2`, `min.s16x2` and kin.
    private void packed(BoundInstruction form, String method) {
        boolean signed = form.type() == ScalarType.S16X2;
        Source a = read(form, 1);
        Source b = read(form, 2);
        String low = signed ? "signExtend16" : "zeroExtend16";
        Source lowResult =
                rectified(
                        form,
                        builder.compute(method, builder.compute(low, a), builder.compute(low, b)));
        Source highA = builder.compute("highHalf", a);
        Source highB = builder.compute("highHalf", b);
        if (signed) {
            highA = builder.compute("signExtend16", highA);
            highB = builder.compute("signExtend16", highB);
        }
        Source highResult = rectified(form, builder.compute(method, highA, highB));
        builder.write(
                form.operand(0), builder.compute("pairHalves", lowResult, highResult), form.type());
    }

    private Source rectified(BoundInstruction form, Source half) {
        return form.has("relu") ? builder.compute("maximumS32", half, Source.word(0)) : half;
    }

    /// `add.cc addc sub.cc subc`: the flag is written before the target, which may be an operand.
    void extended(BoundInstruction form) {
        boolean add = form.kind() == InstructionKind.EXTENDED_ADD;
        String width = bits(form.type());
        Source a = read(form, 1);
        Source b = read(form, 2);
        boolean takesCarry = form.opcode().equals("addc") || form.opcode().equals("subc");
        Source carry = takesCarry ? builder.carryFlag() : Source.word(0);
        Source result =
                builder.compute((add ? "addWithCarry" : "subtractWithBorrow") + width, a, b, carry);
        if (form.has("cc")) {
            builder.assign(
                    builder.carryFlag(),
                    (add ? "carryOfAdd" : "borrowOfSubtract") + width,
                    a,
                    b,
                    carry);
        }
        builder.write(form.operand(0), result, form.type());
    }

    void multiply(BoundInstruction form) {
        writeProduct(form, product(form, form.kind() == InstructionKind.MULTIPLY_24));
    }

    private void writeProduct(BoundInstruction form, Source value) {
        builder.write(
                form.operand(0), value, form.has("wide") ? widened(form.type()) : form.type());
    }

    private static ScalarType widened(ScalarType type) {
        return switch (type) {
            case S16 -> ScalarType.S32;
            case U16 -> ScalarType.U32;
            case S32 -> ScalarType.S64;
            case U32 -> ScalarType.U64;
            default -> throw new UnsupportedInstruction(".wide of ." + type.keyword());
        };
    }

    private Source product(BoundInstruction form, boolean of24Bits) {
        ScalarType type = form.type();
        Source a = read(form, 1);
        Source b = read(form, 2);
        if (of24Bits) {
            return builder.compute(
                    "multiply24" + (form.has("hi") ? "High" : "Low") + MethodNames.suffix(type),
                    a,
                    b);
        }
        if (form.has("hi")) {
            String suffix =
                    type.bits() == 16
                            ? (MethodNames.isSigned(type) ? "S16" : "U16")
                            : MethodNames.suffix(type);
            return builder.compute("multiplyHigh" + suffix, a, b);
        }
        if (form.has("wide") && type.bits() == 32) {
            return builder.compute("multiplyWide" + MethodNames.suffix(type), a, b);
        }
        return builder.compute("multiply" + bits(type), a, b);
    }

    /// `mad mad24 madc`, with `.cc` and `.hi.sat`.
    void multiplyAdd(BoundInstruction form) {
        ScalarType type = form.has("wide") ? widened(form.type()) : form.type();
        Source product = product(form, form.kind() == InstructionKind.MULTIPLY_ADD_24);
        Source addend = read(form, 3, type);
        String width = bits(type);
        if (form.kind() == InstructionKind.EXTENDED_MULTIPLY_ADD) {
            Source carry = form.opcode().equals("madc") ? builder.carryFlag() : Source.word(0);
            Source sum = builder.compute("addWithCarry" + width, product, addend, carry);
            if (form.has("cc")) {
                builder.assign(builder.carryFlag(), "carryOfAdd" + width, product, addend, carry);
            }
            builder.write(form.operand(0), sum, type);
        } else if (form.has("sat")) {
            builder.write(
                    form.operand(0), builder.compute("addSaturatingS32", product, addend), type);
        } else {
            builder.write(form.operand(0), builder.compute("add" + width, product, addend), type);
        }
    }

    void sumOfDifference(BoundInstruction form) {
        builder.write(
                form.operand(0),
                builder.compute(
                        "sumOfDifference" + MethodNames.suffix(form.type()),
                        read(form, 1),
                        read(form, 2),
                        read(form, 3)),
                form.type());
    }

    /// Division, remainder, minimum and maximum: methods by signedness.
    void signedBinary(BoundInstruction form, String method) {
        ScalarType type = form.type();
        if (type == ScalarType.U16X2 || type == ScalarType.S16X2) {
            packed(form, method + MethodNames.suffix(type));
            return;
        }
        Source result =
                builder.compute(method + MethodNames.suffix(type), read(form, 1), read(form, 2));
        if (form.has("relu")) {
            result = builder.compute("maximum" + MethodNames.suffix(type), result, zero(type));
        }
        builder.write(form.operand(0), result, type);
    }

    private static Source zero(ScalarType type) {
        return type.bits() == 64 ? Source.longword(0) : Source.word(0);
    }

    private void binary(BoundInstruction form, String method) {
        builder.write(
                form.operand(0),
                builder.compute(method, read(form, 1), read(form, 2)),
                form.type());
    }

    /// `abs neg not cnot brev`: methods by width.
    void unary(BoundInstruction form, String method) {
        ScalarType type = form.type();
        if (type == ScalarType.PRED) {
            builder.write(
                    form.operand(0),
                    builder.compute("notPredicate", builder.read(form.operand(1), type)),
                    type);
            return;
        }
        builder.write(form.operand(0), builder.compute(method + bits(type), read(form, 1)), type);
    }

    /// `and or xor`, on predicates too.
    void logic(BoundInstruction form) {
        ScalarType type = form.type();
        String method = form.opcode() + (type == ScalarType.PRED ? "Predicate" : bits(type));
        builder.write(
                form.operand(0),
                builder.compute(
                        method,
                        builder.read(form.operand(1), type),
                        builder.read(form.operand(2), type)),
                type);
    }

    void shift(BoundInstruction form) {
        ScalarType type = form.type();
        String method =
                form.kind() == InstructionKind.SHIFT_LEFT
                        ? "shiftLeft" + bits(type)
                        : "shiftRight" + MethodNames.suffix(type);
        builder.write(
                form.operand(0),
                builder.compute(
                        method, read(form, 1), builder.read(form.operand(2), ScalarType.U32)),
                type);
    }

    void funnelShift(BoundInstruction form) {
        String method =
                "funnel"
                        + (form.has("l") ? "Left" : "Right")
                        + (form.has("wrap") ? "Wrap" : "Clamp");
        ternary(form, method, ScalarType.B32);
    }

    /// Three operands of one type.
    void ternary(BoundInstruction form, String method, ScalarType type) {
        builder.write(
                form.operand(0),
                builder.compute(
                        method,
                        builder.read(form.operand(1), type),
                        builder.read(form.operand(2), type),
                        builder.read(form.operand(3), type)),
                type);
    }

    /// `popc clz`: the result is 32 bits wide whatever the operand.
    void count(BoundInstruction form, String method) {
        builder.write(
                form.operand(0),
                builder.compute(method + bits(form.type()), read(form, 1)),
                ScalarType.U32);
    }

    void find(BoundInstruction form) {
        String method = form.has("shiftamt") ? "findShift" : "find";
        builder.write(
                form.operand(0),
                builder.compute(method + MethodNames.suffix(form.type()), read(form, 1)),
                ScalarType.U32);
    }

    void extract(BoundInstruction form) {
        builder.write(
                form.operand(0),
                builder.compute(
                        "extract" + MethodNames.suffix(form.type()),
                        read(form, 1),
                        builder.read(form.operand(2), ScalarType.U32),
                        builder.read(form.operand(3), ScalarType.U32)),
                form.type());
    }

    void insert(BoundInstruction form) {
        builder.write(
                form.operand(0),
                builder.compute(
                        "insert" + bits(form.type()),
                        read(form, 1),
                        read(form, 2),
                        builder.read(form.operand(3), ScalarType.U32),
                        builder.read(form.operand(4), ScalarType.U32)),
                form.type());
    }

    void extend(BoundInstruction form) {
        binary(form, "extend" + mode(form) + MethodNames.suffix(form.type()));
    }

    void mask(BoundInstruction form) {
        binary(form, "mask" + mode(form));
    }

    private static String mode(BoundInstruction form) {
        return form.has("clamp") ? "Clamp" : "Wrap";
    }

    /// `dp4a dp2a`.
    void dotProduct(BoundInstruction form) {
        ScalarType a = form.type(0);
        ScalarType b = form.type(1);
        Source second = builder.read(form.operand(2), b);
        if (form.opcode().equals("dp2a") && form.has("hi")) {
            second = builder.compute("highHalf", second);
        }
        String method =
                (form.opcode().equals("dp4a") ? "dotBytes" : "dotHalves")
                        + (MethodNames.isSigned(a) ? "S" : "U")
                        + (MethodNames.isSigned(b) ? "S" : "U");
        builder.write(
                form.operand(0),
                builder.compute(
                        method,
                        builder.read(form.operand(1), a),
                        second,
                        builder.read(form.operand(3), ScalarType.B32)),
                ScalarType.B32);
    }

    /// `lop3`, with a predicate result where a Boolean operator is named.
    void lookup(BoundInstruction form) {
        Operand target = form.operand(0);
        Source result =
                builder.compute(
                        "lookup3",
                        builder.read(form.operand(1), ScalarType.B32),
                        builder.read(form.operand(2), ScalarType.B32),
                        builder.read(form.operand(3), ScalarType.B32),
                        builder.read(form.operand(4), ScalarType.B32));
        if (!(target instanceof Operand.Pair(Operand word, Operand predicate, _))) {
            builder.write(target, result, ScalarType.B32);
            return;
        }
        Source condition =
                builder.compute(
                        form.has("and") ? "andPredicate" : "orPredicate",
                        builder.compute("notEqual32", result, Source.word(0)),
                        builder.read(form.operand(5), ScalarType.PRED));
        builder.write(word, result, ScalarType.B32);
        builder.write(predicate, condition, ScalarType.PRED);
    }

    void permute(BoundInstruction form) {
        String mode = form.word("mode");
        String method =
                mode == null
                        ? "permute"
                        : switch (mode) {
                            case "f4e" -> "permuteForward";
                            case "b4e" -> "permuteBackward";
                            case "rc8" -> "permuteReplicate8";
                            case "ecl" -> "permuteClampLeft";
                            case "ecr" -> "permuteClampRight";
                            case "rc16" -> "permuteReplicate16";
                            default -> throw new UnsupportedInstruction(form);
                        };
        ternary(form, method, ScalarType.B32);
    }
}
