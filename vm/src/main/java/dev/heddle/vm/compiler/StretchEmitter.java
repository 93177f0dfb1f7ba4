package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.vm.compiler.MachineCodeEmitter.Reason;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.DefinednessStep;
import dev.heddle.vm.ir.Step;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Steps that follow on one another in machine code.
///
/// They stand there twice where addresses are planned: first for addresses that are as the code
/// makes likely ([LaneVaryingRegisters]), which is tested once for each plan; and behind everything
/// else for all others, which is where a test that fails leads.
final class StretchEmitter {
    private final LaneVaryingRegisters lanes;
    private final WarpValues values;
    private final Assembler code;
    private final MachineCodeEmitter whole;
    private final ArithmeticEmitter arithmetic;
    private final DivisorEmitter divisors;
    private final MemoryEmitter memory;
    private final AsyncCopyEmitter copies;
    private final CopyShadowEmitter copyShadow;
    private final LaneStampEmitter laneStamps;
    private final Checking checking;
    private final ShadowEmitter shadow;
    private final RowEmitter rows;

    /// @param checking who looks at accesses of memory
    /// @param shadow looks at them in machine code
    /// @param rows looks at what lanes load from shared memory
    /// @param whole the code that the steps are in
    StretchEmitter(
            Code function,
            FunctionAnalysis analysis,
            WarpValues values,
            Checking checking,
            ShadowEmitter shadow,
            RowEmitter rows,
            MachineCodeEmitter whole) {
        this.whole = whole;
        this.values = values;
        this.checking = checking;
        this.shadow = shadow;
        this.rows = rows;
        lanes = new LaneVaryingRegisters(function);
        code = values.code;
        arithmetic = new ArithmeticEmitter(values, analysis.demandedNans());
        divisors = new DivisorEmitter(values);
        laneStamps = new LaneStampEmitter(values, whole::later);
        SharedStampEmitter writes = new SharedStampEmitter(values, whole::later);
        memory =
                new MemoryEmitter(values, checking, shadow, laneStamps, rows, writes, whole::later);
        copyShadow = new CopyShadowEmitter(code, laneStamps, writes, whole::later);
        copies =
                new AsyncCopyEmitter(values, writes, checking == Checking.NONE ? null : copyShadow);
    }

    /// The copies that begin with checks, by their numbers.
    List<Step.AsyncCopy> copies() {
        return copyShadow.copies();
    }

    /// The accesses to global memory that are looked at lane by lane, by their numbers.
    List<LaneStamps.Access> laneAccesses() {
        return laneStamps.accesses();
    }

    /// Emits steps of a block.
    ///
    /// @param from index of the first
    /// @param to index behind the last
    /// @param before the registers that are read from before each step on
    void emit(Block block, int from, int to, BitSet[] before) {
        List<Step> steps = block.steps().subList(from, to);
        IdentityHashMap<Step, AddressPlan> plans = AddressPlan.of(steps, lanes);
        if (checking == Checking.WARPS) {
            // Plans are for what is looked at as a whole.
            plans.keySet()
                    .removeIf(step -> !NativeSteps.isPlannedWithChecks(step) || !rows.notes(step));
        }
        Map<Integer, Label> unlikely = new HashMap<>();
        BitSet begun = new BitSet();
        Set<Step> seen = new HashSet<>();
        for (int i = from; i < to; i++) {
            Step step = block.steps().get(i);
            AddressPlan plan = plans.get(step);
            if (plan == null) {
                emit(block, i, null, before);
                values.endStep(block.number(), i);
                continue;
            }
            if (plan.begins()) {
                Label other = new Label();
                plan(plan);
                plan.compareKind(code, plan.likely());
                code.jump(Condition.NOT_EQUAL, other);
                unlikely.put(i, other);
                begun.set(i);
            }
            MemoryEmitter.Plain plain = MemoryEmitter.plain(step);
            if (plain != null && memory.isDirect(plain, plan)) {
                if (checking == Checking.CTAS && seen.add(step)) {
                    List<MemoryEmitter.Plain> together = together(block, i, to, plan, plans);
                    together.forEach(each -> seen.add(each.step()));
                    Label other = unlikely.computeIfAbsent(i, _ -> new Label());
                    look(plan, together, other);
                }
                memory.direct(plain, plan);
            } else {
                emit(block, i, plan, before);
            }
            values.endStep(block.number(), i);
        }
        if (unlikely.isEmpty()) {
            return;
        }
        Label on = new Label();
        code.bind(on);
        whole.later(
                () -> {
                    unlikely(block, to, unlikely, begun, plans, before);
                    code.jump(on);
                });
    }

