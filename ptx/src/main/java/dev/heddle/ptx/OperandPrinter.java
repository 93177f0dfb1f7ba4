package dev.heddle.ptx;

import java.util.List;

/// Writes operands as PTX text.
record OperandPrinter(StringBuilder out) {
    /// The operand as PTX writes it.
    static String text(Operand operand) {
        StringBuilder out = new StringBuilder();
        new OperandPrinter(out).operand(operand);
        return out.toString();
    }

    void operand(Operand operand) {
        switch (operand) {
            case Operand.Register register -> out.append(register);
            case Operand.SpecialRegister register -> out.append(register);
            case Operand.Immediate(Constant value, _) -> out.append(value);
            case Operand.Symbol(String name, long offset, _, _) -> {
                out.append(name);
                offset(offset);
            }
            case Operand.Address address -> {
                out.append('[');
                inner(address);
                out.append(address.unified() ? "].unified" : "]");
            }
            case Operand.Element(Operand.Symbol array, Operand.Register index, long offset, _) -> {
                out.append(array.name()).append('[');
                if (index == null) {
                    out.append(offset);
                } else {
                    out.append(index);
                    offset(offset);
                }
                out.append(']');
            }
            case Operand.AddressList(List<Operand> parts, _) -> {
                out.append('[');
                inner((Operand.Address) parts.getFirst());
                for (Operand part : parts.subList(1, parts.size())) {
                    out.append(", ");
                    operand(part);
                }
                out.append(']');
            }
            case Operand.Vector(List<Operand> elements, _) -> list('{', elements, '}');
            case Operand.Arguments(List<Operand> arguments, _) -> list('(', arguments, ')');
            case Operand.Negated(char operator, Operand negated, _) -> {
                out.append(operator);
                operand(negated);
            }
            case Operand.Pair(Operand first, Operand second, _) -> {
                operand(first);
                out.append('|');
                operand(second);
            }
            case Operand.Sink _ -> out.append('_');
        }
    }

    /// What is between the brackets, an offset of 0 only where it is written.
    private void inner(Operand.Address address) {
        operand(address.base());
        if (address.displaced()) {
            out.append('+').append(address.offset());
        }
    }

    /// `+8` or `+-8`; nothing for 0.
    void offset(long offset) {
        if (offset != 0) {
            out.append('+').append(offset);
        }
    }

    private void list(char open, List<Operand> elements, char close) {
        out.append(open);
        for (int i = 0; i < elements.size(); i++) {
            if (i > 0) {
                out.append(", ");
            }
            operand(elements.get(i));
        }
        out.append(close);
    }
}
