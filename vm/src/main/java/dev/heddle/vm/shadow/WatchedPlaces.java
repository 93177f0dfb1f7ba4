package dev.heddle.vm.shadow;

/// A few ranges of places. Where something in one changes, its larger part goes on without that.
final class WatchedPlaces {
    private final int[] from = new int[CleanWords.RANGES];
    private final int[] to = new int[CleanWords.RANGES];

    // Around all of them.
    private int least;
    private int end;

    /// From here on, a range is one of these places.
    void watch(int range, int first, int behind) {
        from[range] = first;
        to[range] = behind;
        least = Integer.MAX_VALUE;
        end = 0;
        for (int i = 0; i < CleanWords.RANGES; i++) {
            if (isWatched(i)) {
                least = Math.min(least, from[i]);
                end = Math.max(end, to[i]);
            }
        }
    }

    /// Whether nothing has changed in a range, and it has places.
    boolean isWatched(int range) {
        return from[range] < to[range];
    }

    int from(int range) {
        return from[range];
    }

    int to(int range) {
        return to[range];
    }

    /// Anything may have changed.
    void changed() {
        changed(0, Integer.MAX_VALUE - 1);
    }

    void changed(int first, int last) {
        if (first >= end || last < least) {
            return;
        }
        for (int i = 0; i < CleanWords.RANGES; i++) {
            if (first < to[i] && last >= from[i]) {
                if (first - from[i] > to[i] - 1 - last) {
                    to[i] = first;
                } else {
                    from[i] = Math.min(last + 1, to[i]);
                }
            }
        }
    }
}
