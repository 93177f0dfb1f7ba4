package dev.heddle.ptx.check;

import dev.heddle.formats.Counted;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Checks an operand that holds several values: a brace list or a vector variable (PTX ISA 6.4.3).
record VectorChecker(OperandChecker operands, Instruction instruction) {
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
                wrongSize(operand, elements.size(), width);
            } else {
                elements(type, relaxed, destination, operand, elements);
            }
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
        if (!(operand instanceof Operand.Sink)) {
            oneValue(operand, width);
        }
    }

    private void wrongSize(Operand vector, int found, int width) {
        operands.known(vector);
        operands.mismatch(
                "wrong-vector-size",
                vector,
                Counted.of(found, "element"),
                instruction,
                width,
                remedy(width, found));
    }

    private void oneValue(Operand operand, int width) {
        if (operands.known(operand)) {
            operands.mismatch(
                    "wrong-vector-size.one",
                    operand,
                    instruction,
                    width,
                    width == 1 ? "}" : ", ...} with " + width + " elements");
        }
    }

    private String remedy(int width, int found) {
        boolean vectors = instruction.has("v2") || instruction.has("v4") || instruction.has("v8");
        boolean counts = instruction.has("x1") || instruction.has("x2") || instruction.has("x4");
        if (width == 1 && !counts && (found == 2 || found == 4)) {
            return "add .v" + found + ", or write one register";
        }
        String registers = "write " + Counted.of(width, "register");
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
        ScalarType bits = null;
        for (Operand element : elements) {
            ScalarType actual = declared(element);
            if (actual != null && actual.kind() == ScalarType.Kind.BITS) {
                bits = actual;
            }
            if (element instanceof Operand.Sink && !destination) {
                operands.mismatch("sink-not-allowed.source", element);
            }
        }
        if (mixes(vector, elements)) {
            operands.known(vector);
            return;
        }
        boolean anyBits =
                bits != null
                        && operands.mixesTypes()
                        && Compatibility.register(type, bits, relaxed);
        for (Operand element : elements) {
            if (anyBits && element instanceof Operand.Register) {
                operands.known(element);
            } else if (!(element instanceof Operand.Sink)) {
                operands.typed(type, relaxed, destination, element);
            }
        }
    }

    /// Reports registers that no vector has side by side. Neighbours agree where their types are
    /// the same, both are integers, or one is untyped: the assembler compares no others.
    boolean mixes(Operand vector, List<Operand> elements) {
        ScalarType before = null;
        for (Operand element : elements) {
            ScalarType type = declared(element);
            if (type == null) {
                continue;
            }
            if (before != null && before.bits() != type.bits()) {
                operands.mismatch("mixed-vector-elements", vector);
                return true;
            }
            if (before != null && !agree(before, type)) {
                operands.mismatch(
                        "mixed-vector-elements.types", element, type, before, type.bits());
                return true;
            }
            before = type;
        }
        return false;
    }

    private static boolean agree(ScalarType one, ScalarType other) {
        return one == other
                || one.kind() == ScalarType.Kind.BITS
                || other.kind() == ScalarType.Kind.BITS
                || one.isInteger() && other.isInteger();
    }

    private static @Nullable ScalarType declared(Operand element) {
        return element instanceof Operand.Register register && register.declaration() != null
                ? register.declaration().type()
                : null;
    }
}
