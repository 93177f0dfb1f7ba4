package dev.heddle.vm.access;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.ScalarType;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.semantics.DoubleArithmetic;
import dev.heddle.vm.semantics.FloatArithmetic;
import dev.heddle.vm.semantics.HalfArithmetic;
import dev.heddle.vm.semantics.IntegerArithmetic;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Locale;

/// Indivisible updates (PTX ISA 9.7.13.5): compare and swap until it holds, so that workers may
/// share the memory.
public final class Atomics {
    private static final VarHandle BYTES = ValueLayout.JAVA_BYTE.varHandle();
    private static final VarHandle SHORTS = ValueLayout.JAVA_SHORT.varHandle();
    private static final VarHandle INTS = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();

    public static long readStrong(MemorySegment segment, long offset, int bytes) {
        return switch (bytes) {
            case 1 -> (byte) BYTES.getVolatile(segment, offset) & 0xffL;
            case 2 -> (short) SHORTS.getVolatile(segment, offset) & 0xffffL;
            case 4 -> (int) INTS.getVolatile(segment, offset) & 0xffff_ffffL;
            default -> (long) LONGS.getVolatile(segment, offset);
        };
    }

    public static void writeStrong(MemorySegment segment, long offset, int bytes, long value) {
        switch (bytes) {
            case 1 -> BYTES.setVolatile(segment, offset, (byte) value);
            case 2 -> SHORTS.setVolatile(segment, offset, (short) value);
            case 4 -> INTS.setVolatile(segment, offset, (int) value);
            default -> LONGS.setVolatile(segment, offset, value);
        }
    }

    private final Warp warp;
    private final MemoryUnit memory;
    private final long[] old = new long[8];

    public Atomics(Warp warp, MemoryUnit memory) {
        this.warp = warp;
        this.memory = memory;
    }

    /// `atom`, `red`: lane after lane, in order.
    public void apply(Frame frame, Step.Atomic step, int lanes) {
        int elements = step.operands().size();
        int bytes = step.access().bytes() * elements;
        warp.addresses()
                .forEachSpace(
                        frame,
                        step.access().space(),
                        step.base(),
                        step.offset(),
                        lanes,
                        (space, segment, part) -> {
                            memory.spin(step.site(), space, part);
                            requireSpace(step, space, part);
                            memory.requireToUpdate(step, space, segment, bytes, part);
                            long[] offsets = warp.addresses().offsets();
                            for (int lane = 0; lane < 32; lane++) {
                                if ((part >>> lane & 1) != 0) {
                                    update(frame, step, space, segment, offsets[lane], lane);
                                }
                            }
                        });
    }

    private void requireSpace(Step.Atomic step, Space space, int lanes) {
        boolean vector = step.type() != ScalarType.B128 && step.operands().size() > 1;
        if (space == Space.GLOBAL
                || space == Space.GENERIC
                || (space == Space.SHARED || space == Space.CLUSTER) && !vector) {
            return;
        }
        throw warp.faults()
                .undefined(
                        Rule.ATOMIC_OUTSIDE_GLOBAL_OR_SHARED,
                        step.site(),
                        lanes,
                        "%s on an address in %s memory"
                                .formatted(
                                        step.site().mnemonic(),
                                        space.name().toLowerCase(Locale.ROOT)));
    }

    private void update(
            Frame frame,
            Step.Atomic step,
            Space space,
            MemorySegment segment,
            long offset,
            int lane) {
        boolean changed = false;
        if (step.type() == ScalarType.B128) {
            synchronized (memory.wideLock()) {
                changed = updateWide(frame, step, segment, offset, lane);
            }
        } else {
            int bytes = step.access().bytes();
            for (int i = 0; i < step.operands().size(); i++) {
                long at = offset + (long) i * bytes;
                long operand = frame.value(step.operands().get(i), lane);
                long replacement =
                        step.replacements().isEmpty()
                                ? 0
                                : frame.value(step.replacements().get(i), lane);
                old[i] =
                        update(
                                step.operator(),
                                step.type(),
                                space,
                                segment,
                                at,
                                operand,
                                replacement);
                changed |= readStrong(segment, at, bytes) != old[i];
            }
        }
        if (changed) {
            warp.changed();
        }
        // Operands are read before targets are written: they may be the same registers.
        for (int i = 0; i < step.targets().size(); i++) {
            Register target = step.targets().get(i);
            if (target != null) {
                frame.set(target, lane, old[i]);
            }
        }
    }

    /// 128 bits, under a lock: the JVM has no compare-and-swap of this size. Returns whether they
    /// have changed.
    private boolean updateWide(
            Frame frame, Step.Atomic step, MemorySegment segment, long offset, int lane) {
        boolean swaps = step.operator() == AtomicOperator.COMPARE_AND_SWAP;
        boolean stores = true;
        for (int i = 0; i < 2; i++) {
            old[i] = readStrong(segment, offset + 8L * i, 8);
            stores &= !swaps || old[i] == frame.value(step.operands().get(i), lane);
        }
        boolean changed = false;
        for (int i = 0; i < 2 && stores; i++) {
            Source value = (swaps ? step.replacements() : step.operands()).get(i);
            long next = frame.value(value, lane);
            writeStrong(segment, offset + 8L * i, 8, next);
            changed |= next != old[i];
        }
        return changed;
    }

