package dev.heddle.vm.access;

import dev.heddle.formats.FloatFormat;
import dev.heddle.ptx.ScalarType;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.semantics.DoubleArithmetic;
import dev.heddle.vm.semantics.FloatArithmetic;
import dev.heddle.vm.semantics.HalfArithmetic;
import dev.heddle.vm.semantics.IntegerArithmetic;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// What an atomic operation makes of an element and an operand (PTX ISA 9.7.13.5).
///
/// @param type of an element
/// @param space in which it is: sums of `.f32` depend on it
record Combination(AtomicOperator operator, ScalarType type, Space space) {
    private static final VarHandle INTS = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();

    /// Combines an element with an operand, indivisibly.
    ///
    /// @return what it was before
    long update(MemorySegment segment, long offset, long operand, long replacement) {
        return type.bits() == 16
                ? updateHalf(segment, offset, operand, replacement)
                : updateWord(segment, offset, operand, replacement);
    }

    private long updateWord(MemorySegment segment, long offset, long operand, long replacement) {
        int bytes = type.bits() / 8;
        while (true) {
            long before = Atomics.readStrong(segment, offset, bytes);
            long next = combine(before, operand, replacement);
            boolean done =
                    bytes == 4
                            ? INTS.compareAndSet(segment, offset, (int) before, (int) next)
                            : LONGS.compareAndSet(segment, offset, before, next);
            if (done) {
                return before;
            }
        }
    }

    private long updateHalf(MemorySegment segment, long offset, long operand, long replacement) {
        long word = offset & ~3L;
        int shift = (int) (offset & 2) * 8;
        if (word + 4 > segment.byteSize()) {
            long old = Atomics.readStrong(segment, offset, 2);
            Atomics.writeStrong(segment, offset, 2, combine(old, operand, replacement));
            return old;
        }
        while (true) {
            int whole = (int) INTS.getVolatile(segment, word);
            long old = whole >>> shift & 0xffffL;
            long next = combine(old, operand, replacement) & 0xffffL;
            int changed = whole & ~(0xffff << shift) | (int) next << shift;
            if (INTS.compareAndSet(segment, word, whole, changed)) {
                return old;
            }
        }
    }

    /// What an element becomes.
    long combine(long old, long operand, long replacement) {
        return switch (operator) {
            case ADD -> add(old, operand);
            case INCREMENT -> Long.compareUnsigned(old, operand) >= 0 ? 0 : old + 1;
            case DECREMENT ->
                    old == 0 || Long.compareUnsigned(old, operand) > 0 ? operand : old - 1;
            case MINIMUM -> extremum(old, operand, true);
            case MAXIMUM -> extremum(old, operand, false);
            case AND -> old & operand;
            case OR -> old | operand;
            case XOR -> old ^ operand;
            case EXCHANGE -> operand;
            case COMPARE_AND_SWAP -> old == operand ? replacement : old;
        };
    }

    /// On global memory `.f32` sums flush subnormals, on shared memory they do not (PTX ISA
    /// 9.7.13.5).
    private long add(long old, long operand) {
        return switch (type) {
            case F32 -> {
                float a = Float.intBitsToFloat((int) old);
                float b = Float.intBitsToFloat((int) operand);
                float sum =
                        space == Space.SHARED || space == Space.CLUSTER
                                ? FloatArithmetic.addF32(a, b)
                                : FloatArithmetic.flushF32(
                                        FloatArithmetic.addF32(
                                                FloatArithmetic.flushF32(a),
                                                FloatArithmetic.flushF32(b)));
                yield Float.floatToRawIntBits(sum) & 0xffff_ffffL;
            }
            case F64 ->
                    Double.doubleToRawLongBits(
                            DoubleArithmetic.addF64(
                                    Double.longBitsToDouble(old),
                                    Double.longBitsToDouble(operand)));
            case F16, BF16, F16X2, BF16X2 -> halves(HalfArithmetic::add, old, operand);
            default -> type.bits() == 64 ? old + operand : old + operand & 0xffff_ffffL;
        };
    }

    /// A function of halves.
    private interface OfHalves {
        int apply(int a, int b, FloatFormat format);
    }

    /// What a function makes of the halves of packed types, or of the one that there is.
    private long halves(OfHalves function, long old, long operand) {
        boolean isPacked = type == ScalarType.F16X2 || type == ScalarType.BF16X2;
        FloatFormat format =
                type == ScalarType.F16 || type == ScalarType.F16X2
                        ? FloatFormat.F16
                        : FloatFormat.BF16;
        int low = function.apply((int) old & 0xffff, (int) operand & 0xffff, format);
        long high =
                isPacked
                        ? function.apply(
                                (int) (old >>> 16) & 0xffff,
                                (int) (operand >>> 16) & 0xffff,
                                format)
                        : 0;
        return high << 16 | low;
    }

    private long extremum(long old, long operand, boolean least) {
        return switch (type) {
            case S32 ->
                    (least
                                    ? Math.min((int) old, (int) operand)
                                    : Math.max((int) old, (int) operand))
                            & 0xffff_ffffL;
            case S64 -> least ? Math.min(old, operand) : Math.max(old, operand);
            case F16, BF16, F16X2, BF16X2 ->
                    halves(least ? HalfArithmetic::minimum : HalfArithmetic::maximum, old, operand);
            default ->
                    least
                            ? IntegerArithmetic.minimumU64(old, operand)
                            : IntegerArithmetic.maximumU64(old, operand);
        };
    }
}
