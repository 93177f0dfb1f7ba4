package dev.heddle.vm.advice;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.BulkStep;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.RowFragments;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.StepListener;

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

    private static final class SharedCount {
        private final Site site;
        private final boolean store;
        private long requests;
        private long wavefronts;
        private long ideal;
        private int ways;

        SharedCount(Site site, boolean store) {
            this.site = site;
            this.store = store;
        }

        void add(Coalescing.Banks banks) {
            wavefronts += banks.wavefronts();
            ideal += banks.ideal();
            ways = Math.max(ways, banks.ways());
        }
    }

    private static final class GlobalCount {
        private final Site site;
        private final boolean store;
        private long requests;
        private long sectors;
        private long ideal;
        private long bytes;

        GlobalCount(Site site, boolean store) {
            this.site = site;
            this.store = store;
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
            case Step.Load load -> {
                int bytes = load.access().bytes() * load.targets().size();
                access(frame, load, load.access(), load.base(), load.offset(), bytes, lanes);
            }
            case Step.Store store -> {
                int bytes = store.access().bytes() * store.values().size();
                access(frame, store, store.access(), store.base(), store.offset(), bytes, lanes);
            }
            case Step.Atomic _,
                    Step.AsyncCopy _,
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

    private void access(
            Frame frame, Step step, Access access, Source base, long offset, int bytes, int lanes) {
        boolean store = step instanceof Step.Store;
        long[] addresses = new long[32];
        int inShared = 0;
        int inGlobal = 0;
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
        if (inShared != 0) {
            SharedCount count = shared(step.site(), store);
            count.requests++;
            count.add(Coalescing.banks(addresses, bytes, inShared));
            barriers.access(frame, addresses, bytes, inShared, store);
        }
        if (inGlobal != 0) {
            GlobalCount count =
                    global.computeIfAbsent(
                            step.site().number(), _ -> new GlobalCount(step.site(), store));
            Coalescing.Sectors sectors = Coalescing.sectors(addresses, bytes, inGlobal);
            count.requests++;
            count.sectors += sectors.sectors();
            count.ideal += sectors.ideal();
            count.bytes += sectors.bytes();
            barriers.access(frame, addresses, bytes, inGlobal, store);
        }
    }

    private SharedCount shared(Site site, boolean store) {
        return shared.computeIfAbsent(site.number(), _ -> new SharedCount(site, store));
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
            case Collective.AccessMatrix access when access.layout() instanceof RowFragments ->
                    rows(frame, exit.site(), access);
            case Collective.Barrier barrier -> barriers.arrive(frame, exit.site(), barrier, lanes);
            case Collective.AccessMatrix _,
                    Collective.MultiplyAsync _,
                    Collective.ClusterBarrier _ ->
                    barriers.unknown(frame);
            default -> {}
        }
    }

    /// `ldmatrix` and `stmatrix` take a matrix of eight rows of 16 bytes at once.
    private void rows(Frame frame, Site site, Collective.AccessMatrix step) {
        SharedCount count = shared(site, step.kind().writes());
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
                shared.values().stream()
                        .map(
                                one ->
                                        new Advice.Shared(
                                                one.site,
                                                one.store,
                                                one.requests,
                                                one.wavefronts,
                                                one.ideal,
                                                one.ways))
                        .toList(),
                global.values().stream()
                        .map(
                                one ->
                                        new Advice.Global(
                                                one.site,
                                                one.store,
                                                one.requests,
                                                one.sectors,
                                                one.ideal,
                                                one.bytes))
                        .toList(),
                branches.values().stream()
                        .map(one -> new Advice.Branch(one.site, one.executed, one.divergent))
                        .toList(),
                barriers.all());
    }
}
