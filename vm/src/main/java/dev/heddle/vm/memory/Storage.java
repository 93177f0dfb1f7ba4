package dev.heddle.vm.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The bytes behind global memory, and beside each, where memory is tracked, a mark that is not
/// zero once the byte was written.
public interface Storage extends AutoCloseable {
    /// Bytes whose marks are known together: buffers begin at multiples of it.
    int BLOCK = 256;

    /// How many blocks hold so many bytes.
    static long blocks(long bytes) {
        return (bytes + BLOCK - 1) / BLOCK;
    }

    /// The bytes; offset 0 is address [dev.heddle.vm.ir.Addresses#GLOBAL].
    MemorySegment bytes();

    /// One mark for each byte; empty where memory is not tracked.
    MemorySegment marks();

    /// One byte for each [#BLOCK] marks, not zero where all of them count as set.
    MemorySegment wholeBlocks();

    /// Makes room for so many bytes if there is less, and keeps those before `used`. Those behind
    /// hold anything until they are cleared or written; their marks are zero.
    void reserve(long bytes, long used);

    /// Lets a range hold zeros that nothing has used since [#reserve] gave it.
    void clear(long offset, long bytes);

    /// Takes back a range that nobody uses any more: its marks are zero afterwards.
    void release(long offset, long bytes);

    @Override
    void close();

    /// Storage that the JVM allocates, and moves as it grows.
    static Storage allocated(boolean tracked) {
        return new Allocated(tracked);
    }

    /// Storage that moves as it grows.
    final class Allocated implements Storage {
        private static final int ALIGNMENT = 256;

        private final Arena arena = Arena.ofShared();
        private final boolean tracked;
        private MemorySegment bytes = arena.allocate(0);
        private MemorySegment marks = arena.allocate(0);
        private MemorySegment wholeBlocks = arena.allocate(0);
        private boolean isClear;

        private Allocated(boolean tracked) {
            this.tracked = tracked;
        }

        @Override
        public MemorySegment bytes() {
            return bytes;
        }

        @Override
        public MemorySegment marks() {
            return marks;
        }

        @Override
        public MemorySegment wholeBlocks() {
            return wholeBlocks;
        }

        @Override
        public void reserve(long wanted, long used) {
            if (wanted > bytes.byteSize()) {
                SpareMemory.Taken larger = SpareMemory.take(wanted, ALIGNMENT, arena);
                isClear = larger.isClear();
                MemorySegment.copy(bytes, 0, larger.bytes(), 0, used);
                bytes = larger.bytes();
                if (tracked) {
                    SpareMemory.Taken more = SpareMemory.take(wanted, ALIGNMENT, arena);
                    MemorySegment.copy(marks, 0, more.bytes(), 0, used);
                    marks = more.bytes();
                    if (!more.isClear()) {
                        marks.asSlice(used).fill((byte) 0);
                    }
                }
                wholeBlocks = arena.allocate(blocks(wanted)).copyFrom(wholeBlocks);
            }
        }

        @Override
        public void clear(long offset, long count) {
            if (!isClear) {
                bytes.asSlice(offset, count).fill((byte) 0);
            }
        }

        @Override
        public void release(long offset, long count) {
            if (tracked) {
                marks.asSlice(offset, count).fill((byte) 0);
            }
        }

        @Override
        public void close() {
            if (arena.scope().isAlive()) {
                arena.close();
            }
        }
    }
}