    /// Combines an element with an operand, indivisibly.
    ///
    /// @return what it was before
    static long update(
            AtomicOperator operator,
            ScalarType type,
            Space space,
            MemorySegment segment,
            long offset,
            long operand,
            long replacement) {
        return type.bits() == 16
                ? updateHalf(operator, type, space, segment, offset, operand, replacement)
                : updateWord(operator, type, space, segment, offset, operand, replacement);
    }

    private static long updateWord(
            AtomicOperator operator,
            ScalarType type,
            Space space,
            MemorySegment segment,
            long offset,
            long operand,
            long replacement) {
        int bytes = type.bits() / 8;
        while (true) {
            long before = readStrong(segment, offset, bytes);
            long next = combine(operator, type, space, before, operand, replacement);
            boolean done =
                    bytes == 4
                            ? INTS.compareAndSet(segment, offset, (int) before, (int) next)
                            : LONGS.compareAndSet(segment, offset, before, next);
            if (done) {
                return before;
            }
        }
    }

    private static long updateHalf(
            AtomicOperator operator,
            ScalarType type,
            Space space,
            MemorySegment segment,
            long offset,
            long operand,
            long replacement) {
        long word = offset & ~3L;
        int shift = (int) (offset & 2) * 8;
        if (word + 4 > segment.byteSize()) {
            long old = readStrong(segment, offset, 2);
            writeStrong(
                    segment, offset, 2, combine(operator, type, space, old, operand, replacement));
            return old;
        }
        while (true) {
            int whole = (int) INTS.getVolatile(segment, word);
            long old = whole >>> shift & 0xffffL;
            long next = combine(operator, type, space, old, operand, replacement) & 0xffffL;
            int changed = whole & ~(0xffff << shift) | (int) next << shift;
            if (INTS.compareAndSet(segment, word, whole, changed)) {
                return old;
            }
        }
    }

    private static long combine(
            AtomicOperator operator,
            ScalarType type,
            Space space,
            long old,
            long operand,
            long replacement) {
        return switch (operator) {
            case ADD -> add(type, space, old, operand);
            case INCREMENT -> Long.compareUnsigned(old, operand) >= 0 ? 0 : old + 1;
            case DECREMENT ->
                    old == 0 || Long.compareUnsigned(old, operand) > 0 ? operand : old - 1;
            case MINIMUM -> extremum(type, old, operand, true);
            case MAXIMUM -> extremum(type, old, operand, false);
            case AND -> old & operand;
            case OR -> old | operand;
            case XOR -> old ^ operand;
            case EXCHANGE -> operand;
            case COMPARE_AND_SWAP -> old == operand ? replacement : old;
        };
    }

    /// On global memory `.f32` sums flush subnormals, on shared memory they do not (PTX ISA
    /// 9.7.13.5).
    private static long add(ScalarType type, Space space, long old, long operand) {
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
            case F16 -> HalfArithmetic.addF16((int) old, (int) operand);
            case BF16 -> HalfArithmetic.addBf16((int) old, (int) operand);
            case F16X2 -> halves(old, operand, type);
            case BF16X2 -> halves(old, operand, type);
            default -> type.bits() == 64 ? old + operand : old + operand & 0xffff_ffffL;
        };
    }

    private static long halves(long old, long operand, ScalarType type) {
        int lowA = (int) old & 0xffff;
        int lowB = (int) operand & 0xffff;
        int highA = (int) (old >>> 16) & 0xffff;
        int highB = (int) (operand >>> 16) & 0xffff;
        return type == ScalarType.F16X2
                ? HalfArithmetic.addF16(lowA, lowB)
                        | (long) HalfArithmetic.addF16(highA, highB) << 16
                : HalfArithmetic.addBf16(lowA, lowB)
                        | (long) HalfArithmetic.addBf16(highA, highB) << 16;
    }

    private static long extremum(ScalarType type, long old, long operand, boolean least) {
        return switch (type) {
            case S32 ->
                    (least
                                    ? Math.min((int) old, (int) operand)
                                    : Math.max((int) old, (int) operand))
                            & 0xffff_ffffL;
            case S64 -> least ? Math.min(old, operand) : Math.max(old, operand);
            case F16, BF16 -> half(type, (int) old, (int) operand, least);
            case F16X2, BF16X2 -> {
                ScalarType each = type == ScalarType.F16X2 ? ScalarType.F16 : ScalarType.BF16;
                yield half(each, (int) old & 0xffff, (int) operand & 0xffff, least)
                        | half(
                                        each,
                                        (int) (old >>> 16) & 0xffff,
                                        (int) (operand >>> 16) & 0xffff,
                                        least)
                                << 16;
            }
            default ->
                    least
                            ? IntegerArithmetic.minimumU64(old, operand)
                            : IntegerArithmetic.maximumU64(old, operand);
        };
    }

    private static long half(ScalarType type, int a, int b, boolean least) {
        if (type == ScalarType.F16) {
            return least ? HalfArithmetic.minimumF16(a, b) : HalfArithmetic.maximumF16(a, b);
        }
        return least ? HalfArithmetic.minimumBf16(a, b) : HalfArithmetic.maximumBf16(a, b);
    }
}
