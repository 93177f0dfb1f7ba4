package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.Frame;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Loads and stores of one word in each of 32 lanes. Checks beyond the memory's bounds are those of
/// shared memory, where all is in order.
///
/// Lanes are taken by as many as a vector has. What their addresses are is found out each time:
/// consecutive words move as one vector, one word for all lanes is broadcast, the rest goes lane by
/// lane. A method that returns false has changed no register and no memory that a lane by lane run
/// would not change the same way: the caller does the step again, the way that reports errors.
final class AccessFastPaths {
    private static final VectorSpecies<Integer> WORDS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
    private static final int LANES = WORDS.length();
    private static final int ROW = (int) ((1L << LANES) - 1);
    private static final int HALF = LONGS.length();
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final IntVector STRIDE = IntVector.zero(WORDS).addIndex(4);
    private static final LongVector LONG_STRIDE = LongVector.zero(LONGS).addIndex(4);

    private AccessFastPaths() {}

    /// `ld.shared` at 32-bit addresses. The target is not the base.
    static boolean loadShared(Frame frame, int target, int base, long offset, int site) {
        MemorySegment memory = frame.shared;
        SharedShadow shadow = frame.shadow;
        long now = stamp(frame, site);
        int[] words = frame.words;
        long last = memory.byteSize() - 4;
        for (int lane = 0; lane < 32; lane += LANES) {
            IntVector addresses = IntVector.fromArray(WORDS, words, base + lane);
            int first = words[base + lane];
            long at = (first & 0xffff_ffffL) + offset;
            IntVector apart = addresses.sub(first);
            if (apart.compare(VectorOperators.EQ, STRIDE).allTrue()) {
                if (isOutside(at, last - 4L * (LANES - 1))
                        || shadow != null
                                && !shadow.wholeWords().readRow((int) at, lane, LANES, now)) {
                    return false;
                }
                IntVector.fromMemorySegment(WORDS, memory, at, ByteOrder.LITTLE_ENDIAN)
                        .intoArray(words, target + lane);
            } else if (apart.compare(VectorOperators.EQ, 0).allTrue()) {
                if (isOutside(at, last)
                        || shadow != null
                                && !shadow.wholeWords().readWord((int) at, ROW << lane, now)) {
                    return false;
                }
                IntVector.broadcast(WORDS, memory.get(INT, at)).intoArray(words, target + lane);
            } else if (!loadEach(frame, target, base, offset, lane, now)) {
                return false;
            }
        }
        return true;
    }

    /// What accesses of shared memory are stamped with, where they are.
    private static long stamp(Frame frame, int site) {
        return frame.shadow == null ? 0 : frame.shadow.stamp(frame.warp.index(), site);
    }

    private static boolean loadEach(
            Frame frame, int target, int base, long offset, int from, long now) {
        MemorySegment memory = frame.shared;
        SharedShadow shadow = frame.shadow;
        int[] words = frame.words;
        long last = memory.byteSize() - 4;
        for (int lane = from; lane < from + LANES; lane++) {
            long at = (words[base + lane] & 0xffff_ffffL) + offset;
            if (isOutside(at, last)
                    || shadow != null && !shadow.wholeWords().readRow((int) at, lane, 1, now)) {
                return false;
            }
            words[target + lane] = memory.get(INT, at);
        }
        return true;
    }

    /// `st.shared` at 32-bit addresses.
    static boolean storeShared(Frame frame, int value, int base, long offset, int site) {
        MemorySegment memory = frame.shared;
        SharedShadow shadow = frame.shadow;
        long now = stamp(frame, site);
        int[] words = frame.words;
        long last = memory.byteSize() - 4;
        for (int lane = 0; lane < 32; lane += LANES) {
            int first = words[base + lane];
            long at = (first & 0xffff_ffffL) + offset;
            IntVector addresses = IntVector.fromArray(WORDS, words, base + lane);
            if (addresses.sub(first).compare(VectorOperators.EQ, STRIDE).allTrue()) {
                if (isOutside(at, last - 4L * (LANES - 1))
                        || shadow != null
                                && !shadow.wholeWords().writeRow((int) at, lane, LANES, now)) {
                    return false;
                }
                IntVector.fromArray(WORDS, words, value + lane)
                        .intoMemorySegment(memory, at, ByteOrder.LITTLE_ENDIAN);
            } else if (!storeEach(frame, value, base, offset, lane, now)) {
                return false;
            }
        }
        frame.warp.changed();
        return true;
    }