    /// Looks at accesses of a plan that are likely as the plan takes for likely. Where they are not
    /// in order at first sight, none of the plan's counts as planned any more.
    private void look(AddressPlan plan, List<MemoryEmitter.Plain> together, Label other) {
        Label unknown = new Label();
        if (together.getFirst().global() || together.getFirst().store()) {
            shadow.look(plan, together.getFirst(), plan.likely(), unknown);
        } else {
            shadow.loads(plan, together, plan.likely(), unknown);
        }
        whole.later(
                () -> {
                    code.bind(unknown);
                    plan.setNothing(code);
                    code.jump(other);
                });
    }

    /// Loads of one plan from shared memory, of which the first is given, with no store between
    /// them: they can be looked at together. Any other access by itself.
    private List<MemoryEmitter.Plain> together(
            Block block,
            int index,
            int to,
            AddressPlan plan,
            IdentityHashMap<Step, AddressPlan> plans) {
        List<MemoryEmitter.Plain> found = new ArrayList<>();
        for (int i = index; i < to; i++) {
            Step step = block.steps().get(i);
            MemoryEmitter.Plain plain = MemoryEmitter.plain(step);
            if (plain == null) {
                continue;
            }
            boolean isSame = plans.get(step) == plan && memory.isDirect(plain, plan);
            if (isSame && (i == index || !plain.store())) {
                found.add(plain);
            }
            if (plain.store() || plain.global() && i == index) {
                break;
            }
        }
        return found;
    }

    /// The same from the first plan on, for addresses of any kind.
    ///
    /// @param entries where to come in, by the step
    /// @param begun the steps with whose plan to begin
    private void unlikely(
            Block block,
            int to,
            Map<Integer, Label> entries,
            BitSet begun,
            IdentityHashMap<Step, AddressPlan> plans,
            BitSet[] before) {
        int first = entries.keySet().stream().mapToInt(Integer::intValue).min().orElse(to);
        for (int i = first; i < to; i++) {
            AddressPlan plan = plans.get(block.steps().get(i));
            Label entry = entries.get(i);
            if (entry != null && plan != null) {
                if (i > first && begun.get(i)) {
                    plan(plan);
                }
                code.bind(entry);
            }
            emit(block, i, plan, before);
            values.endStep(block.number(), i);
        }
    }

    private void emit(Block block, int index, @Nullable AddressPlan plan, BitSet[] before) {
        Step step = block.steps().get(index);
        switch (step) {
            case Step.Hint _ -> {}
            case Step.Compute compute -> arithmetic.emit(compute);
            case DefinednessStep.RequireDivisor divisor -> {
                Label zero = new Label();
                divisors.emit(divisor, zero);
                leaveAt(zero, block, index, before);
            }
            case Step.ReadSpecial special ->
                    memory.elements()
                            .special(special, PredefinedRegisters.placeOf(special.special()));
            case Step.AsyncGroup _ -> {
                if (checking == Checking.WARPS) {
                    Label fault = new Label();
                    copyShadow.commit(fault);
                    leaveAt(fault, block, index, before);
                }
            }
            case Step.AsyncCopy copy -> {
                Label again = new Label();
                code.bind(again);
                MemoryEmitter.Otherwise otherwise = MemoryEmitter.Otherwise.of();
                copies.emit(copy, otherwise);
                leaveAt(otherwise.fault(), block, index, before);
                takeNotes(otherwise.noted(), again, block, index, before[index]);
            }
            default -> {
                MemoryEmitter.Plain plain = MemoryEmitter.plain(step);
                if (plain == null) {
                    memory.elements().parameter((Step.Load) step);
                    return;
                }
                Label again = new Label();
                code.bind(again);
                MemoryEmitter.Otherwise otherwise = MemoryEmitter.Otherwise.of();
                memory.emit(plain, plan, otherwise);
                leaveAt(otherwise.fault(), block, index, before);
                if (!plain.global()) {
                    takeNotes(otherwise.noted(), again, block, index, before[index]);
                }
            }
        }
    }

    /// Where a step cannot be taken: with checks Java takes it, and else the rest of the block.
    private void leaveAt(Label fault, Block block, int index, BitSet[] before) {
        Label done = new Label();
        code.bind(done);
        whole.later(
                () -> {
                    code.bind(fault);
                    if (checking == Checking.NONE) {
                        whole.rest(block.number(), index, before[index]);
                        return;
                    }
                    whole.pause(Reason.STEP, block, index, before[index], before[index + 1]);
                    code.jump(done);
                });
    }

    /// Java takes the notes of what was read; a step is taken again then.
    private void takeNotes(Label noted, Label again, Block block, int index, BitSet before) {
        if (checking == Checking.WARPS) {
            whole.later(
                    () -> {
                        code.bind(noted);
                        whole.pause(Reason.NOTES, block, index, before, before);
                        code.jump(again);
                    });
        }
    }

    /// Finds out what addresses are like. With checks, what is read by a plan is noted before the
    /// first load.
    private void plan(AddressPlan plan) {
        memory.plan(plan);
        if (checking == Checking.WARPS) {
            plan.note(code, whole.add(plan.reads()));
        }
    }
}
