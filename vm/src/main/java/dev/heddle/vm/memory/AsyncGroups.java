package dev.heddle.vm.memory;

import dev.heddle.vm.ir.Step;

/// The `cp.async` groups of each lane of a warp (PTX ISA 9.7.9.25.3). Data is copied when the copy
/// is issued; what is kept here says until when reading it is an error.
public final class AsyncGroups {
    private final int[] committed = new int[32];
    private final int[] retired = new int[32];

    public void clear() {
        java.util.Arrays.fill(committed, 0);
        java.util.Arrays.fill(retired, 0);
    }

    /// The group that a copy issued now by this lane belongs to.
    public int current(int lane) {
        return committed[lane];
    }

    /// Whether a group of this lane has been waited for.
    public boolean isRetired(int lane, int group) {
        return group < retired[lane];
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

    public void apply(Step.AsyncGroup step, int lanes) {
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            switch (step.kind()) {
                case COMMIT -> committed[lane]++;
                case WAIT ->
                        retired[lane] = Math.max(retired[lane], committed[lane] - step.pending());
            }
        }
    }

    /// A lane hands its copies so far to an mbarrier, whose phase says from then on when they are
    /// complete.
    public void hand(int lane) {
        committed[lane]++;
        retired[lane] = committed[lane];
    }
}
