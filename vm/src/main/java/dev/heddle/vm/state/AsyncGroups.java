package dev.heddle.vm.state;

import dev.heddle.vm.ir.Step;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/// The `cp.async` groups of each lane of a warp (PTX ISA 9.7.9.25.3), and their parts: what a lane
/// hands to an mbarrier is a part that ends there, though its group goes on.
///
/// Data is copied when the copy is issued; what is kept here says until when reading it is an
/// error.
public final class AsyncGroups {
    // By lane; where all lanes have done the same at the same times, that of lane 0 stands for all.
    private final Lane[] lanes = new Lane[32];
    private boolean used;
    private boolean even = true;

    /// Those of a lane.
    private static final class Lane {
        // Groups.
        private int committed;
        private int waited;

        // Parts: those before the current one, and those that are over. By part, the clock when it
        // was waited for or handed over.
        private int parts;
        private int over;
        private int[] clocks = {};

        // By group, the parts up to its end, once a part has ended before its group.
        private int[] ends = {};
        private boolean hands;

        void clear() {
            committed = 0;
            waited = 0;
            parts = 0;
            over = 0;
            hands = false;
        }

        void become(Lane other) {
            committed = other.committed;
            waited = other.waited;
            parts = other.parts;
            over = other.over;
            hands = other.hands;
            clocks = other.clocks.clone();
            ends = other.ends.clone();
        }

        private int end(int group) {
            return hands ? ends[group] : group + 1;
        }

        void commit() {
            parts++;
            if (hands) {
                ends = withRoom(ends, committed);
                ends[committed] = parts;
            }
            committed++;
        }

        void await(int pending, int mask, IntUnaryOperator clock) {
            int groups = committed - pending;
            if (groups > waited) {
                waited = groups;
                finish(end(groups - 1), mask, clock);
            }
        }

        void hand(int mask, IntUnaryOperator clock) {
            if (!hands) {
                hands = true;
                ends = withRoom(ends, committed);
                Arrays.setAll(ends, group -> group + 1);
            }
            parts++;
            finish(parts, mask, clock);
        }

        private void finish(int count, int mask, IntUnaryOperator clock) {
            for (; over < count; over++) {
                int now = clock.applyAsInt(mask);
                if (now > 0) {
                    clocks = withRoom(clocks, over);
                    clocks[over] = now;
                }
            }
        }

        private static int[] withRoom(int[] before, int place) {
            return place < before.length ? before : Arrays.copyOf(before, 2 * place + 2);
        }

        int groupOf(int part) {
            int group = 0;
            while (group < committed && end(group) <= part) {
                group++;
            }
            return group;
        }
    }

    public AsyncGroups() {
        Arrays.setAll(lanes, _ -> new Lane());
    }

    public void clear() {
        if (used) {
            used = false;
            even = true;
            lanes[0].clear();
        }
    }

    private Lane of(int lane) {
        return lanes[even ? 0 : lane];
    }

    /// From here on, each lane has its own.
    private void part() {
        if (even) {
            even = false;
            for (int lane = 1; lane < lanes.length; lane++) {
                lanes[lane].become(lanes[0]);
            }
        }
    }

    /// The part that a copy issued now by this lane belongs to.
    public int current(int lane) {
        return of(lane).parts;
    }

    /// The number of the group that a part is of.
    public int group(int lane, int part) {
        return of(lane).groupOf(part);
    }

    /// Whether all lanes have committed, handed over and waited for the same at the same times.
    public boolean areEven() {
        return even;
    }

    /// Whether a part of this lane has been waited for, or handed over.
    public boolean isOver(int lane, int part) {
        return part < of(lane).over;
    }

    /// The clock when that was.
    public int overAt(int lane, int part) {
        int[] clocks = of(lane).clocks;
        return part < clocks.length ? clocks[part] : 0;
    }

    /// The clock of the last part that a lane has waited for, 0 where there is none.
    public int lastWait(int lane) {
        Lane own = of(lane);
        return own.waited == 0 ? 0 : own.clocks[own.end(own.waited - 1) - 1];
    }

    /// The clock of the last part that a lane has waited for or handed over.
    public int last(int lane) {
        Lane own = of(lane);
        return own.clocks[own.over - 1];
    }

    /// Whether a lane has handed copies to an mbarrier.
    public boolean hasHanded(int lane) {
        return of(lane).hands;
    }

    /// What a lane has committed and waited for, in words.
    public String describe(int lane) {
        int waited = of(lane).waited;
        int all = of(lane).committed;
        if (waited == 0) {
            return "no group, and has committed " + (all == 0 ? "none" : all);
        }
        if (waited == all) {
            return "every group that it has committed";
        }
        String first = waited == 1 ? "the first" : "the first " + waited;
        return "%s of the %d groups that it committed".formatted(first, all);
    }

    /// The lanes to tell of what these do.
    private int told(int mask) {
        used = true;
        if (mask != -1) {
            part();
        }
        return even ? 1 : mask;
    }

    /// Commits, or waits.
    ///
    /// @param clock gives one to each part that is over now, of these lanes; 0 where nobody asks
    public void apply(Step.AsyncGroup step, int mask, IntUnaryOperator clock) {
        for (int rest = told(mask); rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            switch (step.kind()) {
                case COMMIT -> lanes[lane].commit();
                case WAIT -> lanes[lane].await(step.pending(), even ? -1 : 1 << lane, clock);
            }
        }
    }

    /// All lanes commit.
    public void commit() {
        for (int rest = told(-1); rest != 0; rest &= rest - 1) {
            lanes[Integer.numberOfTrailingZeros(rest)].commit();
        }
    }

    /// Lanes hand their copies so far to an mbarrier, whose phase says from then on when they are
    /// complete.
    ///
    /// @param clock gives one to each part, of these lanes
    public void hand(int mask, IntUnaryOperator clock) {
        for (int rest = told(mask); rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            lanes[lane].hand(even ? -1 : 1 << lane, clock);
        }
    }
}
