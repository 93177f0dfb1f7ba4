package dev.heddle.vm.lowering;

import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.SpecialRegister;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Step.MemoryBarrierObject.Action;

import java.util.List;

/// What the CTAs of a cluster do with each other: their barrier, the addresses of each other's
/// shared memory, and stores and reductions that an mbarrier counts (PTX ISA 9.7.13.3, 9.7.9.22,
/// 9.7.9.23, 9.7.9.12 and 9.7.13.7).
final class ClusterLowering {
    private static final int RANK_MASK = 0xff;

    private final CodeBuilder builder;
    private final WarpLowering warp;
    private final MemoryLowering memory;

    ClusterLowering(CodeBuilder builder, WarpLowering warp, MemoryLowering memory) {
        this.builder = builder;
        this.warp = warp;
        this.memory = memory;
    }

    void barrier(BoundInstruction form) {
        warp.join(new Collective.ClusterBarrier(form.has("wait"), form.has("aligned")));
    }

    /// `mapa`: the address of the same place in the shared memory of another CTA.
    void map(BoundInstruction form) {
        ScalarType type = form.type();
        Source address = builder.read(form.operand(1), ScalarType.U32);
        Source rank = builder.read(form.operand(2), ScalarType.U32);
        Source place =
                builder.compute("and32", address, Source.word((int) ((1L << Addresses.RANK) - 1)));
        Source above =
                builder.compute(
                        "shiftLeft32",
                        builder.compute("add32", rank, Source.word(1)),
                        Source.word(Addresses.RANK));
        Source mapped = builder.compute("or32", place, above);
        if (type.bits() == 64) {
            mapped = builder.compute("zeroExtend32", mapped);
            if (!form.has("shared::cluster")) {
                mapped = builder.compute("add64", mapped, Source.longword(Addresses.SHARED));
            }
        }
        builder.write(form.operand(0), mapped, type);
    }

    /// `getctarank`: the rank in an address; the own one where there is none.
    void rank(BoundInstruction form) {
        Source address = builder.read(form.operand(1), ScalarType.U32);
        Source above = builder.compute("shiftRightU32", address, Source.word(Addresses.RANK));
        Source rank =
                builder.compute(
                        "and32",
                        builder.compute("add32", above, Source.word(-1)),
                        Source.word(RANK_MASK));
        Source own = builder.special(SpecialRegister.CLUSTER_CTARANK);
        Source isOwn = builder.compute("equal32", above, Source.word(0));
        builder.write(
                form.operand(0), builder.compute("select32", isOwn, own, rank), ScalarType.U32);
    }

    /// `st.async`: a store, and its bytes counted by an mbarrier of the same CTA.
    void store(BoundInstruction form) {
        List<Source> values = memory.values(form.operand(1), form.type());
        memory.store(form);
        count(form, values.size() * form.type().bytes());
    }

    /// `red.async`, likewise.
    void reduce(BoundInstruction form) {
        memory.atomic(form);
        count(form, form.type().bytes());
    }

    /// Forms on global memory have no mbarrier.
    private void count(BoundInstruction form, int bytes) {
        if (form.operands().size() < 3) {
            return;
        }
        MemoryLowering.Place barrier = memory.place(form.operand(2));
        builder.add(
                new Step.MemoryBarrierObject(
                        builder.site(),
                        builder.guard(),
                        Action.COMPLETE_TRANSACTION,
                        Space.CLUSTER,
                        List.of(),
                        barrier.base(),
                        barrier.offset(),
                        List.of(Source.word(bytes))));
    }
}
