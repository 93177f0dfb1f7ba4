package dev.heddle.vm.sanitizer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The marks of global memory: a byte for each byte, 1 where somebody wrote it.
///
/// Most accesses are rows: lanes whose words stand one behind the other, which are looked at
/// together.
final class WrittenMarks {
    private static final ValueLayout.OfInt MARKS = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG_MARKS = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int ALL_WRITTEN = 0x0101_0101;
    private static final long ALL_WRITTEN_TWICE = 0x0101_0101_0101_0101L;

    private WrittenMarks() {}

    /// How many lanes each access words one behind the other: 32, 16 or 8; 0 where not all do.
    static int rowOf(long[] offsets, int bytes, int lanes) {
        if (lanes != -1 || bytes % Integer.BYTES != 0) {
            return 0;
        }
        long uneven = 0;
        for (int lane = 0; lane < 32; lane++) {
            uneven |= offsets[lane] - offsets[lane & -8] ^ (long) (lane & 7) * bytes;
        }
        if (uneven != 0) {
            return 0;
        }
        long half = 8L * bytes;
        boolean isHalf = offsets[8] - offsets[0] == half && offsets[24] - offsets[16] == half;
        return !isHalf ? 8 : offsets[16] - offsets[0] == 2 * half ? 32 : 16;
    }

    static boolean areRowsWritten(MemorySegment written, long[] offsets, int row, int bytes) {
        long all = ALL_WRITTEN_TWICE;
        for (int lane = 0; lane < 32; lane += row) {
            long end = offsets[lane] + (long) row * bytes;
            for (long at = offsets[lane]; at < end; at += Long.BYTES) {
                all &= written.get(LONG_MARKS, at);
            }
        }
        return all == ALL_WRITTEN_TWICE;
    }

    static boolean areWordsWritten(MemorySegment written, long[] offsets, int bytes, int lanes) {
        if (Integer.bitCount(lanes) == 1) {
            return areWritten(written, offsets[Integer.numberOfTrailingZeros(lanes)], bytes);
        }
        int all = ALL_WRITTEN;
        for (int i = 0; i < bytes; i += Integer.BYTES) {
            for (int lane = 0; lane < 32; lane++) {
                if ((lanes >>> lane & 1) != 0) {
                    all &= written.get(MARKS, offsets[lane] + i);
                }
            }
        }
        return all == ALL_WRITTEN;
    }

    /// Whether bytes one behind the other are.
    static boolean areWritten(MemorySegment written, long from, int bytes) {
        long all = ALL_WRITTEN_TWICE;
        int pairs = bytes & -Long.BYTES;
        for (long at = from; at < from + pairs; at += Long.BYTES) {
            all &= written.get(LONG_MARKS, at);
        }
        for (long at = from + pairs; at < from + bytes; at++) {
            all &= ALL_WRITTEN_TWICE ^ 1 | written.get(ValueLayout.JAVA_BYTE, at);
        }
        return all == ALL_WRITTEN_TWICE;
    }

    /// Bytes one behind the other are written.
    static void mark(MemorySegment written, long from, int bytes) {
        int pairs = bytes & -Long.BYTES;
        for (long at = from; at < from + pairs; at += Long.BYTES) {
            written.set(LONG_MARKS, at, ALL_WRITTEN_TWICE);
        }
        for (long at = from + pairs; at < from + bytes; at++) {
            written.set(ValueLayout.JAVA_BYTE, at, (byte) 1);
        }
    }

    static void mark(MemorySegment written, long[] offsets, int bytes, int lanes, int row) {
        for (int lane = 0; row > 0 && lane < 32; lane += row) {
            long end = offsets[lane] + (long) row * bytes;
            for (long at = offsets[lane]; at < end; at += Long.BYTES) {
                written.set(LONG_MARKS, at, ALL_WRITTEN_TWICE);
            }
        }
        if (row > 0) {
            return;
        }
        if (Integer.bitCount(lanes) == 1) {
            mark(written, offsets[Integer.numberOfTrailingZeros(lanes)], bytes);
            return;
        }
        if (bytes % Integer.BYTES != 0) {
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                long at = offsets[Integer.numberOfTrailingZeros(rest)];
                for (int i = 0; i < bytes; i++) {
                    written.set(ValueLayout.JAVA_BYTE, at + i, (byte) 1);
                }
            }
            return;
        }
        for (int i = 0; i < bytes; i += Integer.BYTES) {
            for (int lane = 0; lane < 32; lane++) {
                if ((lanes >>> lane & 1) != 0) {
                    written.set(MARKS, offsets[lane] + i, ALL_WRITTEN);
                }
            }
        }
    }
}
