package dev.heddle.vm.state;

import dev.heddle.vm.ir.Step;

import java.util.Arrays;

/// The `cp.async` groups of each lane of a warp (PTX ISA 9.7.9.25.3). Data is copied when the copy
/// is issued; what is kept here says until when reading it is an error.
public final class AsyncGroups {
    // By lane; where all lanes have committed as many, and waited for as many at the same times,
    // that of lane 0 stands for all.
    private final int[] committed = new int[32];
    private final int[] retired = new int[32];
    private boolean used;
    private boolean even = true;

    // By lane and group, the clock of the warp when that was waited for.
    private int[][] retiredAt = new int[32][0];

    public void clear() {
        if (!used) {
            return;
        }
        used = false;
        even = true;
        committed[0] = 0;
        retired[0] = 0;
    }

    private int of(int lane) {
        return even ? 0 : lane;
    }

    /// From here on, each lane has its own.
    private void part() {
        if (even) {
            even = false;
            Arrays.fill(committed, committed[0]);
            Arrays.fill(retired, retired[0]);
            Arrays.setAll(retiredAt, _ -> retiredAt[0].clone());
        }
    }

    /// The group that a copy issued now by this lane belongs to.
    public int current(int lane) {
        return committed[of(lane)];
    }

    /// Whether all lanes have committed and waited for the same groups at the same times.
    public boolean areEven() {
        return even;
    }

    /// Whether a group of this lane has been waited for.
    public boolean isRetired(int lane, int group) {
        return group < retired[of(lane)];
    }

    /// The warp's clock when a lane had waited for a group.
    public int retiredAt(int lane, int group) {
        int[] clocks = retiredAt[of(lane)];
        return group < clocks.length ? clocks[group] : 0;
    }

    private void retire(int lane, int groups, int clock) {
        if (groups <= retired[lane]) {
            return;
        }
        if (clock > 0) {
            if (groups > retiredAt[lane].length) {
                retiredAt[lane] = Arrays.copyOf(retiredAt[lane], 2 * groups);
            }
            Arrays.fill(retiredAt[lane], retired[lane], groups, clock);
        }
        retired[lane] = groups;
    }

    /// What a lane has committed and waited for, in words.
    public String describe(int lane) {
        int waited = retired[of(lane)];
        int all = committed[of(lane)];
        return "%s of the %d group%s that it committed"
                .formatted(waited == 0 ? "none" : "the first " + waited, all, all == 1 ? "" : "s");
    }

    /// Commits, or waits.
    ///
    /// @param clock of the warp, or 0 where nobody asks for it
    public void apply(Step.AsyncGroup step, int lanes, int clock) {
        used = true;
        if (lanes != -1) {
            part();
        }
        for (int rest = even ? 1 : lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            switch (step.kind()) {
                case COMMIT -> committed[lane]++;
                case WAIT -> retire(lane, committed[lane] - step.pending(), clock);
            }
        }
    }

    /// All lanes commit.
    public void commit() {
        used = true;
        for (int rest = even ? 1 : -1; rest != 0; rest &= rest - 1) {
            committed[Integer.numberOfTrailingZeros(rest)]++;
        }
    }

    /// Lanes hand their copies so far to an mbarrier, whose phase says from then on when they are
    /// complete.
    ///
    /// @param clock of the warp, or 0 where nobody asks for it
    public void hand(int lanes, int clock) {
        used = true;
        if (lanes != -1) {
            part();
        }
        for (int rest = even ? 1 : lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            committed[lane]++;
            retire(lane, committed[lane], clock);
        }
    }
}
