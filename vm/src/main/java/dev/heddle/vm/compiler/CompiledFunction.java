package dev.heddle.vm.compiler;

import dev.heddle.vm.interpreter.Interpreter;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.state.Frame;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// A function as bytecode, in pieces of consecutive blocks, each a class of its own.
///
/// A class file holds at most 65,535 constants, and a large kernel needs more: a piece stays below,
/// whatever its steps. Unless [#compile] was called, a piece is compiled when lanes have run
/// through it some times; until then it is interpreted, which is sooner done. Where compilation
/// goes on beside the launch, it is interpreted until its code is there.
///
/// Where a piece cannot be compiled, the whole function is interpreted, and [#trouble] says why.
final class CompiledFunction {
    /// Steps of a piece, unless its only block has more.
    static final int PIECE_STEPS = 4_000;

    /// Runs through a piece after which it is compiled: compiling a step takes about as long as
    /// interpreting it so many times.
    private static final int RUNS = 8;

    /// The same where it is compiled beside the launch: in a young process, on few cores, that
    /// takes from the launch, and most kernels of a test have ended before.
    private static final int RUNS_BESIDE = 64;

    private final Code code;
    private final boolean vectors;
    private final PieceCompiler compiler;
    private final CompileQueue queue;
    private final int[] firsts;
    private final AtomicReferenceArray<@Nullable CompiledCode> pieces;
    private final Interpreter interpreter = new Interpreter();

    // Steps before a piece is compiled, and before machine code is made. Workers may lose one
    // another's: nothing depends on it.
    private final int[] pauses;
    private int pause;

    // Whether what is needed is compiled at once, by the worker that needs it.
    private volatile boolean isEager;

    // Whether [#compile] was through with it: each launch asks.
    private volatile boolean isCompiled;

    private volatile @Nullable FunctionAnalysis analysis;
    private final AtomicReferenceArray<@Nullable MachineCode> machines =
            new AtomicReferenceArray<>(Checking.values().length);
    private final AtomicIntegerArray asked = new AtomicIntegerArray(Checking.values().length);
    private volatile boolean[] tried = new boolean[Checking.values().length];
    private volatile @Nullable String trouble;

    /// Compiles a piece; tests have others.
    interface PieceCompiler {
        /// The code of consecutive blocks.
        CompiledCode compile(List<Block> blocks, FunctionAnalysis analysis, boolean vectors);
    }

    CompiledFunction(Code code, boolean vectors, PieceCompiler compiler, CompileQueue queue) {
        this.code = code;
        this.vectors = vectors;
        this.compiler = compiler;
        this.queue = queue;
        firsts = cut(code.blocks());
        pieces = new AtomicReferenceArray<>(firsts.length);
        pauses = new int[firsts.length];
        int runs = queue.isBeside() ? RUNS_BESIDE : RUNS;
        for (int i = 0; i < firsts.length; i++) {
            pauses[i] = runs * size(blocks(i));
        }
        pause = queue.isBeside() ? runs * size() : 0;
    }

    /// The same function to be compiled to vectors.
    CompiledFunction withVectors() {
        return new CompiledFunction(code, true, compiler, queue);
    }

    private static int[] cut(List<Block> blocks) {
        List<Integer> firsts = new ArrayList<>();
        int steps = PIECE_STEPS;
        for (Block block : blocks) {
            int more = block.steps().size() + 1;
            if (steps + more > PIECE_STEPS) {
                firsts.add(block.number());
                steps = 0;
            }
            steps += more;
        }
        return firsts.stream().mapToInt(Integer::intValue).toArray();
    }

    /// Runs lanes from a block on, as `Executor` says.
    void run(Frame frame, int block, int mask) {
        if (MachineCode.isFor(frame)) {
            MachineCode machine = code(checking(frame));
            if (machine != null && machine.takes(frame)) {
                machine.run(frame, block, mask);
                return;
            }
        }
        int at = block;
        int lanes = mask;
        while (goesOn(frame, at, lanes)) {
            at = frame.first();
            lanes = frame.take(at);
        }
    }

    /// Runs lanes from a block on. Returns whether the frame's first waiting lanes should run next.
    private boolean goesOn(Frame frame, int block, int mask) {
        int piece = pieceOf(block);
        CompiledCode compiled = pieces.getAcquire(piece);
        if (compiled == null) {
            int steps = code.blocks().get(block).steps().size() + 1;
            pause -= steps;
            pauses[piece] -= steps;
            if (isEager) {
                compiled = compile(piece);
            } else if (pauses[piece] <= 0 && !awaitsMachineCode(frame)) {
                pauses[piece] = Integer.MAX_VALUE;
                queue.submit(() -> compile(piece));
                compiled = pieces.getAcquire(piece);
            }
        }
        return compiled == null
                ? interpreter.runBlock(frame, block, mask)
                : !compiled.run(frame, block, mask);
    }

