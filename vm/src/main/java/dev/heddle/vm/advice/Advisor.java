package dev.heddle.vm.advice;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.BulkStep;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.StepListener;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// Counts what a launch costs. For launches on one worker thread.
public final class Advisor implements StepListener {
    private static final int ROW = 16;
    private static final int ROWS = 8;

    private final Map<Integer, SharedCount> shared = new TreeMap<>();
    private final Map<Integer, GlobalCount> global = new TreeMap<>();
    private final Map<Integer, BranchCount> branches = new TreeMap<>();
    private final BarrierUse barriers = new BarrierUse();
    private final Map<Integer, AtomicCosts> atomics = new HashMap<>();

    private static final class SharedCount {
        private final Site site;
        private final Operation operation;
        private long requests;
        private long wavefronts;
        private long ideal;
        private int ways;

        SharedCount(Site site, Operation operation) {
            this.site = site;
            this.operation = operation;
        }

        void request(Coalescing.Banks banks) {
            requests++;
            add(banks);
        }

        void add(Coalescing.Banks banks) {
            wavefronts += banks.wavefronts();
            ideal += banks.ideal();
            ways = Math.max(ways, banks.ways());
        }

        Advice.Shared counted() {
            return new Advice.Shared(site, operation, requests, wavefronts, ideal, ways);
        }
    }

    private static final class GlobalCount {
        private final Site site;
        private final Operation operation;
        private long requests;
        private long sectors;
        private long ideal;
        private long bytes;

        GlobalCount(Site site, Operation operation) {
            this.site = site;
            this.operation = operation;
        }

        void request(Coalescing.Sectors moved) {
            requests++;
            sectors += moved.sectors();
            ideal += moved.ideal();
            bytes += moved.bytes();
        }

        Advice.Global counted() {
            return new Advice.Global(site, operation, requests, sectors, ideal, bytes);
        }
    }

    private static final class BranchCount {
        private final Site site;
        private long executed;
        private long divergent;

        BranchCount(Site site) {
            this.site = site;
        }
    }

    @Override
    public void before(Frame frame, Step step, int mask) {
        int lanes = frame.where(step.guard(), mask);
        if (lanes == 0) {
            return;
        }
        switch (step) {
            case Step.Load load when !isOfTile(load) -> {
                int bytes = load.access().bytes() * load.targets().size();
                access(frame, load, load.access(), load.base(), load.offset(), bytes, lanes);
            }
            case Step.Store store when !isOfTile(store) -> {
                int bytes = store.access().bytes() * store.values().size();
                access(frame, store, store.access(), store.base(), store.offset(), bytes, lanes);
            }
            case Step.Atomic atomic -> {
                atomic(frame, atomic, lanes);
                barriers.unknown(frame);
            }
            case Step.AsyncCopy _,
                    BulkStep.Copy _,
                    BulkStep.TensorCopy _,
                    Step.AccessMemory _,
                    Step.MemoryBarrierObject _,
                    Step.AsyncGroup _,
                    BulkStep.Group _,
                    Step.Fence _,
                    Step.ProxyFence _ ->
                    barriers.unknown(frame);
            default -> {}
        }
    }

    /// Which lane holds what of a tile of `wmma` is not said by the manual, nor how a GPU accesses
    /// it.
    private static boolean isOfTile(Step step) {
        return switch (step.site().kind()) {
            case WMMA_LOAD, WMMA_STORE -> true;
            default -> false;
        };
    }

    /// Where lanes access memory: which of them access shared memory, and which global.
    private static final class Places {
        private final long[] addresses = new long[32];
        private int inShared;
        private int inGlobal;

