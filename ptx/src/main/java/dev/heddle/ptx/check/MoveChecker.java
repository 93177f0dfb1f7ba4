package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
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
            operands.mismatch(
                    Rule.WRONG_OPERAND_KIND,
                    symbol,
                    symbol.name() + " is a label; its address cannot be taken",
                    "branch to it with bra, or list it in .branchtargets");
        } else if (!integer || type.bits() < 16) {
            operands.mismatch(
                    Rule.WRONG_OPERAND_TYPE,
                    symbol,
                    "the address of " + symbol.name() + " in mov." + type.keyword(),
                    "use mov.u64 (or mov.u32 for an address of 32 bits)");
        } else if (symbol.variable() != null && symbol.variable().space() == StateSpace.REG) {
            operands.mismatch(
                    Rule.WRONG_OPERAND_KIND,
                    symbol,
                    symbol.name() + " has no address",
                    "name a variable in memory");
        }
    }

    private void packed(Operand operand, List<Operand> elements, boolean destination) {
        if (type.kind() != ScalarType.Kind.BITS) {
            operands.known(operand);
            operands.mismatch(
                    Rule.WRONG_VECTOR_SIZE,
                    operand,
                    OperandExcerpt.of(operand)
                            + " in mov."
                            + type.keyword()
                            + "; only mov.b packs and unpacks",
                    "use mov.b" + type.bits());
            return;
        }
        if (new VectorChecker(operands, operands.instruction()).mixes(operand, elements)) {
            operands.known(operand);
            return;
        }
        int bits = bits(elements, destination);
        if (bits != 0 && bits * elements.size() != type.bits()) {
            operands.mismatch(
                    Rule.WRONG_VECTOR_SIZE,
                    operand,
                    "%s holds %s bits; mov.%s moves %s"
                            .formatted(
                                    OperandExcerpt.of(operand),
                                    bits * elements.size(),
                                    type.keyword(),
                                    type.bits()),
                    "use mov.b" + bits * elements.size() + ", or other registers");
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
                operands.mismatch(
                        Rule.WRONG_OPERAND_KIND,
                        element,
                        OperandExcerpt.of(element) + " where a register must stand",
                        "name a register");
            } else if (!destination && element instanceof Operand.Sink) {
                operands.mismatch(
                        Rule.SINK_NOT_ALLOWED, element, "'_' may not be read", "name a register");
            }
        }
        return known ? bits : 0;
    }
}
