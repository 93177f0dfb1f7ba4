package dev.heddle.vm.compiler;

import static dev.heddle.vm.compiler.WarpValues.CTA;
import static dev.heddle.vm.compiler.WarpValues.context;
import static dev.heddle.vm.compiler.WarpValues.cta;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.SpecialRegister;

import java.util.ArrayList;
import java.util.List;

/// What runs next in machine code: lanes of a warp that wait at blocks; and where whole CTAs run by
/// machine code, the warps of a CTA from barrier to barrier, and one CTA after the other.
///
/// The warps' registers then stand behind their contexts ([CtaContext]), one warp at a fixed
/// distance from the next.
final class WarpLoopEmitter {
    private static final int NONE = Integer.MAX_VALUE;

    private final FunctionAnalysis analysis;
    private final WarpValues values;
    private final Assembler code;
    private final boolean runsCtas;
    private final Checking checking;
    private final int blocks;
    private final CtaMemoryEmitter memory;
    private final CtaContext.Layout layout;
    private final List<Integer> ends = new ArrayList<>();
    private final Label park = new Label();
    private final Label pick = new Label();
    private final Label start = new Label();
    private final Label nextWarp = new Label();
    private final Label warpEnds = new Label();

    /// @param runsCtas whether whole CTAs run by this code
    /// @param checking who looks at accesses of memory
    WarpLoopEmitter(
            Code function,
            FunctionAnalysis analysis,
            WarpValues values,
            boolean runsCtas,
            Checking checking) {
        this.analysis = analysis;
        this.values = values;
        this.runsCtas = runsCtas;
        this.checking = checking;
        code = values.code;
        memory = new CtaMemoryEmitter(code, function.gaps());
        blocks = function.blocks().size();
        layout = new CtaContext.Layout(function);
        for (Block block : function.blocks()) {
            if (CtaContext.ends(block)) {
                ends.add(block.number());
            }
        }
    }

    boolean runsCtas() {
        return runsCtas;
    }

    /// The stamps of shared memory came where the registers of a warp come that runs by itself.
    void takeStamps() {
        code.moveLong(CTA, context(WarpContext.CTA));
        code.storeLong(cta(CtaContext.WRITES), WarpValues.WORDS);
        code.storeLong(cta(CtaContext.READS), WarpValues.LONGS);
        code.address(WarpValues.WORDS, context(layout.words()));
        code.address(WarpValues.LONGS, context(layout.longs()));
    }

    // What blocks do.

    /// The lanes that run wait at a block; what they read from there on is in the frame.
    void park(int block) {
        code.moveConstant(Assembler.RAX, block);
        code.jump(park);
    }

    /// Goes elsewhere if the warp runs by itself.
    void unlessCta(Label elsewhere) {
        code.moveLong(CTA, context(WarpContext.CTA));
        code.testLong(CTA, CTA);
        code.jump(Condition.EQUAL, elsewhere);
    }

    /// Goes elsewhere if not all lanes of the warp that are left run. With checks, if any thread of
    /// the CTA has ended, or no clock is left: what is over for whom is then for Java to say.
    void unlessWhole(Label elsewhere) {
        boolean isChecked = checking == Checking.CTAS;
        code.arithmetic(
                Arithmetic.CMP,
                WarpValues.ACTIVE,
                context(isChecked ? WarpContext.INITIAL : WarpContext.LIVE));
        code.jump(Condition.NOT_EQUAL, elsewhere);
        if (isChecked) {
            code.move(Assembler.RBP, cta(CtaContext.WARPS));
            code.arithmetic(Arithmetic.CMP, Assembler.RBP, cta(CtaContext.ALIVE));
            code.jump(Condition.NOT_EQUAL, elsewhere);
            code.moveLong(Assembler.RBP, cta(CtaContext.NOW));
            code.arithmeticLong(Arithmetic.CMP, Assembler.RBP, cta(CtaContext.LAST_NOW));
            code.jump(Condition.ABOVE_OR_EQUAL, elsewhere);
        }
    }

