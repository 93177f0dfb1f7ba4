package dev.heddle.vm.sanitizer;

import dev.heddle.ptx.ScalarType;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.scheduling.Frame;

import java.util.List;

/// Which bits of a result are undefined where bits of operands are: exactly for what moves, masks
/// and selects bits, else all of them.
final class BitPropagation {
    private BitPropagation() {}

    static long result(Step.Compute step, Frame frame, UndefinedBits bits, int lane) {
        List<Source> arguments = step.arguments();
        long any = 0;
        for (Source argument : arguments) {
            any |= bits.of(argument, lane);
        }
        if (any == 0) {
            return 0;
        }
        long all = UndefinedBits.all(step.target().width());
        Source first = arguments.getFirst();
        long a = bits.of(first, lane);
        Operation operation = step.operation();
        int width = operation.from().bits();
        return all
                & switch (operation.kind()) {
                    case MOV, NOT -> a;
                    case ZEXT -> a & low(width);
                    case SEXT -> a << 64 - width >> 64 - width;
                    case TRUNC -> a & low(width / 2);
                    case HIGH -> a >>> width / 2;
                    case PACK -> a & low(width) | bits.of(arguments.get(1), lane) << width;
                    case AND -> and(step, frame, bits, lane);
                    case OR -> or(step, frame, bits, lane);
                    case XOR ->
                            arguments.get(0).equals(arguments.get(1))
                                    ? 0
                                    : a | bits.of(arguments.get(1), lane);
                    case SHL -> shift(step, frame, bits, lane, true);
                    case SHR ->
                            operation.type().kind() == ScalarType.Kind.UNSIGNED
                                    ? shift(step, frame, bits, lane, false)
                                    : all;
                    case SELP -> select(step, frame, bits, lane);
                    default -> all;
                };
    }

    private static long low(int bits) {
        return (1L << bits) - 1;
    }

    /// A bit that is zero in one operand is zero in the result.
    private static long and(Step.Compute step, Frame frame, UndefinedBits bits, int lane) {
        Source first = step.arguments().get(0);
        Source second = step.arguments().get(1);
        long a = bits.of(first, lane);
        long b = bits.of(second, lane);
        return a & b | a & frame.value(second, lane) | b & frame.value(first, lane);
    }

    /// A bit that is one in one operand is one in the result.
    private static long or(Step.Compute step, Frame frame, UndefinedBits bits, int lane) {
        Source first = step.arguments().get(0);
        Source second = step.arguments().get(1);
        long a = bits.of(first, lane);
        long b = bits.of(second, lane);
        return a & b | a & ~frame.value(second, lane) | b & ~frame.value(first, lane);
    }

    private static long shift(
            Step.Compute step, Frame frame, UndefinedBits bits, int lane, boolean left) {
        Source distance = step.arguments().get(1);
        if (bits.of(distance, lane) != 0) {
            return -1;
        }
        long undefined = bits.of(step.arguments().getFirst(), lane);
        long by = frame.value(distance, lane);
        if (by > 63) {
            return 0;
        }
        return left ? undefined << by : undefined >>> by;
    }

    /// The operand that is not taken does not matter.
    private static long select(Step.Compute step, Frame frame, UndefinedBits bits, int lane) {
        List<Source> arguments = step.arguments();
        Source condition = arguments.getFirst();
        return bits.of(condition, lane) != 0
                ? -1
                : bits.of(arguments.get(frame.value(condition, lane) != 0 ? 1 : 2), lane);
    }
}