    private static boolean storeEach(
            Frame frame, int value, int base, long offset, int from, long now) {
        MemorySegment memory = frame.shared;
        SharedShadow shadow = frame.shadow;
        int[] words = frame.words;
        long last = memory.byteSize() - 4;
        for (int lane = from; lane < from + LANES; lane++) {
            long at = (words[base + lane] & 0xffff_ffffL) + offset;
            if (isOutside(at, last)
                    || shadow != null && !shadow.wholeWords().writeRow((int) at, lane, 1, now)) {
                return false;
            }
            memory.set(INT, at, words[value + lane]);
        }
        return true;
    }

    /// `ld.global`.
    static boolean loadGlobal(Frame frame, int target, int base, long offset, int site) {
        MemorySegment memory = frame.plainGlobal;
        return memory != null
                && load(memory, frame.words, target, frame.longs, base, offset - Addresses.GLOBAL);
    }

    /// `ld.shared` at 64-bit addresses.
    static boolean loadSharedLong(Frame frame, int target, int base, long offset, int site) {
        return frame.shadow == null
                && load(frame.shared, frame.words, target, frame.longs, base, offset);
    }

    private static boolean load(
            MemorySegment memory, int[] words, int target, long[] longs, int base, long offset) {
        long last = memory.byteSize() - 4;
        for (int lane = 0; lane < 32; lane += LANES) {
            long at = longs[base + lane] + offset;
            if (isConsecutive(longs, base + lane)) {
                if (isOutside(at, last - 4L * (LANES - 1))) {
                    return false;
                }
                IntVector.fromMemorySegment(WORDS, memory, at, ByteOrder.LITTLE_ENDIAN)
                        .intoArray(words, target + lane);
            } else if (!loadEach(memory, words, target + lane, longs, base + lane, offset, last)) {
                return false;
            }
        }
        return true;
    }

    private static boolean loadEach(
            MemorySegment memory,
            int[] words,
            int target,
            long[] longs,
            int base,
            long offset,
            long last) {
        for (int lane = 0; lane < LANES; lane++) {
            long at = longs[base + lane] + offset;
            if (isOutside(at, last)) {
                return false;
            }
            words[target + lane] = memory.get(INT, at);
        }
        return true;
    }

    /// `st.global`.
    static boolean storeGlobal(Frame frame, int value, int base, long offset, int site) {
        MemorySegment memory = frame.plainGlobal;
        return memory != null && store(memory, frame, value, base, offset - Addresses.GLOBAL);
    }

    /// `st.shared` at 64-bit addresses.
    static boolean storeSharedLong(Frame frame, int value, int base, long offset, int site) {
        return frame.shadow == null && store(frame.shared, frame, value, base, offset);
    }

    private static boolean store(
            MemorySegment memory, Frame frame, int value, int base, long offset) {
        int[] words = frame.words;
        long[] longs = frame.longs;
        long last = memory.byteSize() - 4;
        for (int lane = 0; lane < 32; lane += LANES) {
            long at = longs[base + lane] + offset;
            if (isConsecutive(longs, base + lane)) {
                if (isOutside(at, last - 4L * (LANES - 1))) {
                    return false;
                }
                IntVector.fromArray(WORDS, words, value + lane)
                        .intoMemorySegment(memory, at, ByteOrder.LITTLE_ENDIAN);
            } else if (!storeEach(memory, words, value + lane, longs, base + lane, offset, last)) {
                return false;
            }
        }
        frame.warp.changed();
        return true;
    }

    private static boolean storeEach(
            MemorySegment memory,
            int[] words,
            int value,
            long[] longs,
            int base,
            long offset,
            long last) {
        for (int lane = 0; lane < LANES; lane++) {
            long at = longs[base + lane] + offset;
            if (isOutside(at, last)) {
                return false;
            }
            memory.set(INT, at, words[value + lane]);
        }
        return true;
    }

    private static boolean isConsecutive(long[] longs, int base) {
        long first = longs[base];
        return LongVector.fromArray(LONGS, longs, base)
                        .sub(first)
                        .compare(VectorOperators.EQ, LONG_STRIDE)
                        .allTrue()
                && LongVector.fromArray(LONGS, longs, base + HALF)
                        .sub(first + 4L * HALF)
                        .compare(VectorOperators.EQ, LONG_STRIDE)
                        .allTrue();
    }

    /// Whether an address is negative, beyond the last, or not that of a word.
    private static boolean isOutside(long at, long last) {
        return (at | last - at) < 0 || (at & 3) != 0;
    }
}