    /// With checks, goes elsewhere if others wait for the warp at a barrier.
    void ifAwaited(Label elsewhere) {
        if (checking == Checking.CTAS) {
            code.arithmetic(Arithmetic.CMP, cta(CtaContext.WAITING), 0);
            code.jump(Condition.NOT_EQUAL, elsewhere);
        }
    }

    /// Counts the warp in at a barrier. Goes elsewhere if it is the last: all may go on.
    void arrive(Label last) {
        code.moveConstant(Assembler.RBP, 1);
        code.arithmeticInto(Arithmetic.ADD, cta(CtaContext.WAITING), Assembler.RBP);
        code.move(Assembler.RBP, cta(CtaContext.WAITING));
        code.arithmetic(Arithmetic.CMP, Assembler.RBP, cta(CtaContext.ALIVE));
        code.jump(Condition.EQUAL, last);
    }

    /// All warps have arrived at a barrier.
    void release() {
        code.storeConstant(cta(CtaContext.WAITING), 0);
        code.moveConstant(Assembler.RBP, 1);
        code.arithmeticLongInto(Arithmetic.ADD, cta(CtaContext.ROUND), Assembler.RBP);
        if (checking == Checking.CTAS) {
            code.arithmeticLongInto(Arithmetic.ADD, cta(CtaContext.GLOBAL_NOW), Assembler.RBP);
            code.moveLong(Assembler.RBP, code.longword(CtaMemoryEmitter.ONE_CLOCK));
            code.arithmeticLongInto(Arithmetic.ADD, cta(CtaContext.NOW), Assembler.RBP);
            memory.forgetReads();
        }
    }

    /// The warp waits at the barrier of a block, behind which it goes on at the next.
    void await(Block block, int next) {
        code.storeConstant(context(WarpContext.AT), block.number());
        code.moveLong(Assembler.RBP, cta(CtaContext.ROUND));
        code.storeLong(context(WarpContext.WAITS), Assembler.RBP);
        resumeAt(next);
        code.jump(nextWarp);
    }

    /// Lets the warp go on at an entry when its turn comes.
    private void resumeAt(int entry) {
        code.moveLong(Assembler.RBP, context(WarpContext.ENTRIES));
        code.moveLong(Assembler.RBP, Operand.at(Assembler.RBP, 8 * entry));
        code.storeLong(context(WarpContext.ENTRY), Assembler.RBP);
    }

    private Operand endedAt(Block block) {
        return context(WarpContext.ENDED + 4 * ends.indexOf(block.number()));
    }

    /// The lanes that run end.
    void end(Block block) {
        code.arithmeticInto(Arithmetic.OR, endedAt(block), WarpValues.ACTIVE);
        code.arithmeticInto(Arithmetic.XOR, context(WarpContext.LIVE), WarpValues.ACTIVE);
        code.arithmetic(Arithmetic.CMP, context(WarpContext.PENDING_LANES), 0);
        code.jump(Condition.NOT_EQUAL, pick);
        code.storeConstant(context(WarpContext.AT), block.number());
        resumeAt(layout.skip());
        code.jump(warpEnds);
    }

    /// The lanes in RAX end, others go on.
    void endSome(Block block) {
        code.arithmeticInto(Arithmetic.OR, endedAt(block), Assembler.RAX);
        code.arithmeticInto(Arithmetic.XOR, context(WarpContext.LIVE), Assembler.RAX);
        code.arithmetic(Arithmetic.XOR, WarpValues.ACTIVE, Operand.register(Assembler.RAX));
        values.countActive();
    }

    // What they lead to.

    /// Emits what blocks jump to.
    ///
    /// @param entries of the blocks; the loop adds its own
    /// @param done emits the return when all CTAs have ended
    void emit(List<Label> entries, Runnable done) {
        lanes();
        if (runsCtas) {
            code.bind(start);
            start(entries.getFirst());
            warps(done);
            entries.add(start);
            entries.add(nextWarp);
        }
    }

