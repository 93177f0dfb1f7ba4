package dev.heddle.vm.report;

/// Sets of lanes in words.
public final class LaneText {
    private static final int EVEN = 0x5555_5555;

    private LaneText() {}

    /// `lane 3`, `lanes 0-7,9`, `the even lanes`.
    public static String describe(int mask) {
        if (mask == EVEN || mask == ~EVEN) {
            return mask == EVEN ? "the even lanes" : "the odd lanes";
        }
        StringBuilder text = new StringBuilder();
        int ranges = 0;
        for (int lane = 0; lane < 32; lane++) {
            if ((mask >>> lane & 1) == 0) {
                continue;
            }
            int last = lane;
            while (last < 31 && (mask >>> last + 1 & 1) != 0) {
                last++;
            }
            text.append(ranges++ == 0 ? "" : ",").append(lane);
            if (last > lane) {
                text.append('-').append(last);
            }
            lane = last;
        }
        return (Integer.bitCount(mask) == 1 ? "lane " : "lanes ") + text;
    }
}
