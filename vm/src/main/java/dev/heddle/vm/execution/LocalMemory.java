package dev.heddle.vm.execution;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The local memory of a warp's 32 lanes, one stretch after the other; grows with the depth of
/// calls.
final class LocalMemory {
    private MemorySegment segment = Arena.ofAuto().allocate(0);
    private long bytesPerLane;

    /// Makes room for so many bytes a lane.
    void reserve(long bytes) {
        if (bytes <= bytesPerLane) {
            return;
        }
        long larger = Math.max(bytes, 2 * bytesPerLane) + 15 & ~15L;
        MemorySegment next = Arena.ofAuto().allocate(32 * larger, 16);
        for (int lane = 0; lane < 32; lane++) {
            MemorySegment.copy(segment, lane * bytesPerLane, next, lane * larger, bytesPerLane);
        }
        segment = next;
        bytesPerLane = larger;
    }

    MemorySegment segment() {
        return segment;
    }

    long bytesPerLane() {
        return bytesPerLane;
    }

    /// Where an address of a lane stands in the segment.
    long offset(int lane, long address) {
        return lane * bytesPerLane + address;
    }

    void copy(int lane, long from, long to, int bytes) {
        MemorySegment.copy(segment, offset(lane, from), segment, offset(lane, to), bytes);
    }

    long read(int lane, long address, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes && i < 8; i++) {
            value |=
                    (segment.get(ValueLayout.JAVA_BYTE, offset(lane, address) + i) & 0xffL)
                            << 8 * i;
        }
        return value;
    }

    void write(int lane, long address, int bytes, long value) {
        for (int i = 0; i < bytes && i < 8; i++) {
            segment.set(ValueLayout.JAVA_BYTE, offset(lane, address) + i, (byte) (value >>> 8 * i));
        }
    }
}