    /// Lanes wait at the block in RAX; those at the smallest block are next.
    private void lanes() {
        code.bind(park);
        code.multiply(Assembler.R13, Assembler.RAX, 4);
        code.arithmeticLong(Arithmetic.ADD, Assembler.R13, Operand.register(WarpValues.PENDING));
        code.arithmeticInto(Arithmetic.OR, Operand.at(Assembler.R13, 0), WarpValues.ACTIVE);
        code.arithmeticInto(Arithmetic.OR, context(WarpContext.PENDING_LANES), WarpValues.ACTIVE);
        code.arithmetic(Arithmetic.CMP, Assembler.RAX, Operand.register(WarpValues.LOWEST));
        code.jump(Condition.GREATER, pick);
        code.move(WarpValues.LOWEST, Operand.register(Assembler.RAX));
        code.bind(pick);
        code.multiply(Assembler.RAX, WarpValues.LOWEST, 8);
        code.multiply(Assembler.R13, WarpValues.LOWEST, 4);
        code.arithmeticLong(Arithmetic.ADD, Assembler.R13, Operand.register(WarpValues.PENDING));
        code.move(WarpValues.ACTIVE, Operand.at(Assembler.R13, 0));
        code.storeConstant(Operand.at(Assembler.R13, 0), 0);
        code.arithmeticInto(Arithmetic.XOR, context(WarpContext.PENDING_LANES), WarpValues.ACTIVE);
        code.arithmeticLong(Arithmetic.ADD, Assembler.RAX, context(WarpContext.ENTRIES));
        code.moveConstant(WarpValues.LOWEST, NONE);
        code.arithmetic(Arithmetic.CMP, context(WarpContext.PENDING_LANES), 0);
        Label found = new Label();
        code.jump(Condition.EQUAL, found);
        Label look = new Label();
        code.bind(look);
        code.arithmeticLong(Arithmetic.ADD, Assembler.R13, 4);
        code.arithmetic(Arithmetic.CMP, Operand.at(Assembler.R13, 0), 0);
        code.jump(Condition.EQUAL, look);
        code.arithmeticLong(Arithmetic.SUB, Assembler.R13, Operand.register(WarpValues.PENDING));
        code.shiftRight(Assembler.R13, 2);
        code.move(WarpValues.LOWEST, Operand.register(Assembler.R13));
        code.bind(found);
        values.countActive();
        code.moveLong(Assembler.RAX, Operand.at(Assembler.RAX, 0));
        code.jumpTo(Assembler.RAX);
    }

    /// A warp of a new CTA begins.
    private void start(Label entry) {
        code.moveLong(CTA, context(WarpContext.CTA));
        place(SpecialRegister.CTAID_X, CtaContext.X);
        place(SpecialRegister.CTAID_Y, CtaContext.Y);
        place(SpecialRegister.CTAID_Z, CtaContext.Z);
        for (int i = 0; i < ends.size(); i++) {
            code.storeConstant(context(WarpContext.ENDED + 4 * i), 0);
        }
        if (checking == Checking.CTAS) {
            clearVisits();
        }
        analysis.entry().clear(values);
        code.move(WarpValues.ACTIVE, context(WarpContext.INITIAL));
        code.store(context(WarpContext.LIVE), WarpValues.ACTIVE);
        values.countActive();
        code.jump(entry);
    }

    private void place(SpecialRegister register, int offset) {
        code.move(Assembler.RBP, cta(offset));
        code.store(context(PredefinedRegisters.placeOf(register)), Assembler.RBP);
    }

