package dev.heddle.vm.state;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// The local memory of a warp's 32 lanes, one stretch after the other; grows with the depth of
/// calls.
public final class LocalMemory {
    private final Arena arena;
    private MemorySegment segment = MemorySegment.NULL;
    private long bytesPerLane;
    private final boolean tracked;
    private byte[] written = new byte[0];

    /// An empty memory.
    ///
    /// @param arena that it is taken from
    /// @param tracked whether to remember which bytes were written
    public LocalMemory(Arena arena, boolean tracked) {
        this.arena = arena;
        this.tracked = tracked;
    }

    /// Makes room for so many bytes a lane.
    public void reserve(long bytes) {
        if (bytes <= bytesPerLane) {
            return;
        }
        long larger = Math.max(bytes, 2 * bytesPerLane) + 15 & ~15L;
        MemorySegment next = arena.allocate(32 * larger, 16);
        for (int lane = 0; lane < 32; lane++) {
            MemorySegment.copy(segment, lane * bytesPerLane, next, lane * larger, bytesPerLane);
        }
        if (tracked) {
            byte[] more = new byte[Math.toIntExact(32 * larger)];
            for (int lane = 0; lane < 32; lane++) {
                System.arraycopy(
                        written,
                        (int) (lane * bytesPerLane),
                        more,
                        (int) (lane * larger),
                        (int) bytesPerLane);
            }
            written = more;
        }
        segment = next;
        bytesPerLane = larger;
    }

    /// Nobody has written anything.
    public void forget() {
        Arrays.fill(written, (byte) 0);
    }

    /// An activation of these lanes takes a stretch or leaves it: what is there counts for
    /// nothing.
    public void forget(int lanes, long from, int bytes) {
        if (tracked && bytes > 0) {
            for (int lane = 0; lane < 32; lane++) {
                if ((lanes >>> lane & 1) != 0) {
                    int at = (int) offset(lane, from);
                    Arrays.fill(written, at, at + bytes, (byte) 0);
                }
            }
        }
    }

    /// One byte per byte of the segment, not zero where it was written; empty where the memory is
    /// not tracked.
    public byte[] written() {
        return written;
    }

    private void mark(int lane, long address, int bytes) {
        if (tracked) {
            int at = (int) offset(lane, address);
            Arrays.fill(written, at, at + bytes, (byte) 1);
        }
    }

    public MemorySegment segment() {
        return segment;
    }

    public long bytesPerLane() {
        return bytesPerLane;
    }

    /// Where an address of a lane is in the segment.
    public long offset(int lane, long address) {
        return lane * bytesPerLane + address;
    }

    public void copy(int lane, long from, long to, int bytes) {
        MemorySegment.copy(segment, offset(lane, from), segment, offset(lane, to), bytes);
        if (tracked) {
            System.arraycopy(
                    written, (int) offset(lane, from), written, (int) offset(lane, to), bytes);
        }
    }

    public long read(int lane, long address, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes && i < 8; i++) {
            value |=
                    (segment.get(ValueLayout.JAVA_BYTE, offset(lane, address) + i) & 0xffL)
                            << 8 * i;
        }
        return value;
    }

    public void write(int lane, long address, int bytes, long value) {
        for (int i = 0; i < bytes && i < 8; i++) {
            segment.set(ValueLayout.JAVA_BYTE, offset(lane, address) + i, (byte) (value >>> 8 * i));
        }
        mark(lane, address, Math.min(bytes, 8));
    }
}
