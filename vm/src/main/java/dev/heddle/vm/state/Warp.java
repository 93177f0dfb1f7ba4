package dev.heddle.vm.state;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.access.MemoryUnit;
import dev.heddle.vm.collective.WarpSynchronization;
import dev.heddle.vm.collective.Warpgroup;
import dev.heddle.vm.interpreter.Interpreter;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.SpecialRegister;
import dev.heddle.vm.memory.LocalMemory;
import dev.heddle.vm.runtime.Calls;
import dev.heddle.vm.sanitizer.Definedness;
import dev.heddle.vm.sanitizer.RegisterChecks;
import dev.heddle.vm.sanitizer.RegistersInFlight;
import dev.heddle.vm.shadow.SharedShadow;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Thirty-two lanes and the frames they are in. Public members serve generated code.
public final class Warp {
    /// Strong memory operations after which a warp lets others run: enough for locks, few enough
    /// for spin loops.
    private static final int SPIN_SLICE = 64;

    private static final int[] LANE_IDS = java.util.stream.IntStream.range(0, 32).toArray();

    private final Cta cta;
    private final int index;
    private final Frame root;
    private final List<Frame> frames = new ArrayList<>();
    private final List<Waiter> waiters = new ArrayList<>();
    private final LocalMemory local;
    private final AsyncGroups groups = new AsyncGroups();
    private final BulkGroups bulkGroups = new BulkGroups(this);
    private final MemoryUnit memory;
    private final WarpSynchronization meetings;
    private final Calls calls;
    private final FindingFactory faults;
    private final RegisterChecks registers = new RegisterChecks(this);
    private final RegistersInFlight inFlight = new RegistersInFlight(this);
    private final @Nullable Definedness definedness;
    private final @Nullable Site[] endedAt = new Site[32];
    private final int[] x = new int[32];
    private final int[] y = new int[32];
    private final int[] z = new int[32];
    private final ClusterBarrier.Arrivals clusterArrivals = new ClusterBarrier.Arrivals();
    private final int initial;
    private int live;
    private int spins;
    private @Nullable Spin spinning;
    private boolean spinsOutside;
    private long changes;
    private long turn;
    private boolean alone;
    private @Nullable Frame lastFrame;
    private int lastBlock;

    /// Lanes that wait for others of their warp in front of a joint.
    public static final class Waiter {
        public final Frame frame;
        public final int block;
        public final Site site;
        public final Collective joint;
        public int mask;

        public Waiter(Frame frame, int block, Site site, Collective joint, int mask) {
            this.frame = frame;
            this.block = block;
            this.site = site;
            this.joint = joint;
            this.mask = mask;
        }
    }

    public Warp(Cta cta, int index, Code kernel) {
        this.cta = cta;
        this.index = index;
        Extent block = cta.grid().block();
        int lanes = 0;
        for (int lane = 0; lane < 32; lane++) {
            int thread = 32 * index + lane;
            x[lane] = thread % block.x();
            y[lane] = thread / block.x() % block.y();
            z[lane] = thread / block.x() / block.y();
            lanes |= thread < cta.grid().threads() ? 1 << lane : 0;
        }
        initial = lanes;
        local = new LocalMemory(cta.grid().checked());
        root = new Frame(kernel, this, null, null);
        faults = new FindingFactory(this);
        definedness = cta.followsValues() ? new Definedness(this) : null;
        memory = new MemoryUnit(this);
        meetings = new WarpSynchronization(this);
        calls = new Calls(this);
    }

    public void restart(Executor executor) {
        root.release();
        for (Frame left : frames) {
            left.release();
            if (left != root) {
                cta.limits().giveMemory(Calls.hostBytes(left.code));
            }
        }
        frames.clear();
        waiters.clear();
        groups.clear();
        meetings.clear();
        clusterArrivals.clear();
        bulkGroups.clear();
        inFlight.clear();
        live = initial;
        alone = false;
        lastFrame = null;
        local.reserve(root.code.frameBytes());
        executor.clear(root);
        local.forget();
        root.restart(initial);
        frames.add(root);
    }

