package dev.heddle.vm.shadow;

import dev.heddle.ptx.instruction.InstructionKind.Memory;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.BulkStep;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;

/// How the CTAs of a launch are ordered among each other.
///
/// In most launches they are not: nothing that one does comes before anything that another does,
/// and they may run at the same time. Where a thread may observe what one of another CTA wrote,
/// fences are sequentially consistent beyond their CTA, or CTAs form clusters, what is over for
/// whom is followed, and one worker runs them all: then the verdict does not depend on how many
/// there are.
public final class GridOrder {
    /// With more CTAs, or more places with strong operations, nothing more is looked for.
    private static final int MOST_CTAS = 1 << 21;

    private static final int MOST_LOCATIONS = 1 << 18;

    private final boolean followed;
    private final boolean tooLarge;
    private final boolean shared;

    // Of the strong accesses: whether some may observe, also beyond their CTA, and whether some are
    // for less than the device.
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

    // Whether some accesses may write global memory weakly.
    private boolean writing;

    private final Reach reach;
    private final Sequential sequential = new Sequential();
    private final Locations locations = new Locations();

    /// @param extent CTAs in each direction
    /// @param cluster CTAs of a cluster in each direction
    GridOrder(Program program, Extent extent, Extent cluster) {
        reach = new Reach(extent, cluster);
        // Clusters reach each other's shared memory.
        boolean hasClusters = extent.count() > 1 && cluster.count() > 1;
        for (Code code : program.codes()) {
            for (Block block : code.blocks()) {
                for (Step step : block.steps()) {
                    take(step, hasClusters);
                }
            }
        }
        observed |= reducing && stored;
        observedBeyond |= reducing && storedBeyond;
        shared = hasClusters && leaving;
        followed =
                extent.count() > 1 && (cluster.count() > 1 || observedBeyond || sequentialBeyond);
        tooLarge = extent.count() > MOST_CTAS && followed;
    }

    private void take(Step step, boolean hasClusters) {
        if (step instanceof BulkStep bulk) {
            copying = true;
            reducing |= reduces(bulk);
        }
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
                !access.isStrong()
                        && (isGeneric || access.space() == Space.GLOBAL)
                        && step.site().kind().memory() != Memory.READS;
        // Of shared memory where other CTAs reach it.
        if (access.isStrong() && (hasClusters || isGeneric || access.space() == Space.GLOBAL)) {
            boolean observes = observes(step);
            observed |= observes;
            observedBeyond |= observes && access.scope() != Scope.CTA;
            stored |= !observes;
            storedBeyond |= !observes && access.scope() != Scope.CTA;
            narrow |= access.scope().compareTo(Scope.GPU) < 0;
        }
    }

    private static boolean reduces(BulkStep step) {
        return switch (step) {
            case BulkStep.Copy copy -> copy.operator() != null;
            case BulkStep.TensorCopy copy -> copy.operator() != null;
            case BulkStep.Group _ -> false;
        };
    }

    /// Whether what it reads may tell it what others did.
    private static boolean observes(Step step) {
        return step.site().kind().memory() != Memory.WRITES;
    }

    /// Whether some strong accesses are not for the whole device.
    boolean isNarrow() {
        return narrow;
    }

    /// Whether what is written strongly is ever read so.
    public boolean isObserved() {
        return observed;
    }

    /// Whether CTAs may come before one another; then one worker must run them all.
    public boolean isFollowed() {
        return followed;
    }

    /// Whether CTAs of a cluster may access each other's shared memory.
    boolean isSharedByCluster() {
        return shared;
    }

    /// Whether asynchronous operations touch global memory.
    boolean hasAsides() {
        return copying;
    }

    /// Whether threads may write global memory weakly, each for itself.
    boolean isWritten() {
        return writing;
    }

    /// Whether there is too much to follow.
    boolean isTooLarge() {
        return tooLarge || locations.count() > MOST_LOCATIONS;
    }

    Reach reach() {
        return reach;
    }

    /// What `fence.sc` brings together, for the threads of a CTA.
    Sequential sequential() {
        return followed ? sequential : new Sequential();
    }

    /// The places of global memory with strong operations, for the threads of a CTA.
    Locations locations() {
        return followed ? locations : new Locations();
    }
}
