package dev.heddle.vm.sanitizer;

import dev.heddle.ptx.ScalarType;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.shadow.UndefinedBits;

/// Which bits of sums, products and quotients of integers are undefined where some bits of the
/// operands are. Below the lowest undefined bit all are defined; above the highest in which the
/// smallest and the largest result differ, too.
final class IntegerPropagation {
    private static final long ALL = -1;

    /// What is known of an operand.
    ///
    /// @param least its value with no undefined bit set: as an unsigned number, the smallest
    /// @param most its value with all of them set: the largest
    record Known(long least, long most) {
        static Known of(long value, long undefined) {
            return new Known(value & ~undefined, value | undefined);
        }

        boolean isDefined() {
            return least == most;
        }

        private boolean isZero() {
            return most == 0;
        }

        /// Bits at its low end that are zero.
        private int zeros() {
            return Long.numberOfTrailingZeros(most);
        }

        /// The lowest bit that is not known.
        private int lowest() {
            return Long.numberOfTrailingZeros(least ^ most);
        }
    }

    private IntegerPropagation() {}

    /// Whether a product may be one number or another: zero times anything is zero.
    static boolean isOpen(Known a, Known b) {
        return !(a.isDefined() && b.isDefined() || a.isZero() || b.isZero());
    }

    /// The undefined bits of a result.
    static long result(Operation operation, Known a, Known b) {
        ScalarType type = operation.type();
        int bits = type.bits();
        if (operation.has(Modifier.SAT)) {
            return ALL;
        }
        return switch (operation.kind()) {
            case ADD -> from(Math.min(a.lowest(), b.lowest())) & sum(a, b, bits);
            case SUB -> from(Math.min(a.lowest(), b.lowest())) & difference(a, b);
            case MUL -> product(operation, a, b, bits);
            case DIV -> isUnsigned(type, a, b) ? quotient(a, b) : ALL;
            case REM -> isUnsigned(type, a, b) ? remainder(a, b) : ALL;
            default -> ALL;
        };
    }

    /// Bits from one on; none behind the last.
    private static long from(int bit) {
        return bit >= Long.SIZE ? 0 : ALL << bit;
    }

    private static boolean isUnsigned(ScalarType type, Known a, Known b) {
        return type.kind() != ScalarType.Kind.SIGNED || (a.most | b.most) >>> type.bits() - 1 == 0;
    }

    private static long sum(Known a, Known b, int bits) {
        long most = a.most + b.most;
        boolean wraps = Long.compareUnsigned(most, a.most) < 0 || bits < 64 && most >>> bits != 0;
        return wraps ? ALL : UndefinedBits.between(a.least + b.least, most);
    }

    private static long difference(Known a, Known b) {
        boolean wraps = Long.compareUnsigned(a.least, b.most) < 0;
        return wraps ? ALL : UndefinedBits.between(a.least - b.most, a.most - b.least);
    }

    private static long product(Operation operation, Known a, Known b, int bits) {
        if (a.isZero() || b.isZero()) {
            return 0;
        }
        if (operation.has(Modifier.HI)) {
            return isUnsigned(operation.type(), a, b)
                    ? UndefinedBits.between(
                            high(a.least, b.least, bits), high(a.most, b.most, bits))
                    : ALL;
        }
        long low = from(Math.min(a.lowest() + b.zeros(), b.lowest() + a.zeros()));
        boolean isWide = operation.has(Modifier.WIDE);
        if (isWide && !isUnsigned(operation.type(), a, b)) {
            return low;
        }
        int width = isWide ? 2 * bits : bits;
        long most = a.most * b.most;
        boolean wraps =
                Math.unsignedMultiplyHigh(a.most, b.most) != 0 || width < 64 && most >>> width != 0;
        return wraps ? low : low & UndefinedBits.between(a.least * b.least, most);
    }

    private static long high(long a, long b, int bits) {
        return bits == Long.SIZE ? Math.unsignedMultiplyHigh(a, b) : a * b >>> bits;
    }

    /// Nobody divides by zero: what that gives is nobody's to know.
    private static long quotient(Known a, Known b) {
        return b.least == 0
                ? ALL
                : UndefinedBits.between(
                        Long.divideUnsigned(a.least, b.most), Long.divideUnsigned(a.most, b.least));
    }

    private static long remainder(Known a, Known b) {
        if (!b.isDefined() || b.least == 0) {
            return ALL;
        }
        boolean isSameTurn =
                Long.divideUnsigned(a.least, b.least) == Long.divideUnsigned(a.most, b.least);
        return isSameTurn
                ? UndefinedBits.between(
                        Long.remainderUnsigned(a.least, b.least),
                        Long.remainderUnsigned(a.most, b.least))
                : UndefinedBits.between(0, b.least - 1);
    }
}