    // Scheduling.

    /// Runs until no lane can go on by itself. Returns whether any lane did.
    public boolean run(Executor executor, Interpreter interpreter) {
        boolean progress = false;
        turn++;
        spins = 0;
        spinsOutside = false;
        while (true) {
            Frame frame = pick();
            if (frame == null) {
                if (meetings.retry()) {
                    continue;
                }
                return progress;
            }
            progress = true;
            int block = alone && frame == lastFrame ? nextAfterLast(frame) : frame.first();
            lastFrame = frame;
            lastBlock = block;
            int mask = frame.take(block);
            if (alone) {
                interpreter.runAlone(frame, block, mask);
            } else if (inFlight.isActive()) {
                interpreter.runBlock(frame, block, mask);
            } else {
                executor.run(frame, block, mask);
            }
            if (spins >= SPIN_SLICE) {
                // Lanes that spin stay on the smallest block: whoever they wait for must come
                // first for once.
                alone = isDiverged();
                return true;
            }
        }
    }

    private int nextAfterLast(Frame frame) {
        return frame.after(lastBlock);
    }

    /// The frame to run: the newest with lanes ready; after a slice of spinning, another than the
    /// last if there is one.
    private @Nullable Frame pick() {
        Frame newest = null;
        for (int i = frames.size() - 1; i >= 0; i--) {
            Frame frame = frames.get(i);
            if (frame.pendingLanes == 0) {
                continue;
            }
            if (newest == null) {
                newest = frame;
            }
            if (!alone || frame != lastFrame || moreThanOneBlock(frame)) {
                return frame;
            }
        }
        return newest;
    }

    private static boolean moreThanOneBlock(Frame frame) {
        return frame.pending[frame.first()] != frame.pendingLanes;
    }

    private boolean isDiverged() {
        int groupsReady = 0;
        for (Frame frame : frames) {
            if (frame.pendingLanes != 0) {
                groupsReady += moreThanOneBlock(frame) ? 2 : 1;
            }
        }
        return groupsReady > 1;
    }

    public boolean isDone() {
        return live == 0;
    }

    /// Whether the warp has spun long enough to let others run.
    boolean hasSpun() {
        return spins >= SPIN_SLICE;
    }

    /// Whether an executor is to give way behind a block: to others, or to the one that looks at
    /// each step while products are under way.
    public boolean shouldYield() {
        return spins >= SPIN_SLICE || inFlight.isActive();
    }

    /// Counts a strong memory operation: what spin loops are made of.
    public void spin(Site site, Space space, long offset, int lanes) {
        spins++;
        spinning = new Spin(site, space, offset, lanes);
        spinsOutside |= space != Space.SHARED;
    }

    /// Something was written that registers do not show: a warp in the same state as before, with
    /// nothing written in between, runs in a circle.
    public void changed() {
        changes++;
    }

    public long changes() {
        return changes;
    }

    /// How often it was its turn to run.
    long turn() {
        return turn;
    }

    /// The last strong memory operation.
    ///
    /// @param offset in the space's segment, of the first lane
    public record Spin(Site site, Space space, long offset, int lanes) {}

    /// What the warp spins on, or null where it does not.
    public @Nullable Spin spinning() {
        return spins > 0 ? spinning : null;
    }

    /// Whether some of the memory it spins on is out of the CTA.
    public boolean spinsOutside() {
        return spinsOutside;
    }

    /// All that decides what the warp does next, in 64 bits.
    public long fingerprint() {
        long mixed = 31L * live + (alone ? 1 : 0) + 17L * lastBlock;
        for (Frame frame : frames) {
            mixed = mix(mixed, java.util.Arrays.hashCode(frame.pending));
            mixed = mix(mixed, java.util.Arrays.hashCode(frame.predicates));
            mixed = mix(mixed, java.util.Arrays.hashCode(frame.words));
            mixed = mix(mixed, java.util.Arrays.hashCode(frame.longs));
        }
        for (Waiter waiter : waiters) {
            mixed = mix(mixed, 31 * waiter.block + waiter.mask);
        }
        return mixed;
    }

