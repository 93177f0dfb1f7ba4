package dev.heddle.vm.compiler;

import static dev.heddle.vm.compiler.WarpValues.context;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.shadow.PlannedReads;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Compiles a kernel to machine code.
///
/// All blocks are one function, which is entered at any block or behind a step that Java takes, and
/// left wherever Java is needed: for such a step, at an exit that is no branch, where lanes wait in
/// a block that should run first, and when the budget is spent. Lanes that part from others wait:
/// what they read from there on goes to the frame.
final class MachineCodeEmitter {
    /// Plans of addresses in one stretch of code.
    static final int MOST_PLANS = 64;

    private static final int[] SAVED = {
        Assembler.RBX, Assembler.RBP, Assembler.R12, Assembler.R13, Assembler.R14, Assembler.R15
    };

    private final Code function;
    private final FunctionAnalysis analysis;
    private final Checking checking;
    private final Assembler code = Assembler.forThisProcessor();
    private final WarpValues values;
    private final StretchEmitter stretches;
    private final WarpLoopEmitter loop;
    private final ExitEmitter exits;
    private final Deque<Runnable> later = new ArrayDeque<>();
    private final List<Label> starts = new ArrayList<>();
    private final List<Label> entries = new ArrayList<>();
    private final List<Stop> stops = new ArrayList<>();
    private final List<PlannedReads> planned = new ArrayList<>();
    private final ShadowEmitter shadow;
    private final RowEmitter rows;
    private final Map<Integer, Label> resumptions = new HashMap<>();
    private final Label end = new Label();

    /// Why machine code returned.
    enum Reason {
        /// Lanes are to leave a block by its exit.
        LEAVE,
        /// Lanes are to take a step; they go on behind it in machine code.
        STEP,
        /// Java is to take the notes of what was read; then lanes take a step here.
        NOTES,
        /// Lanes cannot take a step here; Java takes the rest of the block.
        REST,
        /// The budget is spent before a block.
        BUDGET,
        /// All CTAs that were asked for have ended.
        DONE
    }

    /// A place at which machine code returns.
    ///
    /// @param step index in the block, for steps
    record Stop(Reason reason, int block, int step) {
        /// The step that Java is to take.
        Step stepOf(Code code) {
            return code.blocks().get(block).steps().get(step);
        }
    }

    /// What came out.
    ///
    /// @param bytes of the function
    /// @param entries of each block, from the first byte
    /// @param stops by what the function returns
    /// @param resumptions behind steps, by the stop
    /// @param plans by which it reads what is checked, by their numbers
    /// @param accesses to global memory that it looks at, by their numbers
    /// @param products that it calls, by their numbers
    /// @param rows that it reads and notes, by their numbers
    /// @param copies that it begins with checks, by their numbers
    /// @param laneAccesses to global memory that it looks at lane by lane, by their numbers
    @SuppressWarnings("ArrayRecordComponent")
    record Result(
            byte[] bytes,
            int[] entries,
            List<Stop> stops,
            Map<Integer, Integer> resumptions,
            List<PlannedReads> plans,
            List<MemoryEmitter.Plain> accesses,
            List<Collective.Multiply> products,
            List<PlannedReads> rows,
            List<Step.AsyncCopy> copies,
            List<LaneStamps.Access> laneAccesses) {}

    /// @param checking who looks at accesses of memory; where anybody does, blocks note the lanes
    /// that visit them
    MachineCodeEmitter(Code function, FunctionAnalysis analysis, Checking checking) {
        this.function = function;
        this.analysis = analysis;
        this.checking = checking;
        values = new WarpValues(code, new VectorHomes(function, analysis.liveness()));
        shadow = new ShadowEmitter(code, this::later);
        rows =
                new RowEmitter(
                        values,
                        checking,
                        checking == Checking.WARPS ? InPlaceUpdates.loads(function) : Set.of(),
                        this::later);
        stretches = new StretchEmitter(function, analysis, values, checking, shadow, rows, this);
        boolean whole = checking != Checking.WARPS && NativeSteps.runCtas(function);
        loop = new WarpLoopEmitter(function, analysis, values, whole, checking);
        exits = new ExitEmitter(function, analysis, values, checking, rows, loop, this);
    }

