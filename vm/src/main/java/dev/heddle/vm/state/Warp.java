package dev.heddle.vm.state;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.shadow.SharedShadow;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Thirty-two lanes and the frames they are in. Public members serve generated code.
public final class Warp {
    /// Strong memory operations after which a warp lets others run: enough for locks, few enough
    /// for spin loops.
    private static final int SPIN_SLICE = 64;

    /// The same of those in a row that find nothing to do, where a warp has waited in vain before.
    private static final int SHORTEST_WAIT = 8;

    private final Cta cta;
    private final int index;
    /// The frame of the kernel.
    public final Frame root;
    private final List<Frame> frames = new ArrayList<>();
    private final List<Waiter> waiters = new ArrayList<>();
    private final LocalMemory local;
    private final AsyncGroups groups = new AsyncGroups();
    private final BulkGroups bulkGroups = new BulkGroups();
    private final LaneAddresses addresses;
    private final FindingFactory faults;
    private final SpecialRegisterValues special;
    private final @Nullable Site[] endedAt = new Site[32];
    private @Nullable Site allEndedAt;
    private boolean haveAllEnded;
    private final ClusterBarrier.Arrivals clusterArrivals = new ClusterBarrier.Arrivals();
    private final int initial;
    private @Nullable ExecutionUnits units;
    private int live;
    private int spins;
    private int idle;
    private int wait = SPIN_SLICE;
    private @Nullable Spin spinning;
    private boolean spinsOutside;
    private boolean watched;
    private long changes;
    private long turn;
    private boolean alone;
    private @Nullable Frame running;
    private int runningAt;

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

    Warp(Cta cta, int index, Code kernel) {
        this.cta = cta;
        this.index = index;
        initial = (int) ((1L << Math.min(32, cta.grid().shape().threads() - 32 * index)) - 1);
        local = new LocalMemory(cta.arena(), cta.grid().checked());
        root = new Frame(kernel, this, null, null);
        faults = new FindingFactory(this);
        addresses = new LaneAddresses(this);
        special = new SpecialRegisterValues(this);
    }

    /// Who takes its steps.
    public void executedBy(ExecutionUnits executing) {
        units = executing;
    }

    /// What takes its steps, whatever the executor.
    public ExecutionUnits units() {
        return Objects.requireNonNull(units);
    }

    /// All its lanes are at the kernel's entry.
    ///
    /// @param executor makes the registers ready
    public void restart(Executor executor) {
        root.release();
        for (Frame left : frames) {
            left.release();
            if (left != root) {
                cta.limits().giveMemory(Grid.activationBytes(left.code));
            }
        }
        frames.clear();
        waiters.clear();
        groups.clear();
        clusterArrivals.clear();
        bulkGroups.clear();
        live = initial;
        wait = SPIN_SLICE;
        idle = 0;
        alone = false;
        running = null;
        local.reserve(root.code.frameBytes());
        executor.clear(root);
        local.forget();
        root.restart(initial);
        frames.add(root);
    }

    // Its turns to run.

    /// Its turn to run begins.
    public void begin() {
        turn++;
        if (idle >= wait) {
            wait = Math.max(SHORTEST_WAIT, wait / 2);
        }
        spins = 0;
        idle = 0;
        spinsOutside = false;
    }

    /// Lanes of a frame are about to run a block.
    public void runs(Frame frame, int block) {
        running = frame;
        runningAt = block;
    }

    /// The frame whose lanes run, or ran last.
    public @Nullable Frame running() {
        return running;
    }

    /// The block that lanes of [#running] run, or ran last.
    public int runningAt() {
        return runningAt;
    }

    /// Whether one group of its lanes runs at a time, and none overtakes it.
    public boolean isAlone() {
        return alone;
    }

    /// Lets one group of its lanes run at a time, or all as they come.
    public void setAlone(boolean oneAtATime) {
        alone = oneAtATime;
    }

    public boolean isDone() {
        return live == 0;
    }

    /// Whether the warp has spun long enough to let others run.
    public boolean hasSpun() {
        return spins >= SPIN_SLICE || idle >= wait;
    }

    /// Whether an executor is to give way behind a block.
    public boolean shouldYield() {
        return hasSpun() || watched;
    }

    /// Whether each step is to be looked at, though the executor may not do so.
    public boolean isWatched() {
        return watched;
    }

    /// Lets each step be looked at from now on, or not.
    public void watch(boolean eachStep) {
        watched = eachStep;
    }

    /// Counts a strong memory operation: what spin loops are made of.
    public void spin(Site site, Space space, long offset, int lanes) {
        spins++;
        idle++;
        spinning = new Spin(site, space, offset, lanes);
        spinsOutside |= space != Space.SHARED;
    }

    /// It waits for what only others can do: it is their turn.
    public void waitsInVain() {
        idle = Math.max(idle, wait);
    }

    /// Something was written that registers do not show: a warp in the same state as before, with
    /// nothing written in between, runs in a circle.
    public void changed() {
        changes++;
        idle = 0;
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

    /// Where its lanes are, and what their predicates say, in 64 bits.
    ///
    /// @param block that it runs; compiled code tells of it only where it gives way
    long place(int block) {
        long mixed = 31L * live + (alone ? 1 : 0) + 17L * block + 1009L * wait;
        for (Frame frame : frames) {
            mixed = mix(mixed, java.util.Arrays.hashCode(frame.pending));
            mixed = mix(mixed, frame.clocks().predicates(frame, block));
        }
        return mixed;
    }

    /// All that decides what the warp does next, in 64 bits.
    long fingerprint(int block) {
        long mixed = place(block);
        for (Frame frame : frames) {
            mixed = mix(mixed, frame.clocks().registers(frame, block));
        }
        for (Waiter waiter : waiters) {
            mixed = mix(mixed, 31 * waiter.block + waiter.mask);
        }
        return mixed;
    }

    public static long mix(long hash, long more) {
        long mixed = (hash ^ more) * 0x9e37_79b9_7f4a_7c15L;
        return mixed ^ mixed >>> 32;
    }

    /// How many steps its worker has run, of this and other warps.
    public long steps() {
        return cta.counters().clock();
    }

    /// Counts the lanes that run a block, and ends the launch where a limit is reached.
    public void charge(Frame frame, int block, int mask) {
        frame.visit(block, mask);
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
            cta.limits().giveMemory(Grid.activationBytes(frame.code));
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
        if (lanes == -1) {
            allEndedAt = site;
            haveAllEnded = true;
            return;
        }
        haveAllEnded = false;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            endedAt[Integer.numberOfTrailingZeros(rest)] = site;
        }
    }

    public @Nullable Site endOf(int lane) {
        return haveAllEnded ? allEndedAt : endedAt[lane];
    }

    /// Whether lanes missing from warp-wide instructions are looked for.
    public boolean checksLanes() {
        return cta.grid().checks(RuleGroup.WARP);
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

    /// Where the addresses of its lanes point.
    public LaneAddresses addresses() {
        return addresses;
    }

    /// Its predefined registers.
    public SpecialRegisterValues special() {
        return special;
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

    /// A word of the kernel's parameters.
    public int parameter32(long offset) {
        return cta.grid().parameters().get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    }

    /// A 64-bit word of the kernel's parameters.
    public long parameter64(long offset) {
        return cta.grid().parameters().get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    }
}
