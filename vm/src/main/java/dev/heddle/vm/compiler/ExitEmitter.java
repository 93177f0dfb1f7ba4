package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Guard;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.List;

/// How blocks end in machine code.
///
/// Branches that lanes agree on are jumps. Lanes that part from others wait: what they read from
/// there on goes to the frame. Where whole CTAs run by machine code, barriers and ends lead to the
/// next warp; all other exits are left to Java.
final class ExitEmitter {
    private final Code function;
    private final FunctionAnalysis analysis;
    private final WarpValues values;
    private final Assembler code;
    private final WarpLoopEmitter loop;
    private final MachineCodeEmitter whole;
    private final ProductEmitter products;
    private final RowEmitter rows;
    private final TileEmitter tiles;
    private final ExchangeEmitter exchanges;

    /// @param checking who looks at accesses of memory
    /// @param rows loads rows of matrices
    /// @param loop over warps
    /// @param whole the code that the exits are in
    ExitEmitter(
            Code function,
            FunctionAnalysis analysis,
            WarpValues values,
            Checking checking,
            RowEmitter rows,
            WarpLoopEmitter loop,
            MachineCodeEmitter whole) {
        this.function = function;
        this.analysis = analysis;
        this.values = values;
        this.loop = loop;
        this.whole = whole;
        code = values.code;
        products = new ProductEmitter(values);
        this.rows = rows;
        tiles = new TileEmitter(values, checking);
        exchanges = new ExchangeEmitter(values);
    }

    /// The products of matrices, by their numbers.
    List<Collective.Multiply> products() {
        return products.products();
    }

    /// Emits the exit of a block.
    ///
    /// @param live what is read there and behind
    void emit(Block block, BitSet live) {
        switch (block.exit()) {
            case Exit.Jump(_, int target) when !DispatcherWriter.spins(block) ->
                    go(target, block.number());
            case Exit.Branch branch when !DispatcherWriter.spins(block) -> branch(block, branch);
            case Exit.Return(_, var guard, int next) when loop.runsCtas() ->
                    end(block, guard, next, live);
            case Exit.ThreadExit(_, var guard, int next) when loop.runsCtas() ->
                    end(block, guard, next, live);
            case Exit.Synchronize joint when loop.runsCtas() && Barriers.isPlain(joint) ->
                    arrive(block, joint, live);
            case Exit.Synchronize joint when ProductEmitter.knows(joint) ->
                    multiply(block, joint, live);
            case Exit.Synchronize joint
                    when RowEmitter.knows(joint)
                            && joint.joint() instanceof Collective.AccessMatrix access ->
                    loadRows(block, joint, access, live);
            case Exit.Synchronize joint
                    when TileEmitter.knows(joint)
                            && joint.joint() instanceof Collective.NameTile tile ->
                    agree(block, joint, tile, live);
            case Exit.Synchronize joint
                    when ExchangeEmitter.knows(joint)
                            && joint.joint() instanceof Collective.Exchange exchange -> {
                exchanges.emit(exchange, java(block, live));
                go(joint.next(), block.number());
            }
            default -> whole.leave(block.number(), live);
        }
    }

    private void loadRows(
            Block block, Exit.Synchronize joint, Collective.AccessMatrix access, BitSet live) {
        Label java = java(block, live);
        rows.address(access, java);
        rows.requireInOrder(access, java);
        rows.emit(joint, access, java);
        go(joint.next(), block.number());
    }

    private void agree(Block block, Exit.Synchronize joint, Collective.NameTile tile, BitSet live) {
        tiles.emit(tile, java(block, live));
        go(joint.next(), block.number());
    }

    /// Where to go if Java is to take the exit of a block.
    private Label java(Block block, BitSet live) {
        Label java = new Label();
        whole.later(
                () -> {
                    code.bind(java);
                    whole.leave(block.number(), live);
                });
        return java;
    }

    private void multiply(Block block, Exit.Synchronize joint, BitSet live) {
        Label java = new Label();
        Label failed = new Label();
        products.emit(joint, live, liveAt(joint.next()), java, failed);
        go(joint.next(), block.number());
        whole.later(
                () -> {
                    code.bind(failed);
                    products.resume(live);
                    code.bind(java);
                    whole.leave(block.number(), live);
                });
    }

