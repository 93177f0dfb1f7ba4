package dev.heddle.ptx.check;

import dev.heddle.ptx.Constant;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.Ptx;

/// Operands as messages show them.
final class OperandExcerpt {

    private static final int LONGEST = 60;

    private OperandExcerpt() {}

    static String of(Operand operand) {
        String text =
                operand instanceof Operand.Immediate(Constant.DoubleConstant number, _)
                        ? String.valueOf(number.value())
                        : Ptx.print(operand);
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 3) + "...";
    }

    static int width(Operand operand) {
        return switch (operand) {
            case Operand.Immediate _ -> 1;
            default -> Math.clamp(Ptx.print(operand).length(), 1, LONGEST);
        };
    }
}
