package dev.heddle.vm.lowering;

import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.PRED;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.vm.ir.OperationKind.ADD;
import static dev.heddle.vm.ir.OperationKind.ADDC;
import static dev.heddle.vm.ir.OperationKind.AND;
import static dev.heddle.vm.ir.OperationKind.BFE;
import static dev.heddle.vm.ir.OperationKind.BFI;
import static dev.heddle.vm.ir.OperationKind.CARRY;
import static dev.heddle.vm.ir.OperationKind.LOP3;
import static dev.heddle.vm.ir.OperationKind.MAX;
import static dev.heddle.vm.ir.OperationKind.MUL;
import static dev.heddle.vm.ir.OperationKind.MUL24;
import static dev.heddle.vm.ir.OperationKind.NE;
import static dev.heddle.vm.ir.OperationKind.NOT;
import static dev.heddle.vm.ir.OperationKind.OR;
import static dev.heddle.vm.ir.OperationKind.PRMT;
import static dev.heddle.vm.ir.OperationKind.SHF;
import static dev.heddle.vm.ir.OperationKind.SHL;
import static dev.heddle.vm.ir.OperationKind.SHR;
import static dev.heddle.vm.ir.OperationKind.SUB;

import static java.util.Objects.requireNonNull;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Integer arithmetic, bit fields, logic and shifts: PTX ISA 9.7.1, 9.7.2, 9.7.8. Sixteen-bit types
/// are extended, worked in 32 bits, and cut again by the write.
record IntegerLowering(CodeBuilder builder) {
    /// An operand, extended to 32 bits where the type is narrower.
    private Source read(BoundInstruction form, int index) {
        return read(form, index, form.type());
    }

    private Source read(BoundInstruction form, int index, ScalarType type) {
        Source value = builder.read(form.operand(index), type);
        return type.bits() == 16 && WorkingTypes.isSigned(type)
                ? builder.narrow(value, 16, true)
                : value;
    }

    /// An instruction that is one function of its operands, whatever it computes.
    void compute(BoundInstruction form) {
        List<@Nullable ScalarType> types = form.operandTypes();
        List<ScalarType> parameters = new ArrayList<>();
        types.subList(1, types.size()).forEach(type -> parameters.add(requireNonNull(type)));
        ScalarType result = requireNonNull(types.getFirst());
        apply(
                form,
                Operation.instruction(form.canonical(), form.type(), parameters, result),
                result,
                parameters.toArray(ScalarType[]::new));
    }

    /// Writes what an operation makes of the operands behind the first.
    ///
    /// @param result as which it is written
    /// @param types as which these operands are read
    private void apply(
            BoundInstruction form, Operation operation, ScalarType result, ScalarType... types) {
        Source[] arguments = new Source[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = read(form, i + 1, types[i]);
        }
        builder.write(form.operand(0), builder.compute(operation, arguments), result);
    }

    void addOrSubtract(BoundInstruction form) {
        OperationKind kind = form.kind() == InstructionKind.INTEGER_ADD ? ADD : SUB;
        ScalarType type = form.type();
        if (form.has("sat")) {
            Operation operation = Operation.of(kind, S32, Modifier.SAT);
            apply(form, operation, type, type, type);
        } else if (type == ScalarType.U16X2 || type == ScalarType.S16X2) {
            packed(form, Operation.of(kind, B32));
        } else {
            apply(form, Operation.of(kind, WorkingTypes.bits(type)), type, type, type);
        }
    }

    /// `add.u16x2`, `min.s16x2` and kin.
    private void packed(BoundInstruction form, Operation operation) {
        boolean signed = form.type() == ScalarType.S16X2;
        Source a = read(form, 1);
        Source b = read(form, 2);
        Source low =
                builder.compute(
                        operation, builder.narrow(a, 16, signed), builder.narrow(b, 16, signed));
        Source highA = builder.highHalf(a);
        Source highB = builder.highHalf(b);
        if (signed) {
            highA = builder.narrow(highA, 16, true);
            highB = builder.narrow(highB, 16, true);
        }
        Source high = builder.compute(operation, highA, highB);
        builder.write(
                form.operand(0),
                builder.pairHalves(rectified(form, low), rectified(form, high)),
                form.type());
    }

    private Source rectified(BoundInstruction form, Source half) {
        return form.has("relu") ? builder.compute(MAX, S32, half, Source.word(0)) : half;
    }

    /// `add.cc addc sub.cc subc`: the flag is written before the target, which may be an operand.
    ///
    /// What is subtracted is added as its complement, and the flag is the carry of that sum: clear
    /// where there was a borrow. So an H100 has it, where `addc` follows on `sub.cc`; the manual
    /// does not say what a borrow is as `CC.CF`.
    void extended(BoundInstruction form) {
        ScalarType type = WorkingTypes.bits(form.type());
        Source a = read(form, 1);
        Source b = read(form, 2);
        Source carry =
                switch (form.kind()) {
                    case ADD_WITH_CARRY, SUBTRACT_WITH_BORROW -> builder.registers().carryFlag();
                    case EXTENDED_SUBTRACT -> Source.word(1);
                    default -> Source.word(0);
                };
        switch (form.kind()) {
            case EXTENDED_SUBTRACT, SUBTRACT_WITH_BORROW -> b = builder.compute(NOT, type, b);
            default -> {}
        }
        builder.write(form.operand(0), sum(form, type, a, b, carry), form.type());
    }

