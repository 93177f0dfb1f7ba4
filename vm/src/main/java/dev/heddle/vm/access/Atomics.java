package dev.heddle.vm.access;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.ScalarType;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

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
        int bytes = step.operandBytes() * elements;
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
                            memory.requireToUpdate(
                                    step.site(), step.access(), space, segment, bytes, part);
                            long[] offsets = warp.addresses().offsets();
                            Combination combination =
                                    new Combination(step.operator(), step.type(), space);
                            for (int lane = 0; lane < 32; lane++) {
                                if ((part >>> lane & 1) != 0) {
                                    update(frame, step, combination, segment, offsets[lane], lane);
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
                                .formatted(step.site().mnemonic(), space.word()));
    }

    private void update(
            Frame frame,
            Step.Atomic step,
            Combination combination,
            MemorySegment segment,
            long offset,
            int lane) {
        boolean changed = false;
        if (step.type() == ScalarType.B128) {
            synchronized (memory.wideLock()) {
                changed = updateWide(frame, step, segment, offset, lane);
            }
        } else {
            int bytes = step.operandBytes();
            for (int i = 0; i < step.operands().size(); i++) {
                long at = offset + (long) i * bytes;
                long operand = frame.value(step.operands().get(i), lane);
                long replacement =
                        step.replacements().isEmpty()
                                ? 0
                                : frame.value(step.replacements().get(i), lane);
                old[i] = combination.update(segment, at, operand, replacement);
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
}
