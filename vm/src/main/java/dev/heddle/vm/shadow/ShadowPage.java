package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.locks.LockSupport;

/// What is known of a page of global memory: who accessed each of its sectors, and where that is
/// not the same warp all along, each of their words, and of their bytes.
///
/// A page takes 1 KiB; up to 8 KiB more where sectors are not accessed as a whole, 2 KiB for rows
/// and 1 KiB for bytes: at most 3 bytes for each of its own.
final class ShadowPage {
    /// Bytes of a page, as a logarithm.
    static final int BITS = GlobalStamp.PAGE_BITS;

    static final int BYTES = 1 << BITS;

    /// Bytes of a sector, as hardware moves them.
    static final int SECTOR = GlobalStamp.SECTOR;

    static final int WORD = 4;

    /// Words whose bytes have places of their own; of others nothing more is looked for then.
    private static final int MOST_DIVIDED = 32;

    /// Bytes of the stamps of its sectors.
    static final int SECTOR_STAMPS = BYTES / SECTOR * Long.BYTES;

    /// Bytes of the stamps of its words.
    static final int WORD_STAMPS = BYTES / WORD * Long.BYTES;

    /// How often to ask for the lock at once, and how long to wait after that.
    private static final int PATIENCE = 256;

    private static final long PAUSE_NANOS = 1_000;

    private static final VarHandle LOCK = ValueLayout.JAVA_INT.varHandle();

    private final MemorySegment sectors;
    private final MemorySegment lock;
    private MemorySegment words;

    // Of divided words, whose places say where.
    private long[] bytes = {};
    private final BitSet divided = new BitSet();
    private @Nullable AccessRows reads;
    private @Nullable AccessRows writes;

    /// @param sectors where the stamps of its sectors stand
    /// @param words where those of its words stand, of sectors that are split; of none where the
    ///     page is to have its own
    /// @param lock an int that is 1 while somebody looks at the page
    ShadowPage(MemorySegment sectors, MemorySegment words, MemorySegment lock) {
        this.sectors = sectors;
        this.words = words;
        this.lock = lock;
    }

