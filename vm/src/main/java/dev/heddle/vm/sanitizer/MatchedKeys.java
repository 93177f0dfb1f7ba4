package dev.heddle.vm.sanitizer;

import dev.heddle.vm.state.Meeting;

/// The values that lanes compare with one another in `match`, as far as they are known.
final class MatchedKeys {
    private final int lanes;
    private final long[] values = new long[32];
    private final long[] undefined = new long[32];

    MatchedKeys(Meeting meeting) {
        lanes = meeting.lanes();
        meeting.values(0, values);
        for (int lane = 0; lane < 32; lane++) {
            undefined[lane] = ExchangePropagation.undefined(meeting.placeOf(lane), 0, lane);
        }
    }

    private boolean surelyDiffer(int one, int other) {
        return ((values[one] ^ values[other]) & ~(undefined[one] | undefined[other])) != 0;
    }

    /// The lanes of which nobody knows whether they have the same as one, as a mask.
    long undecided(int lane) {
        long found = 0;
        for (int rest = lanes & ~(1 << lane); rest != 0; rest &= rest - 1) {
            int other = Integer.numberOfTrailingZeros(rest);
            boolean isOpen = (undefined[lane] | undefined[other]) != 0;
            found |= isOpen && !surelyDiffer(lane, other) ? 1L << other : 0;
        }
        return found;
    }

    /// Whether some two differ, whatever is undefined of them.
    boolean surelyDiffer() {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int one = Integer.numberOfTrailingZeros(rest);
            for (int later = rest & rest - 1; later != 0; later &= later - 1) {
                if (surelyDiffer(one, Integer.numberOfTrailingZeros(later))) {
                    return true;
                }
            }
        }
        return false;
    }
}
