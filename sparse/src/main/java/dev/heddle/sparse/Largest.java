package dev.heddle.sparse;

/// The two largest of four units, by the outcomes of comparing each with each.
final class Largest {
    private static final int[][] PAIRS = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    private static final int[][] NEIGHBOURS = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {0, 3}};

    /// Of the outcomes of the six comparisons of four units, the two that win.
    static final byte[] OF_FOUR = ofFour();

    /// The same of four 16-bit units, the outcomes as [Chunks] has them.
    static final byte[] OF_SHORTS = ofShorts();

    private Largest() {}

    private static byte[] ofFour() {
        byte[] largest = new byte[64];
        for (int outcome = 0; outcome < 64; outcome++) {
            largest[outcome] = winners(outcome, PAIRS, 0);
        }
        return largest;
    }

    private static byte[] ofShorts() {
        byte[] largest = new byte[64];
        for (int outcome = 0; outcome < 64; outcome++) {
            // The last one says that unit 3 is larger than unit 0
            largest[outcome] = winners(outcome, NEIGHBOURS, 1 << 5);
        }
        return largest;
    }

    /// The two of four units that win most comparisons.
    ///
    /// @param outcome  a bit for each pair, set where the first one wins
    /// @param opposite bits that say the contrary
    private static byte winners(int outcome, int[][] pairs, int opposite) {
        int[] wins = new int[4];
        for (int pair = 0; pair < pairs.length; pair++) {
            wins[pairs[pair][(outcome ^ opposite) >> pair & 1 ^ 1]]++;
        }
        int set = 0;
        for (int unit = 0; unit < wins.length; unit++) {
            set |= wins[unit] >= 2 ? 1 << unit : 0;
        }
        return (byte) set;
    }
}