    public static long mix(long hash, int more) {
        long mixed = (hash ^ more) * 0x9e37_79b9_7f4a_7c15L;
        return mixed ^ mixed >>> 32;
    }

    /// How many steps its worker has run, of this and other warps.
    public long steps() {
        return cta.counters().clock();
    }

    /// Counts the lanes that run a block, and ends the launch where a limit is reached.
    public void charge(Frame frame, int block, int mask) {
        int[] visited = frame.visited;
        if (visited != null) {
            visited[block] |= mask;
        }
        cta.counters().charge(frame.code, block, mask, this);
    }

    // Frames.

    public void open(Frame frame) {
        frames.add(frame);
    }

    public void close(Frame frame, int lanes) {
        frame.lanes &= ~lanes;
        if (frame.lanes == 0 && frames.remove(frame) && frame != root) {
            frame.release();
            cta.limits().giveMemory(Calls.hostBytes(frame.code));
        }
    }

    /// Lanes are done, wherever they are.
    public void end(Frame frame, int lanes) {
        if (lanes == 0) {
            return;
        }
        live &= ~lanes;
        for (Frame outer = frame; outer != null; outer = outer.caller) {
            close(outer, lanes);
        }
        cta.ended(this, lanes);
    }

    /// Remembers where lanes end.
    public void endsAt(@Nullable Site site, int lanes) {
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                endedAt[lane] = site;
            }
        }
    }

    public @Nullable Site endOf(int lane) {
        return endedAt[lane];
    }

    /// Whether lanes missing from warp-wide instructions are looked for.
    public boolean isChecked() {
        return cta.grid().checks(RuleGroup.WARP);
    }

    /// What follows undefined values, or null where the first use of one is an error.
    public @Nullable Definedness definedness() {
        return definedness;
    }

    /// What products under way use.
    public RegistersInFlight registersInFlight() {
        return inFlight;
    }

    public RegisterChecks registers() {
        return registers;
    }

    public int live() {
        return live;
    }

    public int initial() {
        return initial;
    }

    public List<Frame> frames() {
        return frames;
    }

    public List<Waiter> waiters() {
        return waiters;
    }

    // Parts.

    public Cta cta() {
        return cta;
    }

    /// Its number in the CTA.
    public int index() {
        return index;
    }

    ClusterBarrier.Arrivals clusterArrivals() {
        return clusterArrivals;
    }

    /// The four warps that it multiplies with.
    public Warpgroup warpgroup() {
        return cta.warpgroup(index / Warpgroup.WARPS);
    }

    /// What memory steps do for a whole warp.
    public MemoryUnit memory() {
        return memory;
    }

    /// Where lanes meet.
    public WarpSynchronization meetings() {
        return meetings;
    }

    public Calls calls() {
        return calls;
    }

    /// The frame whose lanes run, or ran last.
    public @Nullable Frame running() {
        return lastFrame;
    }

    public FindingFactory faults() {
        return faults;
    }

    public LocalMemory local() {
        return local;
    }

    public void reserveLocal(long bytes) {
        local.reserve(bytes);
    }

    /// The groups of bulk copies of its lanes.
    public BulkGroups bulkGroups() {
        return bulkGroups;
    }

    public AsyncGroups groups() {
        return groups;
    }

    /// The clock by which accesses are ordered, or 0 without checks.
    public int clock() {
        SharedShadow shadow = cta.shadow();
        return shadow == null ? 0 : shadow.order().clock(index);
    }

    /// The number of a lane's thread in its CTA.
    public int thread(int lane) {
        return 32 * index + lane;
    }

    /// A predefined register that differs from lane to lane, in every lane.
    public int[] lanes(SpecialRegister register) {
        return switch (register) {
            case TID_X -> x;
            case TID_Y -> y;
            case TID_Z -> z;
            case LANEID -> LANE_IDS;
            default -> throw new IllegalArgumentException(register + " is the same in all lanes");
        };
    }

    /// A word of the kernel's parameters.
    public int parameter32(long offset) {
        return cta.grid().parameters().get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    }

    /// A 64-bit word of the kernel's parameters.
    public long parameter64(long offset) {
        return cta.grid().parameters().get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    }

    /// The bits of a predefined register in a lane.
    public long special(SpecialRegister register, int lane) {
        Grid grid = cta.grid();
        return switch (register) {
            case TID_X -> x[lane];
            case TID_Y -> y[lane];
            case TID_Z -> z[lane];
            case NTID_X -> grid.block().x();
            case NTID_Y -> grid.block().y();
            case NTID_Z -> grid.block().z();
            case CTAID_X -> cta.x();
            case CTAID_Y -> cta.y();
            case CTAID_Z -> cta.z();
            case CLUSTERID_X -> cta.x() / grid.cluster().x();
            case CLUSTERID_Y -> cta.y() / grid.cluster().y();
            case CLUSTERID_Z -> cta.z() / grid.cluster().z();
            case NCTAID_X -> grid.extent().x();
            case NCTAID_Y -> grid.extent().y();
            case NCTAID_Z -> grid.extent().z();
            case NCLUSTERID_X -> grid.clusters().x();
            case NCLUSTERID_Y -> grid.clusters().y();
            case NCLUSTERID_Z -> grid.clusters().z();
            case LANEID -> lane;
            case WARPID -> index;
            case NWARPID -> grid.warps();
            case NSMID -> 1;
            case LANEMASK_EQ -> 1L << lane;
            case LANEMASK_LT -> (1L << lane) - 1;
            case LANEMASK_LE -> (2L << lane) - 1;
            case LANEMASK_GT -> -2L << lane & 0xffff_ffffL;
            case LANEMASK_GE -> -1L << lane & 0xffff_ffffL;
            case CLOCK, CLOCK64 -> cta.counters().clock();
            case CLOCK_HI -> cta.counters().clock() >>> 32;
            case GLOBALTIMER, GLOBALTIMER_LO -> System.nanoTime();
            case GLOBALTIMER_HI -> System.nanoTime() >>> 32;
            case DYNAMIC_SMEM_SIZE -> grid.dynamicBytes();
            case TOTAL_SMEM_SIZE -> grid.sharedBytes();
            case CLUSTER_CTAID_X -> cta.x() % grid.cluster().x();
            case CLUSTER_CTAID_Y -> cta.y() % grid.cluster().y();
            case CLUSTER_CTAID_Z -> cta.z() % grid.cluster().z();
            case CLUSTER_NCTAID_X -> grid.cluster().x();
            case CLUSTER_NCTAID_Y -> grid.cluster().y();
            case CLUSTER_NCTAID_Z -> grid.cluster().z();
            case CLUSTER_CTARANK -> cta.rank();
            case CLUSTER_NCTARANK -> cta.cluster().size();
            case IS_EXPLICIT_CLUSTER -> grid.explicitCluster() ? 1 : 0;
            case RESERVED_SMEM_OFFSET_BEGIN, RESERVED_SMEM_OFFSET_0, RESERVED_SMEM_OFFSET_1 ->
                    grid.reservedOffset();
            case RESERVED_SMEM_OFFSET_END -> grid.allSharedBytes();
            case RESERVED_SMEM_OFFSET_CAP -> grid.reservedBytes();
            case SMID, GRIDID -> 0;
            case ENVREG1 -> grid.workspace() >>> 32;
            case ENVREG2 -> (int) grid.workspace();
        };
    }
}