    /// Who looks at the accesses of frames like this one.
    private static Checking checking(Frame frame) {
        return MachineCode.isChecked(frame) ? Checking.WARPS : Checking.NONE;
    }

    /// Whether frames like this one may still get machine code: then there is no need of bytecode.
    private boolean awaitsMachineCode(Frame frame) {
        return MachineCode.isFor(frame) && !tried[checking(frame).ordinal()];
    }

    private int pieceOf(int block) {
        if (firsts.length == 1) {
            return 0;
        }
        int found = Arrays.binarySearch(firsts, block);
        return found >= 0 ? found : -found - 2;
    }

    private List<Block> blocks(int piece) {
        int end = piece + 1 < firsts.length ? firsts[piece + 1] : code.blocks().size();
        return code.blocks().subList(firsts[piece], end);
    }

    /// Compiles all pieces; where machine code can serve, only what it leaves, when lanes get
    /// there.
    void compile() {
        isEager = true;
        pause = 0;
        if (isCompiled) {
            return;
        }
        if (!MachineCode.isAvailable() || !MachineCode.takes(code, Checking.NONE)) {
            for (int i = 0; i < firsts.length; i++) {
                compile(i);
            }
        }
        isCompiled = true;
    }

    /// Steps of all blocks.
    int size() {
        return size(code.blocks());
    }

    private static int size(List<Block> blocks) {
        return blocks.stream().mapToInt(block -> block.steps().size() + 1).sum();
    }

    /// Makes the registers of a frame ready for another CTA.
    void clear(Frame frame) {
        FunctionAnalysis known = analysis;
        known = known == null ? analysis() : known;
        if (known == null) {
            frame.clear();
        } else {
            known.entry().clear(frame);
        }
    }

    /// Why this function is interpreted, or null where it is compiled.
    @Nullable String trouble() {
        return trouble;
    }

    /// The machine code of a kernel for whole CTAs, or null where there is none.
    @Nullable MachineCode machineCode(boolean checked) {
        return MachineCode.isAvailable() ? code(checked ? Checking.CTAS : Checking.NONE) : null;
    }

    /// Where machine code can serve, it is made when the first frame asks for it, or when lanes
    /// have run for some time.
    private @Nullable MachineCode code(Checking checking) {
        int kind = checking.ordinal();
        if (pause <= 0 && !tried[kind]) {
            if (isEager || !queue.isBeside()) {
                tryMachineCode(checking);
            } else if (asked.compareAndSet(kind, 0, 1)) {
                queue.submit(() -> tryMachineCode(checking));
            }
        }
        return machines.getAcquire(kind);
    }

    private synchronized void tryMachineCode(Checking checking) {
        int kind = checking.ordinal();
        FunctionAnalysis whole = analysis();
        if (!tried[kind] && whole != null) {
            try {
                machines.setRelease(kind, MachineCode.of(code, whole, checking));
            } catch (RuntimeException | LinkageError _) {
                // The system allows no such memory, or the function is too large: bytecode it is.
                machines.setRelease(kind, null);
            }
        }
        boolean[] now = tried.clone();
        now[kind] = true;
        tried = now;
    }

    private synchronized CompiledCode compile(int piece) {
        CompiledCode known = pieces.getAcquire(piece);
        if (known != null) {
            return known;
        }
        FunctionAnalysis whole = analysis();
        if (whole != null) {
            try {
                CompiledCode compiled = compiler.compile(blocks(piece), whole, vectors);
                pieces.setRelease(piece, compiled);
                return compiled;
            } catch (RuntimeException | LinkageError e) {
                trouble = reason(e);
            }
        }
        CompiledCode interpreted =
                (frame, block, mask) -> {
                    interpreter.run(frame, block, mask);
                    return true;
                };
        for (int i = 0; i < firsts.length; i++) {
            pieces.setRelease(i, interpreted);
        }
        return interpreted;
    }

    private synchronized @Nullable FunctionAnalysis analysis() {
        if (analysis == null && trouble == null) {
            try {
                analysis = FunctionAnalysis.of(code);
            } catch (RuntimeException e) {
                trouble = reason(e);
            }
        }
        return analysis;
    }

    private static String reason(Throwable e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