        Places(Frame frame, Access access, Source base, long offset, int lanes) {
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                addresses[lane] = frame.value(base, lane) + offset;
                Space space =
                        access.space() == Space.GENERIC
                                ? Addresses.spaceOf(addresses[lane])
                                : access.space();
                if (space == Space.SHARED) {
                    inShared |= 1 << lane;
                    addresses[lane] = Addresses.withoutRank(addresses[lane]);
                }
                inGlobal |= space == Space.GLOBAL ? 1 << lane : 0;
            }
        }
    }

    private void access(
            Frame frame, Step step, Access access, Source base, long offset, int bytes, int lanes) {
        boolean store = step instanceof Step.Store;
        Operation operation = store ? Operation.STORE : Operation.LOAD;
        Places at = new Places(frame, access, base, offset, lanes);
        if (at.inShared != 0) {
            shared(step.site(), operation)
                    .request(Coalescing.banks(at.addresses, bytes, at.inShared));
            barriers.access(frame, at.addresses, bytes, at.inShared, store);
        }
        if (at.inGlobal != 0) {
            global(step.site(), operation)
                    .request(Coalescing.sectors(at.addresses, bytes, at.inGlobal));
            barriers.access(frame, at.addresses, bytes, at.inGlobal, store);
        }
    }

    private void atomic(Frame frame, Step.Atomic step, int lanes) {
        AtomicCosts costs =
                atomics.computeIfAbsent(
                        step.site().number(), _ -> AtomicCosts.of(step, frame.code));
        int bytes = step.operandBytes() * step.operands().size();
        Places at = new Places(frame, step.access(), step.base(), step.offset(), lanes);
        if (at.inShared != 0 && !costs.isLoop()) {
            int taking = costs.isOneInShared() ? Integer.lowestOneBit(at.inShared) : at.inShared;
            shared(step.site(), Operation.ATOMIC)
                    .request(Coalescing.turns(at.addresses, bytes, taking));
        }
        if (at.inGlobal != 0) {
            int taking = costs.isOneInGlobal() ? Integer.lowestOneBit(at.inGlobal) : at.inGlobal;
            global(step.site(), costs.operation())
                    .request(Coalescing.sectorsInTurns(at.addresses, bytes, taking));
        }
    }

    private GlobalCount global(Site site, Operation operation) {
        return global.computeIfAbsent(site.number(), _ -> new GlobalCount(site, operation));
    }

    private SharedCount shared(Site site, Operation operation) {
        return shared.computeIfAbsent(site.number(), _ -> new SharedCount(site, operation));
    }

    @Override
    public void before(Frame frame, Exit exit, int mask) {
        switch (exit) {
            case Exit.Branch branch -> {
                int taken = frame.where(branch.guard(), mask);
                BranchCount count =
                        branches.computeIfAbsent(
                                branch.site().number(), _ -> new BranchCount(branch.site()));
                count.executed++;
                count.divergent += taken != 0 && taken != mask ? 1 : 0;
            }
            case Exit.Synchronize together -> {
                int lanes = frame.where(together.guard(), mask);
                if (lanes != 0) {
                    meet(frame, together, lanes);
                }
            }
            default -> {}
        }
    }

    private void meet(Frame frame, Exit.Synchronize exit, int lanes) {
        switch (exit.joint()) {
            case Collective.AccessMatrix access -> rows(frame, exit.site(), access);
            case Collective.Barrier barrier -> barriers.arrive(frame, exit.site(), barrier, lanes);
            case Collective.NameTile _, Collective.MultiplyAsync _, Collective.ClusterBarrier _ ->
                    barriers.unknown(frame);
            default -> {}
        }
    }

    /// `ldmatrix` and `stmatrix` take a matrix of eight rows of 16 bytes at once.
    private void rows(Frame frame, Site site, Collective.AccessMatrix step) {
        SharedCount count = shared(site, step.kind().writes() ? Operation.STORE : Operation.LOAD);
        count.requests++;
        for (int matrix = 0; matrix < step.registers(); matrix++) {
            long[] addresses = new long[ROWS];
            for (int row = 0; row < ROWS; row++) {
                addresses[row] = frame.value(step.base(), ROWS * matrix + row) + step.offset();
            }
            count.add(Coalescing.banks(addresses, ROW, -1));
        }
        barriers.unknown(frame);
    }

    /// All that was counted. To be asked behind the launch.
    public Advice advice() {
        return new Advice(
                shared.values().stream().map(SharedCount::counted).toList(),
                global.values().stream().map(GlobalCount::counted).toList(),
                branches.values().stream()
                        .map(one -> new Advice.Branch(one.site, one.executed, one.divergent))
                        .toList(),
                barriers.all());
    }
}
