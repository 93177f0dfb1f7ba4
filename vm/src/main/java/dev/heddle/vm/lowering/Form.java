package dev.heddle.vm.lowering;

import dev.heddle.ptx.GenericInstruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// An instruction with its qualifiers sorted out: which types it names, which modifiers it has.
///
/// @param instruction as parsed
/// @param types named by its qualifiers, in order
record Form(GenericInstruction instruction, List<ScalarType> types) {
    private static final Map<String, String> ROUNDING_SUFFIX =
            Map.of("rn", "", "rz", "Rz", "rm", "Rm", "rp", "Rp", "rna", "Rna");

    static Form of(GenericInstruction instruction) {
        List<ScalarType> types = new ArrayList<>();
        for (String qualifier : instruction.qualifiers()) {
            ScalarType type = ScalarType.of(qualifier);
            if (type != null) {
                types.add(type);
            }
        }
        return new Form(instruction, types);
    }

    String opcode() {
        return instruction.opcode();
    }

    boolean has(String qualifier) {
        return instruction.has(qualifier);
    }

    Operand operand(int index) {
        if (index >= instruction.operands().size()) {
            throw new UnsupportedInstruction(
                    "fewer than " + (index + 1) + " operands for " + instruction.mnemonic());
        }
        return instruction.operands().get(index);
    }

    int operands() {
        return instruction.operands().size();
    }

    /// The last type: the one a single-typed instruction works in.
    ScalarType type() {
        if (types.isEmpty()) {
            throw new UnsupportedInstruction("an instruction without a type");
        }
        return types.getLast();
    }

    ScalarType type(int index) {
        if (index >= types.size()) {
            throw new UnsupportedInstruction("an instruction with too few types");
        }
        return types.get(index);
    }

    /// `Rz`, `Rm`, `Rp`, or nothing for round to nearest even.
    String rounding() {
        for (String qualifier : instruction.qualifiers()) {
            String suffix = ROUNDING_SUFFIX.get(qualifier);
            if (suffix != null) {
                return suffix;
            }
        }
        return "";
    }

    /// The first of these qualifiers that it has.
    String oneOf(String... choices) {
        for (String choice : choices) {
            if (has(choice)) {
                return choice;
            }
        }
        throw new UnsupportedInstruction(
                instruction.mnemonic() + " with none of " + List.of(choices));
    }

    UnsupportedInstruction unsupported() {
        return new UnsupportedInstruction("`" + instruction.mnemonic() + "`");
    }

    static boolean isSigned(ScalarType type) {
        return type.kind() == ScalarType.Kind.SIGNED;
    }

    /// `S32`, `U32`, `S64` or `U64`: the suffix of an integer method for this type, 16 bits
    /// working
    /// in 32.
    static String suffix(ScalarType type) {
        return (isSigned(type) ? "S" : "U") + (type.bits() == 64 ? 64 : 32);
    }
}
