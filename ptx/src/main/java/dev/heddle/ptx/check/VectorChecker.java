package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;

import java.util.List;

/// Checks an operand that holds several values: a brace list or a vector variable (PTX ISA 6.4.3).
final class VectorChecker {

    private final OperandChecker operands;
    private final Instruction instruction;

    VectorChecker(OperandChecker operands, Instruction instruction) {
        this.operands = operands;
        this.instruction = instruction;
    }

    /// @param width how many values the instruction moves
    /// @param braces whether even one value needs braces
    void check(
            ScalarType type,
            boolean relaxed,
            int width,
            boolean braces,
            boolean destination,
            Operand operand) {
        if (operand instanceof Operand.Vector(List<Operand> elements, _)) {
            if (elements.size() != width || (width == 1 && !braces)) {
                operands.known(operand);
                operands.mismatch(
                        Rule.WRONG_VECTOR_SIZE,
                        operand,
                        OperandExcerpt.of(operand)
                                + " has "
                                + elements.size()
                                + (elements.size() == 1 ? " element; " : " elements; ")
                                + instruction.mnemonic()
                                + " moves "
                                + width,
                        remedy(width, elements.size()));
                return;
            }
            elements(type, relaxed, destination, operand, elements);
            return;
        }
        if (operand instanceof Operand.Register register
                && register.declaration() != null
                && register.declaration().vector() == width
                && !braces) {
            operands.typed(
                    type,
                    relaxed,
                    destination,
                    new Operand.Register(
                            register.name(), "x", register.declaration(), register.position()));
            return;
        }
        if (operand instanceof Operand.Sink) {
            return;
        }
        if (operands.known(operand)) {
            operands.mismatch(
                    Rule.WRONG_VECTOR_SIZE,
                    operand,
                    OperandExcerpt.of(operand)
                            + " is one value; "
                            + instruction.mnemonic()
                            + " moves "
                            + width,
                    "write {"
                            + OperandExcerpt.of(operand)
                            + (width == 1 ? "}" : ", ...} with " + width + " elements"));
        }
    }

    private String remedy(int width, int found) {
        boolean vectors = instruction.has("v2") || instruction.has("v4") || instruction.has("v8");
        boolean counts = instruction.has("x1") || instruction.has("x2") || instruction.has("x4");
        if (width == 1 && !counts && (found == 2 || found == 4)) {
            return "add .v" + found + ", or write one register";
        }
        String registers = "write " + width + (width == 1 ? " register" : " registers");
        return (vectors || counts) && (found == 2 || found == 4)
                ? registers + ", or " + (vectors ? ".v" : ".x") + found
                : registers;
    }

    private void elements(
            ScalarType type,
            boolean relaxed,
            boolean destination,
            Operand vector,
            List<Operand> elements) {
        int bits = 0;
        boolean untyped = false;
        boolean mixed = false;
        ScalarType first = null;
        for (Operand element : elements) {
            if (element instanceof Operand.Register register && register.declaration() != null) {
                ScalarType actual = register.declaration().type();
                mixed |= bits != 0 && bits != actual.bits();
                bits = actual.bits();
                untyped |= actual.kind() == ScalarType.Kind.BITS;
                first = actual;
            }
            if (element instanceof Operand.Sink && !destination) {
                operands.mismatch(
                        Rule.SINK_NOT_ALLOWED, element, "'_' may not be read", "name a register");
            }
        }
        if (mixed) {
            operands.known(vector);
            operands.mismatch(
                    Rule.MIXED_VECTOR_ELEMENTS,
                    vector,
                    OperandExcerpt.of(vector) + " mixes registers of different sizes",
                    "all elements of a vector have one size");
            return;
        }
        boolean anyBits =
                untyped
                        && operands.mixesTypes()
                        && first != null
                        && Compatibility.register(type, bitsOf(bits), relaxed);
        for (Operand element : elements) {
            if (anyBits && element instanceof Operand.Register) {
                operands.known(element);
            } else if (!(element instanceof Operand.Sink)) {
                operands.typed(type, relaxed, destination, element);
            }
        }
    }

    /// The untyped type of this size.
    private static ScalarType bitsOf(int bits) {
        return switch (bits) {
            case 8 -> ScalarType.B8;
            case 16 -> ScalarType.B16;
            case 64 -> ScalarType.B64;
            case 128 -> ScalarType.B128;
            case 1 -> ScalarType.PRED;
            default -> ScalarType.B32;
        };
    }
}
