package dev.heddle.vm.shadow;

/// The row of consecutive bytes of consecutive lanes that an access looks at, which is noted once
/// for all its places that have no room for it.
final class NotedRow {
    private static final int SECTOR_UNIT = Integer.numberOfTrailingZeros(GlobalStamp.SECTOR);

    private boolean isNoted;

    // Of sectors that one lane accesses, how many bytes; else 0.
    private int sectors;
    private long at;
    private int first;
    private int lanes;
    private int unit;

    /// @param from where the bytes of the first lane begin
    /// @param bytes of a lane, as a logarithm
    void begin(long from, long to, int lane, int bytes) {
        isNoted = false;
        sectors = 0;
        at = from;
        first = lane;
        unit = bytes;
        int last = lane + (int) (to - 1 - from >> unit);
        lanes = -1 << lane & -1 >>> 31 - last;
    }

    /// A lane accesses its bytes several times, one behind the other, these among them.
    ///
    /// @param bytes of each time, as a logarithm
    void beginApart(long from, long to, int lane, int bytes) {
        begin(from, from + (1L << bytes), lane, bytes);
        sectors = bytes == SECTOR_UNIT ? (int) (to - from) : 0;
    }

    /// The lane that accesses a byte.
    int laneOf(long place) {
        return first + (int) (place - at >> unit);
    }

    /// Keeps it.
    ///
    /// @param stamp of lane 0
    /// @param sharers the lanes that access the same bytes instead, or none
    void note(ShadowPage page, boolean write, long stamp, int sharers) {
        if (isNoted) {
            return;
        }
        isNoted = true;
        AccessRows rows = write ? page.writes() : page.reads();
        if (sectors > 0) {
            rows.addSectors(stamp, at, sectors, lanes);
        } else if (sharers == 0) {
            rows.add(stamp, at, lanes);
        } else {
            rows.addTogether(stamp, at, sharers);
        }
    }
}
