package dev.heddle.sparse;

/// The two largest of four units, by the outcomes of comparing each with each.
final class Largest {
    private static final int[][] PAIRS = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

    /// Of the outcomes of the six comparisons of four units, a bit for each pair, set where the
    /// first one wins: the two that win most.
    static final byte[] OF_FOUR = ofFour();

    private Largest() {}

    private static byte[] ofFour() {
        byte[] largest = new byte[64];
        for (int outcome = 0; outcome < largest.length; outcome++) {
            int[] wins = new int[4];
            for (int pair = 0; pair < PAIRS.length; pair++) {
                wins[PAIRS[pair][outcome >> pair & 1 ^ 1]]++;
            }
            for (int unit = 0; unit < wins.length; unit++) {
                largest[outcome] |= (byte) (wins[unit] >= 2 ? 1 << unit : 0);
            }
        }
        return largest;
    }
}