    /// A sum with a carry, which leaves another one where the instruction says `.cc`.
    private Source sum(BoundInstruction form, ScalarType type, Source a, Source b, Source carry) {
        Source result = builder.compute(ADDC, type, a, b, carry);
        if (form.has("cc")) {
            builder.assign(builder.registers().carryFlag(), Operation.of(CARRY, type), a, b, carry);
        }
        return result;
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
            case U16 -> U32;
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
            Modifier half = form.has("hi") ? Modifier.HI : Modifier.LO;
            return builder.compute(Operation.of(MUL24, WorkingTypes.integer(type), half), a, b);
        }
        if (form.has("hi")) {
            ScalarType working = type.bits() == 16 ? type : WorkingTypes.integer(type);
            return builder.compute(Operation.of(MUL, working, Modifier.HI), a, b);
        }
        if (form.has("wide") && type.bits() == 32) {
            return builder.compute(
                    Operation.of(MUL, WorkingTypes.integer(type), Modifier.WIDE), a, b);
        }
        return builder.compute(MUL, WorkingTypes.bits(type), a, b);
    }

    /// `mad mad24 madc`, with `.cc` and `.hi.sat`.
    void multiplyAdd(BoundInstruction form) {
        ScalarType type = form.has("wide") ? widened(form.type()) : form.type();
        Source product = product(form, form.kind() == InstructionKind.MULTIPLY_ADD_24);
        Source addend = read(form, 3, type);
        ScalarType width = WorkingTypes.bits(type);
        if (form.kind() == InstructionKind.EXTENDED_MULTIPLY_ADD
                || form.kind() == InstructionKind.MULTIPLY_ADD_WITH_CARRY) {
            Source carry =
                    form.kind() == InstructionKind.MULTIPLY_ADD_WITH_CARRY
                            ? builder.registers().carryFlag()
                            : Source.word(0);
            Source sum = sum(form, width, product, addend, carry);
            builder.write(form.operand(0), sum, type);
        } else if (form.has("sat")) {
            builder.write(
                    form.operand(0),
                    builder.compute(Operation.of(ADD, S32, Modifier.SAT), product, addend),
                    type);
        } else {
            builder.write(form.operand(0), builder.compute(ADD, width, product, addend), type);
        }
    }

    /// Division, remainder, minimum and maximum: methods by signedness.
    void signedBinary(BoundInstruction form, OperationKind kind) {
        ScalarType type = form.type();
        if (type == ScalarType.U16X2 || type == ScalarType.S16X2) {
            packed(form, Operation.of(kind, WorkingTypes.integer(type)));
            return;
        }
        Source result =
                builder.compute(kind, WorkingTypes.integer(type), read(form, 1), read(form, 2));
        if (form.has("relu")) {
            result = builder.compute(MAX, WorkingTypes.integer(type), result, zero(type));
        }
        builder.write(form.operand(0), result, type);
    }

    private static Source zero(ScalarType type) {
        return type.bits() == 64 ? Source.longword(0) : Source.word(0);
    }

    /// `abs neg not brev`: without signs.
    void unary(BoundInstruction form, OperationKind kind) {
        apply(form, Operation.of(kind, bitsOrPredicate(form)), form.type(), form.type());
    }

    /// `and or xor`, on predicates too.
    void logic(BoundInstruction form, OperationKind kind) {
        ScalarType type = form.type();
        apply(form, Operation.of(kind, bitsOrPredicate(form)), type, type, type);
    }

    private static ScalarType bitsOrPredicate(BoundInstruction form) {
        return form.type() == PRED ? PRED : WorkingTypes.bits(form.type());
    }

    void shift(BoundInstruction form) {
        ScalarType type = form.type();
        Operation operation =
                form.kind() == InstructionKind.SHIFT_LEFT
                        ? Operation.of(SHL, WorkingTypes.bits(type))
                        : Operation.of(SHR, WorkingTypes.integer(type));
        apply(form, operation, type, type, U32);
    }

    void funnelShift(BoundInstruction form) {
        Modifier direction = form.has("l") ? Modifier.LEFT : Modifier.RIGHT;
        Modifier amount = form.has("wrap") ? Modifier.WRAP : Modifier.CLAMP;
        apply(form, Operation.of(SHF, B32, direction, amount), B32, B32, B32, B32);
    }

    /// `popc clz`: the result is 32 bits wide whatever the operand.
    void count(BoundInstruction form, OperationKind kind) {
        apply(form, Operation.of(kind, WorkingTypes.bits(form.type())), U32, form.type());
    }

    void extract(BoundInstruction form) {
        ScalarType type = form.type();
        apply(form, Operation.of(BFE, WorkingTypes.integer(type)), type, type, U32, U32);
    }

    void insert(BoundInstruction form) {
        ScalarType type = form.type();
        apply(form, Operation.of(BFI, WorkingTypes.bits(type)), type, type, type, U32, U32);
    }

    /// `lop3`, with a predicate result where a Boolean operator is named.
    void lookup(BoundInstruction form) {
        Operand target = form.operand(0);
        if (!(target instanceof Operand.Pair(Operand word, Operand predicate, _))) {
            apply(form, Operation.of(LOP3, B32), B32, B32, B32, B32, B32);
            return;
        }
        Source result =
                builder.compute(
                        LOP3,
                        B32,
                        read(form, 1, B32),
                        read(form, 2, B32),
                        read(form, 3, B32),
                        read(form, 4, B32));
        Source condition =
                builder.compute(
                        form.has("and") ? AND : OR,
                        PRED,
                        builder.compute(NE, B32, result, Source.word(0)),
                        builder.read(form.operand(5), ScalarType.PRED));
        builder.write(word, result, B32);
        builder.write(predicate, condition, ScalarType.PRED);
    }

    void permute(BoundInstruction form) {
        String mode = form.word("mode");
        Operation operation = Operation.of(PRMT, B32);
        for (Modifier modifier : Modifier.values()) {
            if (modifier.word().equals(mode)) {
                operation = Operation.of(PRMT, B32, modifier);
            }
        }
        apply(form, operation, B32, B32, B32, B32);
    }
}
