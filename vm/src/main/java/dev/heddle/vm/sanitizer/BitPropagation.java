package dev.heddle.vm.sanitizer;

import dev.heddle.ptx.ScalarType;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.sanitizer.IntegerPropagation.Known;
import dev.heddle.vm.semantics.RegisterHandles;
import dev.heddle.vm.shadow.UndefinedBits;
import dev.heddle.vm.state.Frame;

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
        long a = bits.of(arguments.getFirst(), lane);
        Operation operation = step.operation();
        if (isPacked(operation)) {
            return elements(any, operation.type() == ScalarType.F32X2 ? 32 : 16);
        }
        return all
                & switch (operation.kind()) {
                    case NOT -> a;
                    case MOV, ZEXT, SEXT, TRUNC, HIGH, PACK, BREV ->
                            moved(step, bits, frame, lane, arguments.size());
                    case SHL, SHR, BFE, BYTE -> moved(step, bits, frame, lane, 1);
                    case SHF, BFI, PRMT -> moved(step, bits, frame, lane, 2);
                    case AND, OR, XOR, LOP3 -> bitwise(step, bits, frame, lane);
                    case ADD, SUB, MUL, DIV, REM ->
                            isInteger(operation) ? computed(step, bits, frame, lane) : all;
                    case MUL24 -> isOpen(step, bits, frame, lane) ? all : 0;
                    case EQ, NE -> isDecided(step, bits, frame, lane) ? 0 : all;
                    case LT, LE, GT, GE -> isOrdered(step, bits, frame, lane) ? 0 : all;
                    case SELP -> select(step, frame, bits, lane);
                    case ADDC -> any | -any;
                    case NEG ->
                            isInteger(operation) ? any | -any : isOnlySign(operation, a) ? a : all;
                    case ABS -> magnitude(step, frame, a, lane);
                    case POPC, CLZ, CARRY -> between(step, bits, frame, lane);
                    case MIN, MAX -> isInteger(operation) ? between(step, bits, frame, lane) : all;
                    case INSTRUCTION -> instruction(step, bits, frame, lane);
                    default -> all;
                };
    }

    /// Whether the bits of a result are bits of operands, or of constants that mask them: what an
    /// operation leaves undefined then is a copy. Shifts to the left multiply, too.
    static boolean isCopy(Operation operation) {
        return switch (operation.kind()) {
            case MOV, ZEXT, TRUNC, HIGH, PACK, SHR, BFE, BYTE, BFI, PRMT, AND, OR, LOP3, SELP ->
                    true;
            default -> false;
        };
    }

    /// Whether it computes each element of a packed type by itself.
    private static boolean isPacked(Operation operation) {
        return switch (operation.kind().shape()) {
            case UNARY, BINARY, TERNARY ->
                    switch (operation.type()) {
                        case F16X2, BF16X2, U16X2, S16X2, F32X2 -> true;
                        default -> false;
                    };
            default -> false;
        };
    }

    /// Elements with undefined bits, whole.
    private static long elements(long undefined, int bits) {
        long all = 0;
        for (int at = 0; at < Long.SIZE; at += bits) {
            long element = (1L << bits) - 1 << at;
            all |= (undefined & element) == 0 ? 0 : element;
        }
        return all;
    }

    private static boolean isInteger(Operation operation) {
        return switch (operation.type().kind()) {
            case SIGNED, UNSIGNED, BITS -> true;
            default -> false;
        };
    }

    /// An operation that moves bits moves undefined ones alike, wherever the other operands say.
    ///
    /// @param movable how many operands are moved; the others say how
    private static long moved(
            Step.Compute step, UndefinedBits bits, Frame frame, int lane, int movable) {
        List<Source> arguments = step.arguments();
        long[] operands = new long[arguments.size()];
        for (int i = 0; i < operands.length; i++) {
            boolean isMoved = i < movable;
            if (!isMoved && bits.of(arguments.get(i), lane) != 0) {
                return -1;
            }
            operands[i] =
                    isMoved ? bits.of(arguments.get(i), lane) : frame.value(arguments.get(i), lane);
        }
        return RegisterHandles.apply(step.operation(), operands);
    }

    /// A bit of the result is defined where it is the same whatever undefined bits of the operands
    /// are.
    private static long bitwise(Step.Compute step, UndefinedBits bits, Frame frame, int lane) {
        List<Source> arguments = step.arguments();
        long[] operands = new long[arguments.size()];
        long sometimes = 0;
        long always = -1;
        int choices = 1 << Math.min(3, operands.length);
        for (int choice = 0; choice < choices; choice++) {
            for (int i = 0; i < operands.length; i++) {
                // The same operand twice has the same bits twice.
                int chosen = arguments.indexOf(arguments.get(i));
                long flipped = (choice >>> chosen & 1) != 0 ? bits.of(arguments.get(i), lane) : 0;
                operands[i] = frame.value(arguments.get(i), lane) ^ flipped;
            }
            long result = RegisterHandles.apply(step.operation(), operands);
            sometimes |= result;
            always &= result;
        }
        return sometimes & ~always;
    }

    /// Whether defined bits differ already.
    private static boolean isDecided(Step.Compute step, UndefinedBits bits, Frame frame, int lane) {
        Source first = step.arguments().get(0);
        Source second = step.arguments().get(1);
        long defined = ~(bits.of(first, lane) | bits.of(second, lane));
        return isInteger(step.operation())
                && ((frame.value(first, lane) ^ frame.value(second, lane)) & defined) != 0;
    }

    /// Whether one integer is the smaller one, whatever undefined bits are: its largest value and
    /// the other's smallest give the same answer as its smallest and the other's largest.
    private static boolean isOrdered(Step.Compute step, UndefinedBits bits, Frame frame, int lane) {
        Source first = step.arguments().get(0);
        Source second = step.arguments().get(1);
        ScalarType type = step.operation().type();
        if (!isInteger(step.operation()) || first.equals(second)) {
            return false;
        }
        long all = type.bits() == 64 ? -1 : (1L << type.bits()) - 1;
        long least = type.kind() == ScalarType.Kind.SIGNED ? 1L << type.bits() - 1 : 0;
        long most = all & ~least;
        long[] apart = {
            extreme(first, bits, frame, lane, least), extreme(second, bits, frame, lane, most)
        };
        long[] together = {
            extreme(first, bits, frame, lane, most), extreme(second, bits, frame, lane, least)
        };
        return RegisterHandles.apply(step.operation(), apart)
                == RegisterHandles.apply(step.operation(), together);
    }

    /// An integer that is known not to be negative stays as it is; of a floating-point number the
    /// sign does not matter.
    private static long magnitude(Step.Compute step, Frame frame, long undefined, int lane) {
        if (!isInteger(step.operation())) {
            return isOnlySign(step.operation(), undefined) ? 0 : -1;
        }
        long value = frame.value(step.arguments().getFirst(), lane);
        return (value | undefined) >>> step.operation().type().bits() - 1 == 0 ? undefined : -1;
    }

    private static boolean isOnlySign(Operation operation, long undefined) {
        return undefined == 1L << operation.type().bits() - 1;
    }

    private static long instruction(Step.Compute step, UndefinedBits bits, Frame frame, int lane) {
        String name = step.operation().toString();
        return name.startsWith("bfind.")
                ? found(step, bits, frame, lane)
                : name.startsWith("dp4a.") || name.startsWith("dp2a.")
                        ? products(step, bits, frame, lane)
                        : -1;
    }

    /// The bit of a signed value that is found first differs from the sign.
    private static long found(Step.Compute step, UndefinedBits bits, Frame frame, int lane) {
        ScalarType type = step.operation().type();
        boolean isSigned = type.kind() == ScalarType.Kind.SIGNED;
        boolean hasSign = bits.of(step.arguments().getFirst(), lane) >>> type.bits() - 1 == 0;
        return isSigned && !hasSign ? -1 : between(step, bits, frame, lane);
    }

    /// Whether the product of the low 24 bits of each operand may be one number or another.
    private static boolean isOpen(Step.Compute step, UndefinedBits bits, Frame frame, int lane) {
        List<Source> arguments = step.arguments();
        return IntegerPropagation.isOpen(
                known(arguments.get(0), bits, frame, lane, 0, 24),
                known(arguments.get(1), bits, frame, lane, 0, 24));
    }

    /// `dp4a` of four bytes each, `dp2a` of two halves and of the low or the high bytes.
    private static long products(Step.Compute step, UndefinedBits bits, Frame frame, int lane) {
        String name = step.operation().toString();
        List<Source> arguments = step.arguments();
        int width = name.startsWith("dp4a.") ? 8 : 16;
        int first = name.startsWith("dp2a.hi.") ? 16 : 0;
        for (int i = 0; width * i < 32; i++) {
            Known a = known(arguments.get(0), bits, frame, lane, width * i, width);
            Known b = known(arguments.get(1), bits, frame, lane, first + 8 * i, 8);
            if (IntegerPropagation.isOpen(a, b)) {
                return -1;
            }
        }
        // What is added carries on from its lowest undefined bit.
        long added = bits.of(arguments.get(2), lane);
        return added | -added;
    }

    private static Known known(
            Source source, UndefinedBits bits, Frame frame, int lane, int from, int width) {
        long mask = (1L << width) - 1;
        return Known.of(
                frame.value(source, lane) >>> from & mask, bits.of(source, lane) >>> from & mask);
    }

    /// An operation that grows, or shrinks, with each operand: what the smallest and the largest
    /// values give have their first bits in common with all that is between them.
    private static long between(Step.Compute step, UndefinedBits bits, Frame frame, int lane) {
        List<Source> arguments = step.arguments();
        ScalarType type = step.operation().type();
        long sign = type.kind() == ScalarType.Kind.SIGNED ? 1L << type.bits() - 1 : 0;
        long[] least = new long[arguments.size()];
        long[] most = new long[arguments.size()];
        for (int i = 0; i < least.length; i++) {
            least[i] = extreme(arguments.get(i), bits, frame, lane, sign);
            most[i] = extreme(arguments.get(i), bits, frame, lane, ~sign);
        }
        return UndefinedBits.between(
                RegisterHandles.apply(step.operation(), least),
                RegisterHandles.apply(step.operation(), most));
    }

    /// A sum, a product or a quotient.
    private static long computed(Step.Compute step, UndefinedBits bits, Frame frame, int lane) {
        Source a = step.arguments().get(0);
        Source b = step.arguments().get(1);
        return IntegerPropagation.result(
                step.operation(),
                Known.of(frame.value(a, lane), bits.of(a, lane)),
                Known.of(frame.value(b, lane), bits.of(b, lane)));
    }

    /// A value with those of its undefined bits set that are in a mask, and no others.
    private static long extreme(
            Source source, UndefinedBits bits, Frame frame, int lane, long set) {
        long undefined = bits.of(source, lane);
        return frame.value(source, lane) & ~undefined | undefined & set;
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
