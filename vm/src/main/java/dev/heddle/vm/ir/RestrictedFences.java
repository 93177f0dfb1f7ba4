package dev.heddle.vm.ir;

import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.ptx.instruction.InstructionKind.Memory;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// The fences of a program that order only some operations (PTX ISA 9.7.13.4), as far as it may
/// matter that they do not order others.
///
/// It does not where nothing relaxed could hand on what a fence releases, or take over what it
/// acquires. Most kernels have a `fence.mbarrier_init`: that does not matter where nothing but
/// `mbarrier.init` comes before it, or a barrier of the cluster before all that is relaxed.
///
/// @param all in the order of the code
public record RestrictedFences(List<Restricted> all) {
    /// A fence.
    ///
    /// @param function the index of the code that has it
    public record Restricted(Site site, FenceRestriction restriction, int function) {}

    public RestrictedFences {
        all = List.copyOf(all);
    }

    /// Those of all functions of a program.
    public static RestrictedFences of(Program program) {
        List<Restricted> found = new ArrayList<>();
        boolean hasRelaxed = false;
        for (Code code : program.codes()) {
            for (Block block : code.blocks()) {
                hasRelaxed |= isRelaxed(block.exit().site());
                hasRelaxed |=
                        block.steps().stream().anyMatch(step -> handsOn(step) || takesOver(step));
                find(code, block, found);
            }
        }
        return new RestrictedFences(hasRelaxed ? found : List.of());
    }

    /// Those of some functions alone.
    ///
    /// @param functions indices of their codes
    public RestrictedFences of(BitSet functions) {
        return new RestrictedFences(
                all.stream().filter(one -> functions.get(one.function)).toList());
    }

    /// Whether some are of a kind.
    public boolean has(FenceRestriction restriction) {
        return all.stream().anyMatch(one -> one.restriction == restriction);
    }

    private static void find(Code code, Block block, List<Restricted> found) {
        for (int i = 0; i < block.steps().size(); i++) {
            Step step = block.steps().get(i);
            FenceRestriction restriction = restriction(step);
            boolean matters =
                    restriction != FenceRestriction.MBARRIER_INIT
                            || !code.kernel()
                            || mayBeHandedOn(code, block, i) && mayFollowAccess(code, block, i);
            if (restriction != FenceRestriction.NONE && matters) {
                found.add(new Restricted(step.site(), restriction, code.index()));
            }
        }
    }

    private static FenceRestriction restriction(Step step) {
        return switch (step) {
            case Step.Fence fence -> fence.restriction();
            case Step.ProxyFence fence when fence.order().acquires() ->
                    FenceRestriction.SHARED_CLUSTER;
            case Step.ProxyFence fence when fence.order().releases() -> FenceRestriction.SHARED_CTA;
            default -> FenceRestriction.NONE;
        };
    }

    private static boolean isRelaxed(@Nullable Site site) {
        return site != null && site.is(Site.Mark.RELAXED);
    }

    /// Whether something relaxed may come behind a step before all of the cluster meet.
    private static boolean mayBeHandedOn(Code code, Block block, int step) {
        List<Step> rest = block.steps().subList(step, block.steps().size());
        Block first = new Block(block.number(), rest, block.exit());
        return handsOn(first)
                || code.behind(List.of(first), each -> !isMeeting(each.exit().site())).stream()
                        .anyMatch(each -> handsOn(code.blocks().get(each)));
    }

    /// Whether a thread may have accessed memory that others see before a step of a kernel.
    private static boolean mayFollowAccess(Code code, Block block, int step) {
        List<Block> seen = code.blocks().stream().filter(RestrictedFences::isSeen).toList();
        return block.steps().subList(0, step).stream().anyMatch(RestrictedFences::isSeen)
                || code.behind(seen).get(block.number());
    }

    private static boolean handsOn(Block block) {
        return block.exit() instanceof Exit.Call
                || isRelaxed(block.exit().site())
                || block.steps().stream().anyMatch(RestrictedFences::handsOn);
    }

    /// Whether a step may write strongly what a fence before it releases: by itself it does not.
    private static boolean handsOn(Step step) {
        Access access = step.access();
        boolean isStrong = access != null && access.isStrong() && !access.order().releases();
        boolean mayWrite = step.site().kind().memory() != Memory.READS;
        return mayWrite && (isStrong || isRelaxed(step.site()));
    }

    /// Whether a step may read strongly what a fence behind it acquires: by itself it does not.
    private static boolean takesOver(Step step) {
        Access access = step.access();
        boolean isStrong = access != null && access.isStrong() && !access.order().acquires();
        boolean mayRead = step.site().kind().memory() != Memory.WRITES;
        return mayRead && (isStrong || isRelaxed(step.site()));
    }

    /// Whether all of the cluster have arrived then: arrivals that are relaxed hand on.
    private static boolean isMeeting(@Nullable Site site) {
        return site != null
                && site.kind() == InstructionKind.CLUSTER_BARRIER
                && site.qualifiers().contains("wait");
    }

    private static boolean isSeen(Block block) {
        Site site = block.exit().site();
        return block.exit() instanceof Exit.Call
                || site != null && site.kind().memory() != Memory.NONE
                || block.steps().stream().anyMatch(RestrictedFences::isSeen);
    }

    /// Whether a step accesses memory that others see, and does not only make an mbarrier object.
    private static boolean isSeen(Step step) {
        if (step instanceof Step.MemoryBarrierObject object
                && object.action() == Step.MemoryBarrierObject.Action.INITIALIZE) {
            return false;
        }
        Access access = step.access();
        return access == null
                ? step.site().kind().memory() != Memory.NONE
                : switch (access.space()) {
                    case GENERIC, GLOBAL, SHARED, CLUSTER -> true;
                    case CONST, LOCAL, PARAM -> false;
                };
    }
}