    private BitSet liveAt(int block) {
        return analysis.liveness().startOf(function.blocks().get(block));
    }

    /// All lanes that run go to a block: at once unless lanes wait there or before.
    private void go(int target, int from) {
        Label wait = new Label();
        code.arithmetic(Arithmetic.CMP, Operand.register(WarpValues.LOWEST), target);
        code.jump(Condition.LESS_OR_EQUAL, wait);
        if (target != from + 1) {
            code.jump(whole.start(target));
        }
        whole.later(
                () -> {
                    code.bind(wait);
                    values.spill(liveAt(target));
                    loop.park(target);
                });
    }

    private void branch(Block block, Exit.Branch branch) {
        if (branch.taken() == branch.next()) {
            go(branch.next(), block.number());
            return;
        }
        Label all = new Label();
        Label part = new Label();
        split(branch.guard(), all, part);
        go(branch.next(), block.number());
        whole.later(
                () -> {
                    code.bind(part);
                    part(branch);
                    code.bind(all);
                    go(branch.taken(), -2);
                });
    }

    /// Leaves the lanes in RAX for which a guard holds; goes on where there are none.
    private void split(Guard guard, Label all, Label part) {
        code.move(Assembler.RAX, Operand.register(WarpValues.ACTIVE));
        values.restrict(Assembler.RAX, guard);
        code.arithmetic(Arithmetic.CMP, Assembler.RAX, Operand.register(WarpValues.ACTIVE));
        code.jump(Condition.EQUAL, all);
        code.test(Assembler.RAX, Assembler.RAX);
        code.jump(Condition.NOT_EQUAL, part);
    }

    /// Lanes part, those in RAX take the branch: those with the larger target wait.
    private void part(Exit.Branch branch) {
        int smaller = Math.min(branch.taken(), branch.next());
        int larger = Math.max(branch.taken(), branch.next());
        Label first = new Label();
        if (larger == branch.next()) {
            code.arithmetic(Arithmetic.XOR, Assembler.RAX, Operand.register(WarpValues.ACTIVE));
        }
        values.setInactive(Assembler.RAX);
        values.spill(liveAt(larger));
        code.arithmeticInto(
                Arithmetic.OR, Operand.at(WarpValues.PENDING, 4 * larger), Assembler.RAX);
        code.arithmeticInto(
                Arithmetic.OR,
                Operand.at(WarpValues.CONTEXT, WarpContext.PENDING_LANES),
                Assembler.RAX);
        code.arithmetic(Arithmetic.CMP, Operand.register(WarpValues.LOWEST), larger);
        code.jump(Condition.LESS_OR_EQUAL, first);
        code.moveConstant(WarpValues.LOWEST, larger);
        code.bind(first);
        code.arithmetic(Arithmetic.XOR, WarpValues.ACTIVE, Operand.register(Assembler.RAX));
        values.countActive();
        go(smaller, -2);
    }

    // Whole CTAs.

    /// Lanes end where a guard holds; the others go on.
    private void end(Block block, @Nullable Guard guard, int next, BitSet live) {
        Label java = java(block, live);
        loop.unlessCta(java);
        loop.ifAwaited(java);
        if (guard == null) {
            loop.end(block);
            return;
        }
        Label all = new Label();
        Label part = new Label();
        split(guard, all, part);
        go(next, block.number());
        whole.later(
                () -> {
                    code.bind(part);
                    loop.endSome(block);
                    go(next, -2);
                    code.bind(all);
                    loop.end(block);
                });
    }

    /// All lanes of a warp arrive at a barrier: the next warp runs, unless this one is the last.
    private void arrive(Block block, Exit.Synchronize joint, BitSet live) {
        Label java = new Label();
        loop.unlessCta(java);
        loop.unlessWhole(java);
        Label last = new Label();
        loop.arrive(last);
        values.spillWhole(liveAt(joint.next()));
        loop.await(block, joint.next());
        whole.later(
                () -> {
                    code.bind(last);
                    loop.release();
                    code.jump(whole.start(joint.next()));
                    code.bind(java);
                    whole.leave(block.number(), live);
                });
    }
}
