package dev.heddle.ptx.check;

import static dev.heddle.ptx.instruction.InstructionKind.CONVERT;
import static dev.heddle.ptx.instruction.InstructionKind.CONVERT_PACK;
import static dev.heddle.ptx.instruction.InstructionKind.MOVE;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.Variable;
import dev.heddle.ptx.instruction.InstructionForm.Registers;
import dev.heddle.ptx.instruction.InstructionKind;

/// Checks one register or constant against the type that is in its place.
///
/// @param operands that it is one of
/// @param registers which types of registers may stand for the type
record TypeChecker(OperandChecker operands, Registers registers) {
    /// Checks one register or constant against a type.
    void check(ScalarType type, boolean relaxed, boolean destination, Operand operand) {
        switch (operand) {
            case Operand.Register register -> register(type, relaxed, register);
            case Operand.Immediate immediate -> immediate(type, destination, immediate);
            case Operand.Negated(char operator, Operand inner, _) -> {
                if (operator == '!' && type == ScalarType.PRED && !destination) {
                    check(type, relaxed, false, inner);
                } else {
                    operands.mismatch(
                            "negated-operand",
                            operand,
                            operator,
                            operands.instruction(),
                            operator == '-' ? "neg" : "not");
                }
            }
            case Operand.SpecialRegister special -> {
                if (destination) {
                    operands.mismatch("misused-special-register.written", special);
                } else {
                    special(type, special);
                }
            }
            case Operand.Sink _ -> {}
            default -> other(destination, operand);
        }
    }

    private void immediate(ScalarType type, boolean destination, Operand.Immediate immediate) {
        if (destination) {
            operands.mismatch("wrong-operand-kind.written", immediate, operands.instruction());
        } else if (registers == Registers.EXACT && type.kind() == ScalarType.Kind.BITS
                || !Compatibility.constant(type, immediate.value())) {
            constant(type, immediate);
        }
    }

    /// What is neither register nor constant.
    private void other(boolean destination, Operand operand) {
        operands.known(operand);
        String remedy =
                operand instanceof Operand.Address
                        ? "load it into a register first"
                        : operand instanceof Operand.Symbol
                                ? "mov its address into a register, or ld what it holds"
                                : "name a register";
        operands.mismatch(
                destination ? "wrong-operand-kind.register" : "wrong-operand-kind.value",
                operand,
                remedy);
    }

    private void special(ScalarType type, Operand.SpecialRegister special) {
        InstructionKind kind = operands.kind();
        if (kind != MOVE && kind != CONVERT && kind != CONVERT_PACK) {
            operands.mismatch("misused-special-register", special, operands.instruction().opcode());
            return;
        }
        ScalarType actual = Specials.type(special);
        if (actual == null) {
            operands.mismatch("misused-special-register.component", special, special.name());
        } else if (!Specials.reads(type, special, actual, kind != MOVE)) {
            operands.mismatch(
                    "wrong-operand-type",
                    special,
                    actual,
                    operands.instruction(),
                    Compatibility.words(type, registers, false),
                    "write mov.u%1$d or mov.b%1$d".formatted(actual.bits()));
        }
    }

    private void constant(ScalarType type, Operand.Immediate immediate) {
        String remedy =
                switch (type.kind()) {
                    case FLOAT, ALTERNATE ->
                            type == ScalarType.F32 || type == ScalarType.F64
                                    ? "write it with a point, or as 0f or 0d and its bits"
                                    : "mov its bits into a register first";
                    case BITS -> "mov it into a .b" + type.bits() + " register first";
                    default -> "write an integer";
                };
        operands.mismatch("wrong-constant-type", immediate, type, operands.instruction(), remedy);
    }

    private void register(ScalarType type, boolean relaxed, Operand.Register register) {
        Variable declaration = register.declaration();
        if (declaration == null) {
            operands.known(register);
            return;
        }
        if (declaration.vector() > 1 && register.component() == null) {
            operands.mismatch("vector-as-scalar", register, declaration.vector());
            return;
        }
        if (!operands.known(register)) {
            return;
        }
        if (!Compatibility.register(type, declaration.type(), registers, relaxed)) {
            operands.mismatch(
                    "wrong-operand-type",
                    register,
                    declaration.type(),
                    operands.instruction(),
                    Compatibility.words(type, registers, relaxed),
                    remedy(type, declaration.type(), relaxed));
        }
    }

    /// How the value of a register becomes one that the instruction takes.
    private static String remedy(ScalarType wanted, ScalarType actual, boolean relaxed) {
        if (wanted == ScalarType.PRED) {
            return "use a .pred register; setp.ne makes a predicate of a number";
        }
        if (actual == ScalarType.PRED) {
            return "selp makes a number of a predicate";
        }
        if (relaxed && actual.bits() < wanted.bits()) {
            return "use a register of %d bits or more".formatted(wanted.bits());
        }
        return wanted.bits() == actual.bits()
                ? "move the bits with mov.b%1$d into a .b%1$d register, or convert the value with cvt"
                        .formatted(wanted.bits())
                : "convert it with cvt, or use a register of %d bits".formatted(wanted.bits());
    }

    /// A register that can hold an address.
    void integerRegister(Operand operand) {
        if (!operands.known(operand)) {
            return;
        }
        if (!(operand instanceof Operand.Register register)
                || register.declaration() == null
                || register.declaration().type().kind() == ScalarType.Kind.FLOAT
                || register.declaration().type().bits() < 32
                || register.declaration().type().bits() > 64) {
            operands.mismatch("wrong-operand-kind.address-register", operand);
        }
    }
}
