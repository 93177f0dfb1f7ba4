package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Up to which clocks the threads of CTAs are over, of those that are known to have started.
/// Immutable.
///
/// CTAs of a grid mostly do the same: one entry stands for consecutive CTAs that are equally far.
final class GridClock {
    static final GridClock NONE = new GridClock(List.of());

    private final Run[] runs;

    /// CTAs that are equally far.
    private record Run(int first, int last, VectorClock clock) {}

    private GridClock(List<Run> runs) {
        this.runs = runs.toArray(Run[]::new);
    }

    /// Of one CTA.
    ///
    /// @param clock of that CTA alone
    static GridClock of(int cta, VectorClock clock) {
        return new GridClock(List.of(new Run(cta, cta, clock)));
    }

    /// The clock of a CTA, or null where nobody knows whether it has started.
    @Nullable VectorClock of(int cta) {
        int low = 0;
        int high = runs.length - 1;
        while (low <= high) {
            int middle = (low + high) / 2;
            Run run = runs[middle];
            if (cta < run.first) {
                high = middle - 1;
            } else if (cta > run.last) {
                low = middle + 1;
            } else {
                return run.clock;
            }
        }
        return null;
    }

    /// The same without a CTA.
    GridClock without(int cta) {
        if (of(cta) == null) {
            return this;
        }
        List<Run> left = new ArrayList<>();
        for (Run run : runs) {
            if (cta < run.first || cta > run.last) {
                left.add(run);
            } else {
                if (run.first < cta) {
                    left.add(new Run(run.first, cta - 1, run.clock));
                }
                if (run.last > cta) {
                    left.add(new Run(cta + 1, run.last, run.clock));
                }
            }
        }
        return left.isEmpty() ? NONE : new GridClock(left);
    }

    /// The later of both for each thread; one of them, this one first, where it says all.
    GridClock join(GridClock other) {
        if (this == other || other == NONE) {
            return this;
        }
        if (this == NONE) {
            return other;
        }
        Joined joined = new Joined(this, other);
        joined.run();
        return joined.isFirst ? this : joined.isSecond ? other : new GridClock(joined.runs);
    }

    /// The work of a join.
    private static final class Joined {
        private final Run[] a;
        private final Run[] b;
        private final List<Run> runs = new ArrayList<>();

        // Whether all so far is as in one of them.
        private boolean isFirst = true;
        private boolean isSecond = true;

        Joined(GridClock first, GridClock second) {
            a = first.runs;
            b = second.runs;
        }

        void run() {
            int i = 0;
            int j = 0;
            int at = 0;
            while (i < a.length || j < b.length) {
                Run one = i < a.length ? a[i] : null;
                Run two = j < b.length ? b[j] : null;
                int from = Math.max(at, Math.min(start(one), start(two)));
                int to = Math.min(end(one, from), end(two, from));
                add(from, to, at(one, from), at(two, from));
                at = to + 1;
                i += isBefore(one, at) ? 1 : 0;
                j += isBefore(two, at) ? 1 : 0;
            }
        }

        private static @Nullable VectorClock at(@Nullable Run run, int cta) {
            return run == null || run.first > cta ? null : run.clock;
        }

        private static boolean isBefore(@Nullable Run run, int cta) {
            return run != null && run.last < cta;
        }

        private static int start(@Nullable Run run) {
            return run == null ? Integer.MAX_VALUE : run.first;
        }

        /// The last CTA that is as one is.
        private static int end(@Nullable Run run, int from) {
            return run == null ? Integer.MAX_VALUE : run.first <= from ? run.last : run.first - 1;
        }

        private void add(int from, int to, @Nullable VectorClock one, @Nullable VectorClock two) {
            VectorClock both = one == null ? two : two == null ? one : one.join(two);
            if (both == null) {
                return;
            }
            isFirst &= both == one;
            isSecond &= both == two;
            Run last = runs.isEmpty() ? null : runs.getLast();
            if (last != null && last.last == from - 1 && last.clock.isLike(both)) {
                runs.set(runs.size() - 1, new Run(last.first, to, last.clock));
            } else {
                runs.add(new Run(from, to, both));
            }
        }
    }

    @Override
    public String toString() {
        return Arrays.toString(runs);
    }
}