    Result emit() {
        for (Block _ : function.blocks()) {
            starts.add(new Label());
            entries.add(new Label());
        }
        begin();
        for (Block block : function.blocks()) {
            block(block);
        }
        for (Block block : function.blocks()) {
            code.bind(entries.get(block.number()));
            values.fill(analysis.liveness().startOf(block));
            code.jump(starts.get(block.number()));
        }
        loop.emit(entries, () -> stop(Reason.DONE, 0, 0, new BitSet()));
        while (!later.isEmpty()) {
            later.remove().run();
        }
        end();
        Map<Integer, Integer> behind = new HashMap<>();
        resumptions.forEach((stop, label) -> behind.put(stop, label.position()));
        return new Result(
                code.finish(),
                entries.stream().mapToInt(Label::position).toArray(),
                List.copyOf(stops),
                behind,
                List.copyOf(checking == Checking.CTAS ? shadow.reads() : planned),
                List.copyOf(shadow.accesses()),
                List.copyOf(exits.products()),
                List.copyOf(rows.reads()),
                List.copyOf(stretches.copies()),
                List.copyOf(stretches.laneAccesses()));
    }

    // In and out.

    private void begin() {
        if (checking == Checking.WARPS) {
            takeStamps();
        }
        for (int register : SAVED) {
            code.push(register);
        }
        code.enter();
        if (checking == Checking.CTAS) {
            loop.takeStamps();
        }
        code.move(WarpValues.ACTIVE, context(WarpContext.MASK));
        code.move(WarpValues.LOWEST, context(WarpContext.LOWEST));
        code.moveLong(WarpValues.BUDGET, context(WarpContext.BUDGET));
        code.moveLong(WarpValues.WORK, context(WarpContext.WORK));
        values.countActive();
        code.moveLong(Assembler.RAX, context(WarpContext.ENTRY));
        code.jumpTo(Assembler.RAX);
    }

    /// Behind the address to return to.
    private void takeStamps() {
        takeStamps(1, WarpContext.STAMPS, WarpContext.STAMPS_FROM);
        takeStamps(2, WarpContext.READS, WarpContext.READS_FROM);
        code.moveLong(Assembler.RAX, Operand.at(Assembler.RSP, 3 * Long.BYTES));
        code.storeLong(context(WarpContext.BYTE_PLACES), Assembler.RAX);
    }

    /// @param from where the place goes from which twice an address in shared memory leads to the
    ///     stamp
    private void takeStamps(int argument, int place, int from) {
        code.moveLong(Assembler.RAX, Operand.at(Assembler.RSP, argument * Long.BYTES));
        code.storeLong(context(place), Assembler.RAX);
        code.arithmeticLong(Arithmetic.SUB, Assembler.RAX, context(WarpContext.SHARED));
        code.arithmeticLong(Arithmetic.SUB, Assembler.RAX, context(WarpContext.SHARED));
        code.storeLong(context(from), Assembler.RAX);
    }

    private void end() {
        code.bind(end);
        code.store(context(WarpContext.MASK), WarpValues.ACTIVE);
        code.store(context(WarpContext.LOWEST), WarpValues.LOWEST);
        code.storeLong(context(WarpContext.BUDGET), WarpValues.BUDGET);
        code.storeLong(context(WarpContext.WORK), WarpValues.WORK);
        if (loop.runsCtas()) {
            Label alone = new Label();
            code.moveLong(Assembler.RBP, context(WarpContext.CTA));
            code.testLong(Assembler.RBP, Assembler.RBP);
            code.jump(Condition.EQUAL, alone);
            code.storeLong(Operand.at(Assembler.RBP, CtaContext.CURRENT), WarpValues.CONTEXT);
            code.bind(alone);
        }
        code.leave();
        for (int i = SAVED.length - 1; i >= 0; i--) {
            code.pop(SAVED[i]);
        }
        code.zeroUpper();
        code.ret();
    }

