package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.DefinednessStep;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Step;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Which steps machine code takes, and for which kernels that is worth it.
final class NativeSteps {
    /// Steps in loops that are taken here for each that Java takes, at least, in a kernel whose
    /// memory accesses Java looks at: going back and forth takes as long as some of them.
    private static final int WORTH_WITH_CHECKS = 2;

    private NativeSteps() {}

    /// Whether a kernel's loops need Java for few steps when memory is checked. A run of those
    /// counts once: mostly it ends a block, and Java takes it with the end.
    static boolean takeChecked(Code function) {
        int here = 0;
        int there = 0;
        int[] depths = VectorHomes.depths(function);
        for (Block block : function.blocks()) {
            boolean isInJava = false;
            for (Step step : block.steps()) {
                if (depths[block.number()] > 0 && !(step instanceof Step.Hint)) {
                    boolean isHere =
                            isKnown(step)
                                    || isKnownDivisor(step)
                                    || MemoryEmitter.plain(step) != null;
                    here += isHere ? 1 : 0;
                    there += isHere || isInJava ? 0 : 1;
                    isInJava = !isHere;
                }
            }
        }
        return here >= WORTH_WITH_CHECKS * there;
    }

    /// Whether a step is arithmetic that is known here.
    static boolean isKnown(Step step) {
        return step instanceof Step.Compute compute && ArithmeticEmitter.knows(compute);
    }

    private static boolean isKnownDivisor(Step step) {
        return step instanceof DefinednessStep.RequireDivisor divisor
                && DivisorEmitter.knows(divisor);
    }

    /// Whether a step writes shared memory in machine code.
    static boolean writesShared(Step step) {
        MemoryEmitter.Plain plain = MemoryEmitter.plain(step);
        return plain != null && plain.store() && !plain.global();
    }

    /// Whether some step of a kernel writes shared memory in machine code, or copies into it.
    static boolean hasSharedWrites(Code function) {
        return function.steps()
                .anyMatch(
                        step ->
                                writesShared(step)
                                        || step instanceof Step.AsyncCopy copy
                                                && AsyncCopyEmitter.knows(copy));
    }

    /// Whether a load can be planned with checks: words of shared memory.
    static boolean isPlannedWithChecks(Step step) {
        MemoryEmitter.Plain plain = MemoryEmitter.plain(step);
        return plain != null
                && !plain.store()
                && !plain.global()
                && step.guard() == null
                && plain.access().bytes() == Integer.BYTES
                && plain.registers().size() == 1
                && plain.offset() % Integer.BYTES == 0;
    }

    /// Whether whole CTAs of a kernel can run by machine code: Java has no part in it, and all
    /// barriers are the same.
    static boolean runCtas(Code function) {
        Set<Integer> barriers = new HashSet<>();
        int ends = 0;
        for (Block block : function.blocks()) {
            for (Step step : block.steps()) {
                if (!(step instanceof Step.Hint)
                        && !has(step, function.parameterBytes(), Checking.NONE)) {
                    return false;
                }
            }
            switch (block.exit()) {
                case Exit.Jump _, Exit.Branch _ -> {}
                case Exit.Return _, Exit.ThreadExit _ -> ends++;
                default -> barriers.add(Barriers.number(block.exit()));
            }
        }
        return ends <= WarpContext.MOST_ENDS && !barriers.contains(-1) && barriers.size() <= 1;
    }

    /// The blocks of which machine code takes nothing, and that do not just jump.
    static BitSet foreign(Code function, Checking checking) {
        BitSet found = new BitSet();
        for (Block block : function.blocks()) {
            boolean isForeign =
                    isForeign(block.exit())
                            && block.steps().stream()
                                    .noneMatch(
                                            step -> has(step, function.parameterBytes(), checking));
            found.set(block.number(), isForeign);
        }
        return found;
    }

    /// The stops behind whose step Java takes the rest of the block, or all but a jump to a foreign
    /// block.
    static BitSet foreignBehind(
            Code function, List<MachineCodeEmitter.Stop> stops, BitSet foreign, Checking checking) {
        BitSet found = new BitSet();
        for (int i = 0; i < stops.size(); i++) {
            Block block = function.blocks().get(stops.get(i).block());
            boolean leaves =
                    block.exit() instanceof Exit.Jump(_, int target)
                            ? foreign.get(target)
                            : isForeign(block.exit());
            boolean isForeign =
                    leaves
                            && block.steps().stream()
                                    .skip(stops.get(i).step() + 1L)
                                    .noneMatch(
                                            step -> has(step, function.parameterBytes(), checking));
            found.set(i, isForeign);
        }
        return found;
    }