    /// The warps in turn, as far as their barriers; then the next CTA.
    private void warps(Runnable done) {
        Label run = new Label();
        Label over = new Label();
        Label released = new Label();
        code.bind(warpEnds);
        code.moveLong(CTA, context(WarpContext.CTA));
        code.arithmetic(Arithmetic.SUB, cta(CtaContext.ALIVE), 1);
        code.jump(Condition.EQUAL, over);
        code.move(Assembler.RBP, cta(CtaContext.ALIVE));
        code.arithmetic(Arithmetic.CMP, Assembler.RBP, cta(CtaContext.WAITING));
        code.jump(Condition.NOT_EQUAL, released);
        release();
        code.bind(released);
        code.bind(nextWarp);
        code.moveLong(CTA, context(WarpContext.CTA));
        code.arithmeticLong(Arithmetic.ADD, WarpValues.CONTEXT, layout.stride());
        code.arithmeticLong(Arithmetic.CMP, WarpValues.CONTEXT, cta(CtaContext.END));
        code.jump(Condition.NOT_EQUAL, run);
        code.moveLong(WarpValues.CONTEXT, cta(CtaContext.FIRST));
        code.bind(run);
        code.address(WarpValues.WORDS, context(layout.words()));
        code.address(WarpValues.LONGS, context(layout.longs()));
        code.address(WarpValues.PREDICATES, context(layout.predicates()));
        code.address(WarpValues.PENDING, context(layout.pending()));
        code.moveConstant(WarpValues.LOWEST, NONE);
        code.move(WarpValues.ACTIVE, context(WarpContext.LIVE));
        values.countActive();
        code.moveLong(Assembler.RAX, context(WarpContext.ENTRY));
        code.jumpTo(Assembler.RAX);
        code.bind(over);
        release();
        code.arithmetic(Arithmetic.SUB, cta(CtaContext.LEFT), 1);
        Label all = new Label();
        code.jump(Condition.EQUAL, all);
        advance();
        code.jump(run);
        code.bind(all);
        done.run();
    }

    /// The next CTA, its warps at their start.
    private void advance() {
        Label placed = new Label();
        count(CtaContext.X, CtaContext.ACROSS_X, placed);
        count(CtaContext.Y, CtaContext.ACROSS_Y, placed);
        code.arithmetic(Arithmetic.ADD, cta(CtaContext.Z), 1);
        code.bind(placed);
        code.move(Assembler.RBP, cta(CtaContext.WARPS));
        code.store(cta(CtaContext.ALIVE), Assembler.RBP);
        memory.clear();
        if (checking == Checking.CTAS) {
            memory.beginStamps();
        }
        Label warp = new Label();
        code.moveLong(WarpValues.CONTEXT, cta(CtaContext.FIRST));
        code.bind(warp);
        code.storeConstant(context(WarpContext.AT), CtaContext.NOT_BEGUN);
        resumeAt(layout.start());
        code.arithmeticLong(Arithmetic.ADD, WarpValues.CONTEXT, layout.stride());
        code.arithmeticLong(Arithmetic.CMP, WarpValues.CONTEXT, cta(CtaContext.END));
        code.jump(Condition.NOT_EQUAL, warp);
        code.moveLong(WarpValues.CONTEXT, cta(CtaContext.FIRST));
    }

    /// One further in a direction, or back to the beginning and on.
    private void count(int place, int across, Label placed) {
        code.move(Assembler.RBP, cta(place));
        code.arithmeticLong(Arithmetic.ADD, Assembler.RBP, 1);
        code.store(cta(place), Assembler.RBP);
        code.arithmetic(Arithmetic.CMP, Assembler.RBP, cta(across));
        code.jump(Condition.NOT_EQUAL, placed);
        code.storeConstant(cta(place), 0);
    }

    /// No lanes have visited a block yet.
    private void clearVisits() {
        int zero = WarpValues.RESULT;
        code.vector(Evex.VPXORD, zero, zero, Operand.register(zero));
        code.moveLong(Assembler.RBP, context(WarpContext.VISITED));
        for (int at = 0; at < 4 * blocks; at += 64) {
            code.vector(Evex.VMOVDQU32_STORE, zero, 0, Operand.at(Assembler.RBP, at));
        }
    }
}
