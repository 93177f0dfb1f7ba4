package dev.heddle.vm.shadow;

import dev.heddle.ptx.instruction.InstructionKind.Memory;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.BulkStep;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;

/// What the code of a program does with memory that other threads see: by that a launch is followed
/// closely, or not.
public final class GlobalUse {
    // Of the strong accesses: whether some may observe, also beyond their CTA, and whether some are
    // for less than all who reach the memory.
    private boolean observed;
    private boolean observedBeyond;
    private boolean narrow;

    // Whether some fence is sequentially consistent, and some access of another CTA's memory,
    // beyond their CTA.
    private boolean sequentialBeyond;
    private boolean leaving;

    // Whether bulk copies touch global memory, and reduce into it: these observe what is stored
    // strongly, but not what they themselves write. And whether that is so, also beyond its CTA.
    private boolean copying;
    private boolean reducing;
    private boolean stored;
    private boolean storedBeyond;

    // Whether threads may write global memory, each for itself.
    private boolean writing;

    private boolean handing;

    private GlobalUse() {}

    /// Of all functions of a program.
    ///
    /// @param hasClusters whether CTAs reach each other's shared memory
    public static GlobalUse of(Program program, boolean hasClusters) {
        GlobalUse use = new GlobalUse();
        for (Code code : program.codes()) {
            for (Block block : code.blocks()) {
                for (Step step : block.steps()) {
                    use.take(step, hasClusters);
                }
            }
        }
        use.observed |= use.reducing && use.stored;
        use.observedBeyond |= use.reducing && use.storedBeyond;
        return use;
    }

    private void take(Step step, boolean hasClusters) {
        if (step instanceof BulkStep bulk) {
            copying = true;
            reducing |= reduces(bulk);
        }
        handing |= step instanceof Step.MemoryBarrierObject object && object.action().handsCopies();
        // Two of these come one after the other, whatever is observed (PTX ISA 8.9.4).
        sequentialBeyond |=
                step instanceof Step.Fence fence
                        && fence.order() == MemoryOrder.SC
                        && fence.scope() != Scope.CTA;
        Access access = step.access();
        if (access == null) {
            return;
        }
        boolean isGeneric = access.space() == Space.GENERIC;
        leaving |= isGeneric || access.space() == Space.CLUSTER;
        writing |=
                (isGeneric || access.space() == Space.GLOBAL)
                        && step.site().kind().memory() != Memory.READS;
        // Of shared memory where other CTAs reach it.
        if (access.isStrong() && (hasClusters || isGeneric || access.space() == Space.GLOBAL)) {
            boolean observes = observes(step);
            observed |= observes;
            observedBeyond |= observes && access.scope() != Scope.CTA;
            stored |= !observes;
            storedBeyond |= !observes && access.scope() != Scope.CTA;
            narrow |= access.scope().compareTo(widest(access.space())) < 0;
        }
    }

    /// The scope with all threads that reach a space: the cluster's, of shared memory.
    private static Scope widest(Space space) {
        return space == Space.SHARED || space == Space.CLUSTER ? Scope.CLUSTER : Scope.GPU;
    }

    private static boolean reduces(BulkStep step) {
        return switch (step) {
            case BulkStep.Copy copy -> copy.operator() != null;
            case BulkStep.TensorCopy copy -> copy.operator() != null;
            case BulkStep.PrefetchTensor _, BulkStep.Group _ -> false;
        };
    }

    /// Whether what it reads may tell it what others did.
    private static boolean observes(Step step) {
        return step.site().kind().memory() != Memory.WRITES;
    }

    /// Whether asynchronous operations reduce into memory.
    boolean isReducing() {
        return reducing;
    }

    /// Whether some strong accesses are not for all who reach the memory.
    boolean isNarrow() {
        return narrow;
    }

    /// Whether what is written strongly is ever read so.
    boolean isObserved() {
        return observed;
    }

    /// Whether threads of several CTAs may come before one another by strong accesses or fences.
    boolean isBeyondCtas() {
        return observedBeyond || sequentialBeyond;
    }

    /// Whether some access may be of another CTA's shared memory.
    boolean isLeaving() {
        return leaving;
    }

    /// Whether asynchronous operations touch global memory.
    boolean hasAsides() {
        return copying;
    }

    /// Whether threads hand copies of `cp.async` to mbarriers.
    boolean handsCopies() {
        return handing;
    }

    /// Whether threads may write global memory, each for itself.
    boolean isWritten() {
        return writing;
    }
}