    /// Returns; what is read from here on goes to the frame.
    private int stop(Reason reason, int block, int step, BitSet live) {
        values.spill(live);
        int number = stops.size();
        stops.add(new Stop(reason, block, step));
        code.moveConstant(Assembler.RAX, number);
        code.jump(end);
        return number;
    }

    /// Leaves the rest of a block to Java.
    void rest(int block, int step, BitSet live) {
        stop(Reason.REST, block, step, live);
    }

    /// Leaves a block by an exit that Java takes.
    void leave(int block, BitSet live) {
        stop(Reason.LEAVE, block, 0, live);
    }

    /// Code that is to stand behind everything else.
    void later(Runnable emission) {
        later.add(emission);
    }

    /// Where a block begins.
    Label start(int block) {
        return starts.get(block);
    }

    // Blocks.

    private void block(Block block) {
        int number = block.number();
        code.bind(starts.get(number));
        charge(block);
        List<Step> steps = block.steps();
        BitSet[] before = liveBefore(block);
        int from = 0;
        for (int i = 0; i < steps.size(); i++) {
            boolean isNative = isNative(steps.get(i)) || steps.get(i) instanceof Step.Hint;
            // Behind a store, loads are to be looked at again.
            boolean ends = checking == Checking.WARPS && NativeSteps.writesShared(steps.get(i));
            if (isNative && !ends) {
                continue;
            }
            stretches.emit(block, from, i, before);
            from = i + 1;
            if (isNative) {
                stretches.emit(block, i, from, before);
                continue;
            }
            pause(Reason.STEP, block, i, before[i], before[from]);
        }
        stretches.emit(block, from, steps.size(), before);
        exits.emit(block, before[steps.size()]);
    }

    /// The registers that are read from before each step on, and at the end.
    private BitSet[] liveBefore(Block block) {
        List<Step> steps = block.steps();
        BitSet[] found = new BitSet[steps.size() + 1];
        Liveness.Point point = analysis.liveness().endOf(block);
        found[steps.size()] = point.live();
        for (int i = steps.size() - 1; i >= 0; i--) {
            point.passBack();
            if (!NativeSteps.isKnown(steps.get(i))
                    || i > 0 && !NativeSteps.isKnown(steps.get(i - 1))) {
                found[i] = point.live();
            }
        }
        return found;
    }

    private boolean isNative(Step step) {
        return NativeSteps.has(step, analysis.parameterBytes(), checking);
    }

    private void charge(Block block) {
        int number = block.number();
        int length = Math.max(1, block.steps().size());
        Label spent = new Label();
        code.testLong(WarpValues.BUDGET, WarpValues.BUDGET);
        code.jump(Condition.LESS_OR_EQUAL, spent);
        code.arithmeticLong(Arithmetic.SUB, WarpValues.BUDGET, length);
        code.arithmeticLongInto(
                Arithmetic.ADD, Operand.at(WarpValues.COUNTS, 8 * number), WarpValues.ACTIVE_COUNT);
        if (checking != Checking.NONE) {
            code.moveLong(Assembler.RBP, context(WarpContext.VISITED));
            code.arithmeticInto(
                    Arithmetic.OR, Operand.at(Assembler.RBP, 4 * number), WarpValues.ACTIVE);
        }
        code.multiply(Assembler.RAX, WarpValues.ACTIVE_COUNT, length);
        code.arithmeticLong(Arithmetic.ADD, WarpValues.WORK, Operand.register(Assembler.RAX));
        BitSet live = analysis.liveness().startOf(block);
        later.add(
                () -> {
                    code.bind(spent);
                    stop(Reason.BUDGET, number, 0, live);
                });
    }

    /// Lets Java do something; lanes go on behind it.
    ///
    /// @param before the registers that Java may read
    /// @param behind those that are read behind it
    void pause(Reason reason, Block block, int index, BitSet before, BitSet behind) {
        int stop = stop(reason, block.number(), index, before);
        Label on = new Label();
        resumptions.put(stop, on);
        code.bind(on);
        values.fill(behind);
    }

    /// The number of a plan by which is read what is checked.
    int add(PlannedReads plan) {
        planned.add(plan);
        return planned.size() - 1;
    }
}
