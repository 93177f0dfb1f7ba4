package dev.heddle.vm.lowering;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.BulkStep;
import dev.heddle.vm.ir.BulkStep.TensorCopy.Mode;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;

import java.util.ArrayList;
import java.util.List;

/// Bulk and tensor copies, the groups by which a thread waits for them, and tensor maps (PTX ISA
/// 9.7.9.25.4, 9.7.9.25.5, 9.7.9.28).
record BulkCopyLowering(CodeBuilder builder, MemoryOperands memory) {
    private Step.Place place(Operand operand, Space space) {
        MemoryOperands.Place place = memory.place(operand);
        return new Step.Place(space, place.base(), place.offset());
    }

    /// `cp.async.bulk` and `cp.reduce.async.bulk`: the words name the target's space, then the
    /// origin's.
    void copy(BoundInstruction form) {
        List<Space> spaces = MemoryOperands.spaces(form);
        boolean counted = form.has("mbarrier::complete_tx::bytes");
        boolean reduces = form.has("reduce");
        builder.add(
                new BulkStep.Copy(
                        builder.site(),
                        builder.guard(),
                        reduces ? MemoryOperands.operator(form) : null,
                        reduces ? form.type() : null,
                        place(form.operand(0), spaces.get(0)),
                        place(form.operand(1), spaces.get(1)),
                        builder.read(form.operand(2), ScalarType.U32),
                        counted ? place(form.operand(3), barrierSpace(form)) : null,
                        form.has("multicast::cluster")
                                ? builder.read(form.operand(4), ScalarType.U16)
                                : null,
                        form.has("cp_mask")
                                ? builder.read(
                                        form.operand(form.has("L2::cache_hint") ? 4 : 3),
                                        ScalarType.U16)
                                : null));
    }

    private static Space barrierSpace(BoundInstruction form) {
        return form.has("shared::cluster") ? Space.CLUSTER : Space.SHARED;
    }

    /// `cp.async.bulk.tensor` and `cp.reduce.async.bulk.tensor`. The operands of a load are the
    /// place in shared memory, the tensor, the mbarrier; of a store the tensor, then the place.
    void tensor(BoundInstruction form) {
        if (form.has("prefetch")) {
            Operand map = tensorOf(form.operand(0)).parts().getFirst();
            builder.add(
                    new BulkStep.PrefetchTensor(
                            builder.site(), builder.guard(), place(map, Space.GENERIC)));
            return;
        }
        if (form.has("cta_group::2")) {
            // Pairs of CTAs belong to tcgen05.
            throw new UnsupportedInstruction(form);
        }
        boolean loads = form.has("mbarrier::complete_tx::bytes");
        Operand.AddressList tensor = tensorOf(form.operand(loads ? 1 : 0));
        List<Source> coordinates = reads(tensor.parts().get(1), ScalarType.S32);
        Mode mode = mode(form);
        int next = loads ? 3 : 2;
        List<Source> offsets =
                loads && mode != Mode.TILE && mode != Mode.ROWS
                        ? reads(form.operand(next++), ScalarType.U16)
                        : List.of();
        requireOffsets(offsets, mode, loads ? coordinates.size() - 2 : 0);
        Source ctas =
                form.has("multicast::cluster")
                        ? builder.read(form.operand(next), ScalarType.U16)
                        : null;
        builder.add(
                new BulkStep.TensorCopy(
                        builder.site(),
                        builder.guard(),
                        loads,
                        form.has("reduce") ? MemoryOperands.operator(form) : null,
                        place(tensor.parts().getFirst(), Space.GENERIC),
                        coordinates,
                        mode,
                        offsets,
                        place(
                                form.operand(loads ? 0 : 1),
                                loads ? barrierSpace(form) : Space.SHARED),
                        loads ? place(form.operand(2), barrierSpace(form)) : null,
                        ctas));
    }

    /// @param axes between channels and images
    private static void requireOffsets(List<Source> offsets, Mode mode, int axes) {
        int needed =
                switch (mode) {
                    case TILE, ROWS -> 0;
                    case COLUMNS -> axes;
                    case WIDE, WIDE_128 -> 2;
                };
        if (offsets.size() != needed) {
            throw new UnsupportedInstruction("im2col information of " + offsets.size() + " parts");
        }
    }

    private List<Source> reads(Operand vector, ScalarType type) {
        List<Source> read = new ArrayList<>();
        for (Operand element : MemoryOperands.elements(vector)) {
            read.add(builder.read(element, type));
        }
        return read;
    }

    private static Mode mode(BoundInstruction form) {
        if (form.has("tile::gather4") || form.has("tile::scatter4")) {
            return Mode.ROWS;
        }
        if (form.has("im2col::w")) {
            return Mode.WIDE;
        }
        if (form.has("im2col::w::128")) {
            return Mode.WIDE_128;
        }
        return form.has("im2col") || form.has("im2col_no_offs") ? Mode.COLUMNS : Mode.TILE;
    }

    private static Operand.AddressList tensorOf(Operand operand) {
        if (operand instanceof Operand.AddressList tensor && tensor.parts().size() == 2) {
            return tensor;
        }
        throw new UnsupportedInstruction("a tensor operand of this kind");
    }

    void commit() {
        group(Step.AsyncGroup.Kind.COMMIT, 0, false);
    }

    void await(BoundInstruction form) {
        group(Step.AsyncGroup.Kind.WAIT, builder.constant(form.operand(0)), form.has("read"));
    }

    private void group(Step.AsyncGroup.Kind kind, int pending, boolean readOnly) {
        builder.add(new BulkStep.Group(builder.site(), builder.guard(), kind, pending, readOnly));
    }

    /// `fence.proxy.tensormap::generic`: its address, where it has one, is acquired.
    void fenceMap(BoundInstruction form) {
        Step.Place map = form.has("acquire") ? place(form.operand(0), Space.GENERIC) : null;
        Scope scope = MemoryOperands.scope(form, Scope.SYS);
        builder.add(new Step.TensorMapFence(builder.site(), builder.guard(), map, scope));
    }
}
