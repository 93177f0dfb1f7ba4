package dev.heddle.vm.state;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.LaneText;
import dev.heddle.vm.shadow.ClusterHandover;
import dev.heddle.vm.shadow.HappensBefore;
import dev.heddle.vm.shadow.SharedShadow;

import java.util.ArrayList;
import java.util.List;

/// The barrier of all threads of a cluster (PTX ISA 9.7.13.3): threads arrive, and wait later.
public final class ClusterBarrier {
    private final Cluster cluster;
    private final List<Waiting> waiting = new ArrayList<>();
    private final ClusterHandover handover = new ClusterHandover();
    private long phase;

    /// Threads that have arrived in this phase and not ended since.
    private int arrived;

    private boolean anybodyCame;

    /// The last phase for which somebody arrived and released nothing.
    private long relaxed;

    ClusterBarrier(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Lanes that wait.
    public record Waiting(Frame frame, Exit.Synchronize exit, int mask) {}

    /// The phases that each lane of a warp has arrived for and not waited for, from 1; 0 where
    /// there is none.
    static final class Arrivals {
        private final long[] phases = new long[32];

        void clear() {
            java.util.Arrays.fill(phases, 0);
        }
    }

    void clear() {
        handover.clear();
        waiting.clear();
        phase = 0;
        arrived = 0;
        anybodyCame = false;
        relaxed = 0;
    }

    /// How many phases are over.
    public long phase() {
        return phase;
    }

    /// Whether threads arrived, and released nothing, for a phase after so many.
    public boolean isRelaxedAfter(long phases) {
        return relaxed > phases;
    }

    /// Who waits.
    public List<Waiting> waiting() {
        return waiting;
    }

    /// How many threads have arrived.
    public int arrived() {
        return arrived;
    }

    /// Lanes arrive, or wait for the phase that they arrived in.
    public void come(Frame frame, Exit.Synchronize exit, Collective.ClusterBarrier step, int mask) {
        if (step.waits()) {
            await(frame, exit, mask);
        } else {
            arrive(frame, exit, mask);
        }
    }

    private void arrive(Frame frame, Exit.Synchronize exit, int mask) {
        long[] phases = frame.warp.clusterArrivals().phases;
        int again = lanes(phases, mask, phase + 1);
        if (again != 0) {
            throw broken(frame, exit, again, "a second time, without a wait since the first");
        }
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            phases[Integer.numberOfTrailingZeros(rest)] = phase + 1;
        }
        SharedShadow shadow = frame.warp.cta().shadow();
        boolean releases = !exit.site().is(Site.Mark.RELAXED);
        relaxed = releases ? relaxed : phase + 1;
        if (shadow != null) {
            HappensBefore order = shadow.order();
            int warp = frame.warp.index();
            if (!releases) {
                order.strong().relaxed().arrived(order, warp, mask, exit.site().number());
            }
            handover.arrive(order, warp, mask, releases);
        }
        arrived += Integer.bitCount(mask);
        anybodyCame = true;
        frame.park(exit.next(), mask);
        complete();
    }

    private void await(Frame frame, Exit.Synchronize exit, int mask) {
        long[] phases = frame.warp.clusterArrivals().phases;
        int never = lanes(phases, mask, 0);
        if (never != 0) {
            throw broken(frame, exit, never, "without having arrived");
        }
        int early = lanes(phases, mask, phase + 1);
        waited(frame, exit, mask & ~early);
        if (early != 0) {
            waiting.add(new Waiting(frame, exit, early));
        }
    }

    private void waited(Frame frame, Exit.Synchronize exit, int mask) {
        long[] phases = frame.warp.clusterArrivals().phases;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            phases[Integer.numberOfTrailingZeros(rest)] = 0;
        }
        SharedShadow shadow = frame.warp.cta().shadow();
        if (shadow != null) {
            handover.waited(shadow.order(), frame.warp.index(), mask);
        }
        frame.park(exit.next(), mask);
    }

    private static int lanes(long[] phases, int mask, long phase) {
        int found = 0;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            found |= phases[lane] == phase ? 1 << lane : 0;
        }
        return found;
    }

    private static KernelFault broken(Frame frame, Exit.Synchronize exit, int lanes, String how) {
        return frame.warp
                .faults()
                .undefined(
                        Rule.CLUSTER_BARRIER_OUT_OF_TURN,
                        exit.site(),
                        lanes,
                        "%s executed by %s %s"
                                .formatted(exit.site().mnemonic(), LaneText.describe(lanes), how));
    }

    /// Lanes end: nobody waits for them any more.
    void ended(Warp warp, int lanes) {
        arrived -= Integer.bitCount(lanes(warp.clusterArrivals().phases, lanes, phase + 1));
        complete();
    }

    private void complete() {
        if (!anybodyCame || arrived < cluster.alive()) {
            return;
        }
        phase++;
        arrived = 0;
        anybodyCame = false;
        handover.complete();
        List<Waiting> released = List.copyOf(waiting);
        waiting.clear();
        for (Waiting each : released) {
            waited(each.frame(), each.exit(), each.mask());
        }
    }
}
