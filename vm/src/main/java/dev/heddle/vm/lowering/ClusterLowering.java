package dev.heddle.vm.lowering;

import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.vm.ir.OperationKind.ADD;
import static dev.heddle.vm.ir.OperationKind.AND;
import static dev.heddle.vm.ir.OperationKind.EQ;
import static dev.heddle.vm.ir.OperationKind.HIGH;
import static dev.heddle.vm.ir.OperationKind.NE;
import static dev.heddle.vm.ir.OperationKind.OR;
import static dev.heddle.vm.ir.OperationKind.SELP;
import static dev.heddle.vm.ir.OperationKind.SHL;
import static dev.heddle.vm.ir.OperationKind.SHR;
import static dev.heddle.vm.ir.OperationKind.TRUNC;
import static dev.heddle.vm.ir.OperationKind.ZEXT;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.SpecialRegister;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Step.MemoryBarrierObject.Action;

import java.util.List;

/// What the CTAs of a cluster do with each other: their barrier, the addresses of each other's
/// shared memory, and stores and reductions that an mbarrier counts (PTX ISA 9.7.13.3, 9.7.9.22,
/// 9.7.9.23, 9.7.9.12 and 9.7.13.7).
record ClusterLowering(
        CodeBuilder builder, WarpLowering warp, MemoryLowering memory, MemoryOperands operands) {
    private static final int RANK_MASK = 0xff;

    void barrier(BoundInstruction form) {
        warp.join(new Collective.ClusterBarrier(form.has("wait"), form.has("aligned")));
    }

    /// `mapa`: the address of the same place in the shared memory of another CTA.
    void map(BoundInstruction form) {
        ScalarType type = form.type();
        Source address = builder.read(form.operand(1), ScalarType.U32);
        Source rank = builder.read(form.operand(2), ScalarType.U32);
        Source place =
                builder.compute(AND, B32, address, Source.word((int) ((1L << Addresses.RANK) - 1)));
        Source above =
                builder.compute(
                        SHL,
                        B32,
                        builder.compute(ADD, B32, rank, Source.word(1)),
                        Source.word(Addresses.RANK));
        Source mapped = builder.compute(OR, B32, place, above);
        if (type.bits() == 64) {
            mapped = builder.compute(Operation.from(B32, ZEXT, B64), mapped);
            if (!form.has("shared::cluster")) {
                mapped = builder.compute(ADD, B64, mapped, Source.longword(Addresses.SHARED));
            }
        }
        builder.write(form.operand(0), mapped, type);
    }

    /// `getctarank`: the rank in an address; the own one where there is none.
    void rank(BoundInstruction form) {
        Source address = builder.read(form.operand(1), ScalarType.U32);
        Source above = builder.compute(SHR, U32, address, Source.word(Addresses.RANK));
        Source rank =
                builder.compute(
                        AND,
                        B32,
                        builder.compute(ADD, B32, above, Source.word(-1)),
                        Source.word(RANK_MASK));
        Source own = builder.special(SpecialRegister.CLUSTER_CTARANK);
        Source isOwn = builder.compute(EQ, B32, above, Source.word(0));
        builder.write(
                form.operand(0), builder.compute(SELP, B32, isOwn, own, rank), ScalarType.U32);
    }

    /// `st.async`: a store, and its bytes counted by an mbarrier of the same CTA.
    void store(BoundInstruction form) {
        List<Source> values = operands.values(form.operand(1), form.type());
        memory.store(form);
        count(form, values.size() * form.type().bytes());
    }

    /// `red.async`, likewise.
    void reduce(BoundInstruction form) {
        memory.atomic(form);
        count(form, form.type().bytes());
    }

    /// `clusterlaunchcontrol.query_cancel`, of an answer in four words: x, y and z of the
    /// first CTA, and 1 if there is one.
    void query(BoundInstruction form) {
        CodeBuilder.Wide answer = builder.readWide(form.operand(1));
        Source x = builder.compute(Operation.from(B64, TRUNC, B32), answer.low());
        Source y = builder.compute(Operation.from(B64, HIGH, B32), answer.low());
        Source z = builder.compute(Operation.from(B64, TRUNC, B32), answer.high());
        Source found = builder.compute(Operation.from(B64, HIGH, B32), answer.high());
        switch (form.oneOf(
                "is_canceled",
                "get_first_ctaid",
                "get_first_ctaid::x",
                "get_first_ctaid::y",
                "get_first_ctaid::z")) {
            case "is_canceled" ->
                    builder.write(
                            form.operand(0),
                            builder.compute(NE, B32, found, Source.word(0)),
                            ScalarType.PRED);
            case "get_first_ctaid" -> {
                List<Operand> targets = MemoryOperands.elements(form.operand(0));
                List<Source> values = List.of(x, y, z, found);
                for (int i = 0; i < targets.size(); i++) {
                    builder.write(targets.get(i), values.get(i), B32);
                }
            }
            case "get_first_ctaid::x" -> builder.write(form.operand(0), x, B32);
            case "get_first_ctaid::y" -> builder.write(form.operand(0), y, B32);
            default -> builder.write(form.operand(0), z, B32);
        }
    }

    /// Forms on global memory have no mbarrier.
    private void count(BoundInstruction form, int bytes) {
        if (form.operands().size() < 3) {
            return;
        }
        MemoryOperands.Place barrier = operands.place(form.operand(2));
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
