package dev.heddle.ptx.check;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.instruction.FormMatch;

import java.util.List;

/// Checks what only `mov` does: addresses of variables and functions, packing and unpacking (PTX
/// ISA 9.7.9.3, 9.7.9.4).
final class MoveChecker {

    private final OperandChecker operands;
    private final ScalarType type;

    MoveChecker(OperandChecker operands, FormMatch binding) {
        this.operands = operands;
        ScalarType last = binding.lastType();
        this.type = last == null ? ScalarType.B32 : last;
    }

    void source(Operand operand) {
        switch (operand) {
            case Operand.Symbol symbol -> symbol(symbol);
            case Operand.Element element -> operands.known(element);
            case Operand.Vector(List<Operand> elements, _) -> packed(operand, elements, false);
            case Operand.Register register when register.isWhole() ->
                    packed(register, register.components(), false);
            default -> operands.typed(type, false, false, operand);
        }
    }

    void destination(Operand operand) {
        if (operand instanceof Operand.Vector(List<Operand> elements, _)) {
            packed(operand, elements, true);
        } else if (operand instanceof Operand.Register register) {
            packed(register, register.components(), false);
        }
    }

    private void symbol(Operand.Symbol symbol) {
        if (!operands.known(symbol)) {
            return;
        }
        boolean label = symbol.variable() == null && !operands.names().isFunction(symbol.name());
        boolean integer = type.kind() == ScalarType.Kind.BITS || type.isInteger();
        if (label) {
            operands.mismatch("wrong-operand-kind.label", symbol, symbol.name());
        } else if (!integer || type.bits() < 16) {
            operands.mismatch("wrong-operand-type.address", symbol, symbol.name(), type);
        } else if (symbol.variable() != null && symbol.variable().space() == StateSpace.REG) {
            operands.mismatch("wrong-operand-kind.no-address", symbol, symbol.name());
        }
    }

    private void packed(Operand operand, List<Operand> elements, boolean destination) {
        if (type.kind() != ScalarType.Kind.BITS) {
            operands.known(operand);
            operands.mismatch("wrong-vector-size.typed", operand, type, type.bits());
            return;
        }
        if (new VectorChecker(operands, operands.instruction()).mixes(operand, elements)) {
            operands.known(operand);
            return;
        }
        int bits = bits(elements, destination);
        if (bits != 0 && bits * elements.size() != type.bits()) {
            operands.mismatch(
                    "wrong-vector-size.packed", operand, bits * elements.size(), type, type.bits());
        }
    }

    /// Of each element, or 0 where not all are known.
    private int bits(List<Operand> elements, boolean destination) {
        int bits = 0;
        boolean known = true;
        for (Operand element : elements) {
            known &= operands.known(element);
            if (element instanceof Operand.Register register && register.declaration() != null) {
                bits = register.declaration().type().bits();
            } else if (destination && !(element instanceof Operand.Sink)) {
                operands.mismatch("wrong-operand-kind.register", element, "name a register");
            } else if (!destination && element instanceof Operand.Sink) {
                operands.mismatch("sink-not-allowed.source", element);
            }
        }
        return known ? bits : 0;
    }
}