    /// The stops at a step of Java's that neither looks at shared memory nor orders anything, and
    /// behind which machine code goes on.
    static BitSet outsideShared(
            Code function, List<MachineCodeEmitter.Stop> stops, BitSet foreignBehind) {
        BitSet found = new BitSet();
        for (int i = 0; i < stops.size(); i++) {
            MachineCodeEmitter.Stop stop = stops.get(i);
            if (stop.reason() == MachineCodeEmitter.Reason.STEP && !foreignBehind.get(i)) {
                List<Step> steps = function.blocks().get(stop.block()).steps();
                found.set(i, isOutsideShared(steps.get(stop.step())));
            }
        }
        return found;
    }

    private static boolean isOutsideShared(Step step) {
        return switch (step) {
            case Step.Compute _, Step.ReadSpecial _, DefinednessStep.RequireDivisor _ -> true;
            case Step.Load load -> isOutsideShared(load.access());
            case Step.Store store -> isOutsideShared(store.access());
            default -> false;
        };
    }

    private static boolean isOutsideShared(Access access) {
        return !access.isStrong()
                && switch (access.space()) {
                    case CONST, PARAM, LOCAL, GLOBAL -> true;
                    default -> false;
                };
    }

    /// The blocks from which machine code goes on without a look at memory until Java goes on: by
    /// blocks that touch registers alone, to joints that are Java's or the end.
    static BitSet quiet(Code function) {
        BitSet quiet = new BitSet();
        for (Block block : function.blocks()) {
            boolean touches =
                    block.exit() instanceof Exit.Synchronize && !isForeign(block.exit())
                            || block.steps().stream().anyMatch(NativeSteps::touchesMemory);
            quiet.set(block.number(), !touches);
        }
        boolean isSettled = false;
        while (!isSettled) {
            isSettled = true;
            for (int at = quiet.nextSetBit(0); at >= 0; at = quiet.nextSetBit(at + 1)) {
                Exit exit = function.blocks().get(at).exit();
                if (!isForeign(exit) && !exit.successors().stream().allMatch(quiet::get)) {
                    quiet.clear(at);
                    isSettled = false;
                }
            }
        }
        return quiet;
    }

    private static boolean touchesMemory(Step step) {
        return step instanceof Step.Load
                || step instanceof Step.Store
                || step instanceof Step.AsyncCopy
                || step instanceof Step.AsyncGroup;
    }

    /// Whether machine code accesses shared memory, or global memory.
    static boolean touches(Code function, boolean global) {
        return function.blocks().stream()
                .anyMatch(
                        block ->
                                !global
                                                && block.exit() instanceof Exit.Synchronize exit
                                                && RowEmitter.knows(exit)
                                        || block.steps().stream()
                                                .anyMatch(step -> touches(step, global)));
    }

    private static boolean touches(Step step, boolean global) {
        MemoryEmitter.Plain plain = MemoryEmitter.plain(step);
        return step instanceof Step.AsyncCopy || plain != null && plain.global() == global;
    }

    /// Whether lanes of a warp that runs by itself meet in Java.
    static boolean isForeign(Exit exit) {
        return exit instanceof Exit.Synchronize joint
                && !ProductEmitter.knows(joint)
                && !RowEmitter.knows(joint)
                && !TileEmitter.knows(joint)
                && !ExchangeEmitter.knows(joint);
    }

    /// Whether machine code takes a step.
    ///
    /// @param parameterBytes of the kernel
    static boolean has(Step step, int parameterBytes, Checking checking) {
        return switch (step) {
            case Step.Compute _ -> isKnown(step);
            case Step.ReadSpecial special ->
                    LaneLoop.takes(special, 0)
                            && special.target().bits() == 32
                            && PredefinedRegisters.placeOf(special.special()) >= 0;
            case Step.Load load ->
                    ElementEmitter.isParameter(load, parameterBytes)
                            || MemoryEmitter.plain(step) != null;
            case Step.Store _ -> MemoryEmitter.plain(step) != null;
            case Step.AsyncCopy copy -> checking != Checking.CTAS && AsyncCopyEmitter.knows(copy);
            // Where nobody checks, copies are over at once.
            case Step.AsyncGroup group ->
                    checking == Checking.NONE
                            || checking == Checking.WARPS && CopyShadowEmitter.knows(group);
            default -> isKnownDivisor(step);
        };
    }
}