    /// Waits until nobody else looks at the page. Machine code takes the same lock.
    void lock() {
        for (int tries = 0; !LOCK.compareAndSet(lock, 0L, 0, 1); tries++) {
            if (tries < PATIENCE) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    void unlock() {
        LOCK.setRelease(lock, 0L, 0);
    }

    AccessRows reads() {
        if (reads == null) {
            reads = new AccessRows();
        }
        return reads;
    }

    AccessRows writes() {
        if (writes == null) {
            writes = new AccessRows();
        }
        return writes;
    }

    @Nullable AccessRows rows(boolean ofWrites) {
        return ofWrites ? writes : reads;
    }

    /// The stamp of a place: a sector, a word or a byte.
    ///
    /// @param address of its first byte
    long get(long address, int size) {
        int at = (int) address & BYTES - 1;
        return switch (size) {
            case SECTOR -> sectors.getAtIndex(ValueLayout.JAVA_LONG, at / SECTOR);
            case WORD -> words.getAtIndex(ValueLayout.JAVA_LONG, at / WORD);
            default -> bytes[ofByte(at)];
        };
    }

    void set(long address, int size, long stamp) {
        int at = (int) address & BYTES - 1;
        switch (size) {
            case SECTOR -> sectors.setAtIndex(ValueLayout.JAVA_LONG, at / SECTOR, stamp);
            case WORD -> words.setAtIndex(ValueLayout.JAVA_LONG, at / WORD, stamp);
            default -> bytes[ofByte(at)] = stamp;
        }
    }

    private int ofByte(int at) {
        return (int) words.getAtIndex(ValueLayout.JAVA_LONG, at / WORD) + at % WORD;
    }

    /// The stamp of a write to some of these bytes, or nobody's; where several wrote, that of any
    /// that is not forgotten.
    long writeOf(long from, long to) {
        for (long at = from, next; at < to; at = next) {
            int size = sizeOfPlace(at);
            long place = at & -size;
            next = place + size;
            long write = writeOf(get(place, size), at, Math.min(to, next), (int) (at - place));
            if (write != GlobalStamp.NOBODY) {
                return write;
            }
        }
        return GlobalStamp.NOBODY;
    }

    /// Who is told of writes.
    @FunctionalInterface
    interface Writes {
        /// One of a lane.
        ///
        /// @param at the first of the lane's bytes
        void write(long stamp, long at);
    }

    /// Tells of each write to some of these bytes that no later one stands for, lane by lane.
    void writes(long from, long to, Writes visitor) {
        for (long at = from, next; at < to; at = next) {
            int size = sizeOfPlace(at);
            long place = at & -size;
            long stamp = get(place, size);
            int state = GlobalStamp.state(stamp);
            boolean isWritten =
                    state == GlobalStamp.WRITTEN || state == GlobalStamp.WRITTEN_AND_READ;
            int unit = 1 << GlobalStamp.unit(stamp);
            int part = isWritten ? Math.min(size, unit) : size;
            next = (at & -part) + part;
            if (isWritten) {
                visitor.write(part(stamp, (int) (at - place)), at & -unit);
            } else if (state == GlobalStamp.MANY
                    && (GlobalStamp.classes(stamp) & GlobalStamp.WRITES) != 0) {
                writes().forEach(at, Math.min(to, next), visitor);
            }
        }
    }

    /// Bytes of the place that a byte is in: a sector, a word or a byte.
    int sizeOfPlace(long at) {
        int size = SECTOR;
        while (size > 1 && GlobalStamp.state(get(at & -size, size)) == GlobalStamp.SPLIT) {
            size = size == SECTOR ? WORD : 1;
        }
        return size;
    }

    /// Who is told what is known of a place.
    @FunctionalInterface
    interface Visitor {
        /// A place.
        ///
        /// @param from the first of its bytes that matter
        /// @param to behind the last of them
        void place(long from, long to, long stamp);
    }

    /// Tells what is known of some bytes, place by place.
    void visit(long from, long to, Visitor visitor) {
        for (long at = from, next; at < to; at = next) {
            int size = sizeOfPlace(at);
            next = Math.min(to, (at & -size) + size);
            visitor.place(at, next, get(at & -size, size));
        }
    }

    private long writeOf(long stamp, long from, long to, int ahead) {
        return switch (GlobalStamp.state(stamp)) {
            case GlobalStamp.WRITTEN, GlobalStamp.WRITTEN_AND_READ -> part(stamp, ahead);
            case GlobalStamp.MANY ->
                    (GlobalStamp.classes(stamp) & GlobalStamp.WRITES) == 0
                            ? GlobalStamp.NOBODY
                            : writes().touching(from, to);
            default -> GlobalStamp.NOBODY;
        };
    }

    /// Gives the parts of a place places of their own. Returns whether there is room for them;
    /// where not, nothing more is looked for there.
    boolean split(long address, int size) {
        long whole = get(address, size);
        long split = GlobalStamp.SPLIT_STATE;
        if (size == SECTOR) {
            if (words.byteSize() == 0) {
                words = MemorySegment.ofArray(new long[BYTES / WORD]);
            }
        } else {
            int slot = divided.nextClearBit(0);
            if (slot == MOST_DIVIDED) {
                set(address, size, (long) GlobalStamp.UNKNOWN << GlobalStamp.STATE);
                return false;
            }
            if ((slot + 1) * WORD > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(WORD, 2 * bytes.length));
            }
            divided.set(slot);
            split |= (long) slot * WORD;
        }
        set(address, size, split);
        int part = size == SECTOR ? WORD : 1;
        for (int i = 0; i < size; i += part) {
            set(address + i, part, part(whole, i));
        }
        return true;
    }

    private static long part(long whole, int at) {
        return switch (GlobalStamp.state(whole)) {
            case GlobalStamp.READ, GlobalStamp.WRITTEN, GlobalStamp.WRITTEN_AND_READ ->
                    whole + (at >> GlobalStamp.unit(whole)) * GlobalStamp.ONE_LANE;
            default -> whole;
        };
    }

    /// One access covered a place that was split: it is whole again.
    void unite(long address, int size, long stamp) {
        for (int i = 0; i < size && !divided.isEmpty(); i += WORD) {
            long word = get(address + i, WORD);
            if (GlobalStamp.state(word) == GlobalStamp.SPLIT) {
                divided.clear((int) word / WORD);
            }
        }
        set(address, size, stamp);
    }
}
