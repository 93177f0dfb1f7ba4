package dev.heddle.ptx.check;

import dev.heddle.ptx.Constant;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.ScalarType.Kind;
import dev.heddle.ptx.instruction.InstructionForm.Registers;

/// Which register and constant types an instruction type takes (PTX ISA 6.1, 9.4, 9.4.1), as the
/// assembler applies it.
final class Compatibility {

    private Compatibility() {}

    /// Whether a register of this type may appear where the instruction has that one.
    ///
    /// @param registers which types may stand for the instruction's
    /// @param relaxed whether the register may be wider (ld, st, cvt)
    static boolean register(
            ScalarType instruction, ScalarType register, Registers registers, boolean relaxed) {
        boolean pair = register == ScalarType.F16X2 && instruction != ScalarType.F16X2;
        return switch (registers) {
            case FAMILY -> !pair && register(instruction, register, relaxed);
            case FAMILY_OR_PAIR -> register(instruction, register, relaxed);
            case SAME_SIZE ->
                    instruction.kind() == Kind.ALTERNATE
                            ? register != ScalarType.PRED && register.bits() == instruction.bits()
                            : register(instruction, register, relaxed);
            case EXACT ->
                    register == instruction
                            || (register.kind() == Kind.BITS
                                    && register.bits() == instruction.bits());
        };
    }

    /// The same for a type of which every register of its family may appear.
    static boolean register(ScalarType instruction, ScalarType register, boolean relaxed) {
        if (instruction == ScalarType.PRED || register == ScalarType.PRED) {
            return instruction == register;
        }
        if (register.kind() == Kind.OPAQUE) {
            return false;
        }
        boolean size =
                relaxed
                        ? register.bits() >= instruction.bits()
                        : register.bits() == instruction.bits();
        boolean bits = register.kind() == Kind.BITS && size;
        return switch (instruction) {
            case F32X2 -> bits;
            case F16X2, U16X2, S16X2 -> bits || register == ScalarType.F16X2;
            default ->
                    switch (instruction.kind()) {
                        case BITS -> size;
                        case SIGNED, UNSIGNED ->
                                bits
                                        || (size && register.isInteger())
                                        || (size && register == ScalarType.F16X2);
                        case FLOAT -> bits || register == instruction;
                        case ALTERNATE, PREDICATE, OPAQUE -> bits;
                    };
        };
    }

    /// Whether a constant may appear where the instruction has this type.
    static boolean constant(ScalarType instruction, Constant value) {
        return switch (instruction.kind()) {
            case SIGNED, UNSIGNED ->
                    value instanceof Constant.IntegerConstant
                            && instruction != ScalarType.U16X2
                            && instruction != ScalarType.S16X2;
            case BITS ->
                    value instanceof Constant.IntegerConstant
                            || value instanceof Constant.SingleConstant;
            case PREDICATE -> value instanceof Constant.IntegerConstant;
            case FLOAT ->
                    (instruction == ScalarType.F32 || instruction == ScalarType.F64)
                            && !(value instanceof Constant.IntegerConstant);
            case ALTERNATE, OPAQUE -> false;
        };
    }

    /// The register types that fit, in words.
    static String words(ScalarType instruction, Registers registers, boolean relaxed) {
        if (registers == Registers.EXACT && instruction.kind() == Kind.BITS) {
            return "." + instruction.keyword();
        }
        if (registers == Registers.SAME_SIZE && instruction.kind() == Kind.ALTERNATE) {
            return "any type of " + instruction.bits() + " bits";
        }
        String wider = relaxed ? " or wider" : "";
        return switch (instruction) {
            case PRED -> ".pred";
            case F32X2 -> ".b64";
            case F16X2, U16X2, S16X2 -> ".f16x2 or .b32";
            default ->
                    switch (instruction.kind()) {
                        case BITS -> "any type of " + instruction.bits() + " bits" + wider;
                        case SIGNED, UNSIGNED ->
                                ".s%1$d, .u%1$d or .b%1$d".formatted(instruction.bits()) + wider;
                        case FLOAT ->
                                "." + instruction.keyword() + " or .b" + instruction.bits() + wider;
                        case ALTERNATE, OPAQUE, PREDICATE -> ".b" + instruction.bits() + wider;
                    };
        };
    }
}
