package dev.heddle.vm.races;

import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.races.SharingProgram.Operation;
import dev.heddle.vm.races.SharingProgram.Slot;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/// Random programs, mostly for clusters, of whose fences many order only some accesses.
final class RestrictedPrograms {
    static final Operation OWN_RELEASE =
            new Operation.Fence(MemoryOrder.RELEASE, "cluster", FenceEffect.SHARED_CTA);
    static final Operation CLUSTER_ACQUIRE =
            new Operation.Fence(MemoryOrder.ACQUIRE, "cluster", FenceEffect.SHARED_CLUSTER);
    static final Operation MADE_OBJECTS =
            new Operation.Fence(MemoryOrder.RELEASE, "cluster", FenceEffect.MBARRIER_INIT);

    private static final List<Operation> PROXIES =
            List.of(
                    new Operation.ProxyFence(),
                    new Operation.ProxyFence(MemoryOrder.RELEASE),
                    new Operation.ProxyFence(MemoryOrder.ACQUIRE));

    private static final List<Function<Random, SharingProgram>> OTHERS =
            List.of(
                    RandomPrograms::randomClusters,
                    RandomPrograms::randomRemoteCopies,
                    RandomPrograms::randomSends,
                    RandomPrograms::randomCopies,
                    RandomPrograms::randomGlobalCopies,
                    RandomPrograms::random,
                    RandomPrograms::randomGrid,
                    SplitBarriers::random);

    private RestrictedPrograms() {}

    /// A program of its own kind, or one of another with other fences and some words in global
    /// memory.
    static SharingProgram random(Random random) {
        if (random.nextInt(4) != 0) {
            return RestrictedPasses.random(random);
        }
        SharingProgram program = any(random, OTHERS).apply(random);
        int moved = program.shape().isGlobal() ? 0 : random.nextInt(4);
        List<Slot> slots = new ArrayList<>();
        for (Slot slot : program.slots()) {
            slots.add(new Slot(other(random, slot.operation(), moved), slot.actors()));
        }
        return new SharingProgram(program.shape(), slots);
    }

    /// @param moved by bits, which of the first two words are in global memory
    private static Operation other(Random random, Operation operation, int moved) {
        return switch (operation) {
            case Operation.Fence fence when random.nextBoolean() -> other(random, fence);
            case Operation.ProxyFence _ -> any(random, PROXIES);
            case Operation.Memory memory
                    when memory.rank() == 0
                            && memory.at() < 8
                            && (moved >>> memory.at() / 4 & 1) != 0 ->
                    moved(memory);
            default -> operation;
        };
    }

    private static Operation other(Random random, Operation.Fence fence) {
        return switch (fence.order()) {
            case ACQUIRE -> CLUSTER_ACQUIRE;
            case RELEASE -> any(random, List.of(OWN_RELEASE, OWN_RELEASE, MADE_OBJECTS));
            case ACQ_REL -> any(random, List.of(OWN_RELEASE, CLUSTER_ACQUIRE));
            case SC, RELAXED, WEAK -> fence;
        };
    }

    /// Behind all else in global memory.
    private static Operation moved(Operation.Memory memory) {
        return new Operation.Memory(
                SharingProgram.GLOBAL,
                memory.reads(),
                memory.writes(),
                memory.returns(),
                memory.order(),
                memory.scope(),
                memory.at() + 32,
                memory.bytes(),
                memory.value());
    }

    private static <T> T any(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
