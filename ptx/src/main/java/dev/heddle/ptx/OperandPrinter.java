package dev.heddle.ptx;

import java.util.List;
import java.util.stream.Collectors;

/// Writes operands as PTX text.
final class OperandPrinter {
    private OperandPrinter() {}

    /// The operand as PTX writes it.
    static String text(Operand operand) {
        return switch (operand) {
            case Operand.Register register -> register.toString();
            case Operand.SpecialRegister register -> register.toString();
            case Operand.Immediate(Constant value, _) -> value.toString();
            case Operand.Symbol(String name, long offset, _, _) -> name + offset(offset);
            case Operand.Address address ->
                    "[" + inner(address) + (address.unified() ? "].unified" : "]");
            case Operand.Element(Operand.Symbol array, Operand.Register index, long offset, _) ->
                    "%s[%s]"
                            .formatted(
                                    array.name(), index == null ? offset : index + offset(offset));
            case Operand.AddressList(List<Operand> parts, _) -> {
                String first = "[" + inner((Operand.Address) parts.getFirst()) + ", ";
                yield list(first, parts.subList(1, parts.size()), "]");
            }
            case Operand.Vector(List<Operand> elements, _) -> list("{", elements, "}");
            case Operand.Arguments(List<Operand> arguments, _) -> list("(", arguments, ")");
            case Operand.Negated(char operator, Operand negated, _) -> operator + text(negated);
            case Operand.Pair(Operand first, Operand second, _) -> text(first) + "|" + text(second);
            case Operand.Sink _ -> "_";
        };
    }

    /// What is between the brackets, an offset of 0 only where it is written.
    private static String inner(Operand.Address address) {
        return text(address.base()) + (address.displaced() ? "+" + address.offset() : "");
    }

    /// `+8` or `+-8`; nothing for 0.
    static String offset(long offset) {
        return offset == 0 ? "" : "+" + offset;
    }

    private static String list(String open, List<Operand> elements, String close) {
        return elements.stream()
                .map(OperandPrinter::text)
                .collect(Collectors.joining(", ", open, close));
    }
}
