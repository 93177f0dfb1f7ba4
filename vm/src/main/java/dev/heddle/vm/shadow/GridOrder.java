package dev.heddle.vm.shadow;

import dev.heddle.ptx.instruction.InstructionKind.Memory;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;

import java.util.List;
import java.util.stream.Stream;

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
    private final boolean observed;
    private final boolean narrow;
    private final boolean tooLarge;
    private final boolean shared;
    private final Reach reach;
    private final Sequential sequential = new Sequential();
    private final Locations locations = new Locations();

    /// @param extent CTAs in each direction
    /// @param cluster CTAs of a cluster in each direction
    GridOrder(Program program, Extent extent, Extent cluster) {
        reach = new Reach(extent, cluster);
        // Clusters reach each other's shared memory.
        boolean hasClusters = extent.count() > 1 && cluster.count() > 1;
        List<Step> strong = strong(program, hasClusters);
        shared = hasClusters && accesses(program).anyMatch(GridOrder::mayLeaveCta);
        observed = strong.stream().anyMatch(GridOrder::observes);
        narrow = strong.stream().anyMatch(step -> scope(step).compareTo(Scope.GPU) < 0);
        boolean isWide =
                strong.stream().anyMatch(step -> observes(step) && scope(step) != Scope.CTA);
        followed = extent.count() > 1 && (cluster.count() > 1 || isWide || hasSequential(program));
        tooLarge = extent.count() > MOST_CTAS && followed;
    }

    /// Whether some `fence.sc` is for more than its CTA: two of them come one after the other,
    /// whatever is observed (PTX ISA 8.9.4).
    private static boolean hasSequential(Program program) {
        return steps(program)
                .anyMatch(
                        step ->
                                step instanceof Step.Fence fence
                                        && fence.order() == MemoryOrder.SC
                                        && fence.scope() != Scope.CTA);
    }

    /// The accesses to global memory in a program that are strong, and to shared memory where other
    /// CTAs reach it.
    private static List<Step> strong(Program program, boolean shared) {
        return accesses(program).filter(step -> isStrong(step, shared)).toList();
    }

    private static Stream<Step> steps(Program program) {
        return program.codes().stream()
                .flatMap(code -> code.blocks().stream())
                .flatMap(block -> block.steps().stream());
    }

    private static Stream<Step> accesses(Program program) {
        return steps(program).filter(step -> step.access() != null);
    }

    private static boolean isStrong(Step step, boolean shared) {
        Access access = step.access();
        return access != null
                && access.isStrong()
                && (shared || access.space() == Space.GLOBAL || access.space() == Space.GENERIC);
    }

    private static boolean mayLeaveCta(Step step) {
        Access access = step.access();
        return access != null
                && (access.space() == Space.CLUSTER || access.space() == Space.GENERIC);
    }

    private static Scope scope(Step step) {
        Access access = step.access();
        return access == null ? Scope.CTA : access.scope();
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
