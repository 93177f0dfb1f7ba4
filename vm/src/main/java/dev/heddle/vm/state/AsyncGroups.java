package dev.heddle.vm.state;

import dev.heddle.vm.ir.Step;

import java.util.Arrays;

/// The `cp.async` groups of each lane of a warp (PTX ISA 9.7.9.25.3). Data is copied when the copy
/// is issued; what is kept here says until when reading it is an error.
public final class AsyncGroups {
    private final int[] committed = new int[32];
    private final int[] retired = new int[32];
    private boolean used;

    // Whether all lanes have committed as many, and waited for as many.
    private boolean even = true;

    // By lane and group, the clock of the warp when that was waited for.
    private int[][] retiredAt = new int[32][0];

    public void clear() {
        if (!used) {
            return;
        }
        used = false;
        even = true;
        Arrays.fill(committed, 0);
        Arrays.fill(retired, 0);
    }

    /// The group that a copy issued now by this lane belongs to.
    public int current(int lane) {
        return committed[lane];
    }

    /// Whether all lanes have committed and waited for the same groups at the same times.
    public boolean areEven() {
        return even;
    }

    /// Whether a group of this lane has been waited for.
    public boolean isRetired(int lane, int group) {
        return group < retired[lane];
    }

    /// The warp's clock when a lane had waited for a group.
    public int retiredAt(int lane, int group) {
        return group < retiredAt[lane].length ? retiredAt[lane][group] : 0;
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
        int waited = retired[lane];
        return "%s of the %d group%s that it committed"
                .formatted(
                        waited == 0 ? "none" : "the first " + waited,
                        committed[lane],
                        committed[lane] == 1 ? "" : "s");
    }

    /// Commits, or waits.
    ///
    /// @param clock of the warp, or 0 where nobody asks for it
    public void apply(Step.AsyncGroup step, int lanes, int clock) {
        used = true;
        even &= lanes == -1;
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            switch (step.kind()) {
                case COMMIT -> committed[lane]++;
                case WAIT -> retire(lane, committed[lane] - step.pending(), clock);
            }
        }
    }

    /// A lane hands its copies so far to an mbarrier, whose phase says from then on when they are
    /// complete.
    ///
    /// @param clock of the warp, or 0 where nobody asks for it
    public void hand(int lane, int clock) {
        used = true;
        even = false;
        committed[lane]++;
        retire(lane, committed[lane], clock);
    }
}
