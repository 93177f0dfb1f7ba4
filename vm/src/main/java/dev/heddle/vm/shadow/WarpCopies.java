package dev.heddle.vm.shadow;

/// The copies of lanes of a warp by one instruction of `cp.async`, all of one part of them.
public final class WarpCopies {
    private static final int WORD = Integer.BYTES;

    private final int[] at = new int[Integer.SIZE];
    private int bytes;
    private int lanes;
    private int part;
    private long copy;
    private long write;

    /// Where they are listed that stand for all of their words, or -1 where they do not.
    int place = -1;

    /// They begin.
    ///
    /// @param site the number of their instruction
    /// @param thread of lane 0
    /// @param bytes of a lane
    public void begin(int site, int thread, int part, int bytes, int lanes) {
        this.bytes = bytes;
        this.lanes = lanes;
        this.part = part;
        copy = CopiesUnderWay.copy(part, site, thread);
        write = Stamp.NOBODY;
        place = -1;
    }

    /// Where those of each lane begin, in shared memory: for whoever begins them.
    public int[] offsets() {
        return at;
    }

    /// The part of its thread's copies that each is of.
    public int part() {
        return part;
    }

    /// The lanes.
    int lanes() {
        return lanes;
    }

    /// The first word of a lane.
    int first(int lane) {
        return at[lane] / WORD;
    }

    /// The words of a lane.
    int count() {
        return bytes / WORD;
    }

    /// That of a lane, as shadow memory has it.
    long copy(int lane) {
        return copy + lane;
    }

    /// They stand for all of their words.
    ///
    /// @param listed where they are listed
    /// @param now the stamp of lane 0's write as they began
    void stand(int listed, long now) {
        place = listed;
        write = now;
    }

    /// Gives words that they stand for a copy each, and the last write before it: that is the
    /// copy's own as it began.
    ///
    /// @param copies by word
    /// @param before by word, how far behind the copy the last write stands
    void settle(long[] copies, int before) {
        int count = count();
        for (int lane = 0; lane < at.length; lane++) {
            int first = first(lane);
            for (int word = first; word < first + count; word++) {
                copies[word] = copy + lane;
                copies[before + word] = write + lane;
            }
        }
        place = -1;
    }

    /// The words that they stand for are written.
    ///
    /// @param last by word, its last write
    /// @param clock when they were waited for, or handed over
    void end(long[] last, AsyncClocks clocks, int clock) {
        long now = clocks.copied(write, clock);
        if (bytes == CopiesUnderWay.WIDEST) {
            endWide(last, now);
            return;
        }
        int count = count();
        for (int lane = 0; lane < at.length; lane++) {
            int first = first(lane);
            for (int word = first; word < first + count; word++) {
                last[word] = now + lane;
            }
        }
    }

    /// The same of four words each, as most have.
    private void endWide(long[] last, long now) {
        for (int lane = 0; lane < at.length; lane++) {
            int first = at[lane] / WORD;
            long stamp = now + lane;
            last[first + 3] = stamp;
            last[first + 2] = stamp;
            last[first + 1] = stamp;
            last[first] = stamp;
        }
    }
}
