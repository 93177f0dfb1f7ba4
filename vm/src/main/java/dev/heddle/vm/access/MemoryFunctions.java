package dev.heddle.vm.access;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.instruction.InstructionKind.Memory;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.memory.TensorMap;
import dev.heddle.vm.sanitizer.Stored;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.LaneAddresses.Location;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What instructions do that access memory in a way of their own, each lane for itself: the kinds
/// WRITE_MEMORY and UPDATE_MEMORY, `atom` and `red` that have no operator, and operations that
/// others wait for, which tell [BulkCopies] when they begin. An entry here, and the line in the
/// table of instructions, are all that such an instruction needs.
public record MemoryFunctions(Warp warp, MemoryUnit memory) {
    /// By what their mnemonics begin with.
    private static final Map<String, Function> FUNCTIONS = new TreeMap<>();

    static {
        FUNCTIONS.put("st.bulk", each(MemoryFunctions::zero));
        FUNCTIONS.put("discard", each(MemoryFunctions::discard));
        FUNCTIONS.put("tensormap.cp_fenceproxy", MemoryFunctions::copyMap);
        FUNCTIONS.put("clusterlaunchcontrol.try_cancel", each(MemoryFunctions::cancel));
        for (TensorMap.Field field : TensorMap.Field.values()) {
            FUNCTIONS.put(
                    "tensormap.replace.tile." + field.qualifier(),
                    each((unit, frame, step, lane) -> unit.replace(field, frame, step, lane)));
        }
    }

    // PTX ISA 9.7.9.13.
    private static final int ZEROED = 8;
    private static final int MOST_ZEROED = 1 << 24;

    /// Bytes of a tensor map whose values are compared at once.
    private static final int PART = 32;

    /// What lanes do.
    @FunctionalInterface
    private interface Function {
        void apply(MemoryFunctions unit, Frame frame, Step.AccessMemory step, int lanes);
    }

    /// What one lane does.
    @FunctionalInterface
    private interface LaneFunction {
        void apply(MemoryFunctions unit, Frame frame, Step.AccessMemory step, int lane);
    }

    /// Each lane for itself.
    private static Function each(LaneFunction function) {
        return (unit, frame, step, lanes) -> {
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                function.apply(unit, frame, step, Integer.numberOfTrailingZeros(rest));
            }
        };
    }

    /// What the mnemonics begin with that have a function.
    public static Set<String> names() {
        return Collections.unmodifiableSet(FUNCTIONS.keySet());
    }

    /// Lanes do what an instruction says.
    public void apply(Frame frame, Step.AccessMemory step, int lanes) {
        Function function = of(step.function());
        if (step.site().kind().memory() != Memory.READS) {
            warp.changed();
        }
        if (step.access().isStrong()) {
            int first = Integer.numberOfTrailingZeros(lanes);
            Location place = warp.addresses().locate(frame, step.places().getFirst(), first);
            warp.spin(step.site(), place.space(), place.offset(), lanes);
        }
        function.apply(this, frame, step, lanes);
    }

    private static Function of(String mnemonic) {
        for (int end = mnemonic.length(); end > 0; end = mnemonic.lastIndexOf('.', end - 1)) {
            Function function = FUNCTIONS.get(mnemonic.substring(0, end));
            if (function != null) {
                return function;
            }
        }
        throw new IllegalArgumentException("nothing accesses memory as " + mnemonic);
    }

    /// `st.bulk`: zeros in shared memory.
    private void zero(Frame frame, Step.AccessMemory step, int lane) {
        Location target = warp.addresses().locate(frame, step.places().getFirst(), lane);
        long bytes = frame.value(step.operands().getFirst(), lane);
        if (bytes % ZEROED != 0 || bytes < 0 || bytes > MOST_ZEROED) {
            throw warp.faults()
                    .undefined(
                            Rule.WRONG_BULK_STORE_SIZE,
                            step.site(),
                            1 << lane,
                            "%s of %d bytes: a multiple of 8, at most 16777216"
                                    .formatted(step.site().mnemonic(), bytes));
        }
        memory.requireShared(step.site(), target.space(), ZEROED, 1 << lane, AccessKind.STORE);
        memory.bulkMemory().requireInside(step.site(), lane, target, bytes, AccessKind.STORE);
        if (bytes > 0) {
            check(step.site(), Access.weak(Space.SHARED, ZEROED), target, bytes, lane);
        }
        target.segment().asSlice(target.offset(), bytes).fill((byte) 0);
    }

    /// `discard.L2`: a weak write of unstable indeterminate values to global memory (PTX ISA
    /// 9.7.9.17). What reads them before they are written again reads what nobody wrote.
    private void discard(Frame frame, Step.AccessMemory step, int lane) {
        Location target = warp.addresses().locate(frame, step.places().getFirst(), lane);
        int bytes = (int) frame.value(step.operands().getFirst(), lane);
        warp.addresses().offsets()[lane] = target.offset();
        if (target.space() != Space.GLOBAL) {
            throw memory.checks()
                    .outside(
                            step.site(),
                            target.space(),
                            warp.addresses().offsets(),
                            -1,
                            bytes,
                            1 << lane,
                            AccessKind.STORE);
        }
        memory.requireInside(
                step.site(), Space.GLOBAL, target.segment(), bytes, 1 << lane, AccessKind.STORE);
        check(step.site(), Access.weak(Space.GLOBAL, Long.BYTES), target, bytes, lane);
        warp.cta().grid().global().discard(target.offset(), bytes);
    }

    /// `tensormap.replace`: one field of a tensor map (PTX ISA 9.7.9.28).
    private void replace(TensorMap.Field field, Frame frame, Step.AccessMemory step, int lane) {
        Location map = memory.bulkMemory().locate(frame, step.places().getFirst(), lane);
        memory.bulkMemory()
                .requireInside(step.site(), lane, map, TensorMap.BYTES, AccessKind.STORE);
        memory.bulkMemory().keep(map, TensorMap.BYTES);
        boolean indexed = step.operands().size() > 1;
        TensorMap.set(
                map.segment(),
                map.offset(),
                field,
                indexed ? (int) frame.value(step.operands().getFirst(), lane) : 0,
                frame.value(step.operands().getLast(), lane));
        // Lanes that write the same are told from those that do not by what is there now.
        Access access = Access.weak(map.space(), 1);
        for (int part = 0; part < TensorMap.BYTES; part += PART) {
            Location place = map.plus(part);
            check(
                    step.site(),
                    access,
                    place,
                    PART,
                    lane,
                    (of, at) -> place.segment().get(ValueLayout.JAVA_BYTE, place.offset() + at));
        }
    }

    private void copyMap(Frame frame, Step.AccessMemory step, int lanes) {
        memory.bulk().copyMap(frame, step, lanes);
    }

    private void cancel(Frame frame, Step.AccessMemory step, int lane) {
        memory.bulk().cancel(frame, step, lane);
    }

    private void check(Site site, Access access, Location target, long bytes, int lane) {
        check(site, access, target, bytes, lane, null);
    }

    private void check(
            Site site,
            Access access,
            Location target,
            long bytes,
            int lane,
            @Nullable Stored stored) {
        if (warp.cta().grid().checked()) {
            long[] offsets = warp.addresses().offsets();
            offsets[lane] = target.offset();
            memory.checks()
                    .store(site, access, target.space(), offsets, (int) bytes, 1 << lane, stored);
        }
    }
}
