package dev.heddle.vm.lowering;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Step.MemoryBarrierObject.Action;
import dev.heddle.vm.ir.Width;

import java.util.ArrayList;
import java.util.List;

/// Operations on mbarrier objects: PTX ISA 9.7.13.15.
record BarrierObjectLowering(CodeBuilder builder, MemoryOperands operands) {
    /// `mbarrier`.
    void operation(BoundInstruction form) {
        Action action = action(form);
        int first = 0;
        List<Register> targets = new ArrayList<>();
        if (!(form.operand(0) instanceof Operand.Address)) {
            if (!(form.operand(0) instanceof Operand.Sink)) {
                targets.add(builder.destination(form.operand(0), Width.LONG));
            }
            first = 1;
        }
        if (action == Action.PENDING_COUNT) {
            Source state = builder.read(form.operand(1), ScalarType.B64);
            add(action, Space.SHARED, targets, new MemoryOperands.Place(state, 0), List.of());
            return;
        }
        MemoryOperands.Place place = operands.place(form.operand(first));
        List<Source> values = new ArrayList<>();
        boolean stateOperand = action == Action.TEST_WAIT;
        for (int i = first + 1; i < form.operands().size(); i++) {
            values.add(
                    builder.read(
                            form.operand(i),
                            stateOperand && i == first + 1 ? ScalarType.B64 : ScalarType.U32));
        }
        add(action, operands.space(form, form.operand(first)), targets, place, values);
    }

    private void add(
            Action action,
            Space space,
            List<Register> targets,
            MemoryOperands.Place place,
            List<Source> values) {
        builder.add(
                new Step.MemoryBarrierObject(
                        builder.site(),
                        builder.guard(),
                        action,
                        space,
                        targets,
                        place.base(),
                        place.offset(),
                        values));
    }

    private static Action action(BoundInstruction form) {
        List<String> qualifiers = form.instruction().qualifiers();
        boolean incomplete = qualifiers.contains("noComplete");
        return switch (qualifiers.getFirst()) {
            case "init" -> Action.INITIALIZE;
            case "inval" -> Action.INVALIDATE;
            case "arrive" ->
                    form.has("expect_tx")
                            ? Action.ARRIVE_EXPECT_TRANSACTION
                            : incomplete ? Action.ARRIVE_NO_COMPLETE : Action.ARRIVE;
            case "arrive_drop" ->
                    form.has("expect_tx")
                            ? Action.ARRIVE_DROP_EXPECT_TRANSACTION
                            : incomplete ? Action.ARRIVE_DROP_NO_COMPLETE : Action.ARRIVE_DROP;
            case "expect_tx" -> Action.EXPECT_TRANSACTION;
            case "complete_tx" -> Action.COMPLETE_TRANSACTION;
            case "test_wait", "try_wait" ->
                    form.has("parity") ? Action.TEST_WAIT_PARITY : Action.TEST_WAIT;
            case "pending_count" -> Action.PENDING_COUNT;
            default -> unsupported(form);
        };
    }

    private static Action unsupported(BoundInstruction form) {
        throw new UnsupportedInstruction(form);
    }

    /// `cp.async.mbarrier.arrive`.
    void arriveAfterCopies(BoundInstruction form) {
        Action action = form.has("noinc") ? Action.ASYNC_ARRIVE_NO_INCREMENT : Action.ASYNC_ARRIVE;
        MemoryOperands.Place place = operands.place(form.operand(0));
        add(action, operands.space(form, form.operand(0)), List.of(), place, List.of());
    }
}
