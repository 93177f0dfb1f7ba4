package dev.heddle.vm.sanitizer;

import dev.heddle.vm.scheduling.Grid;

import java.util.Arrays;

/// What is known of a CTA's shared memory: who wrote and read it last, and whether an asynchronous
/// copy into it is under way.
///
/// Nearly all accesses are of whole words, and in order. So a word has one stamp of the last write
/// and one of the last read, and only where its bytes differ, or a copy is under way, stand the
/// stamps elsewhere, and in the word's place one that asks for a closer look.
///
/// A stamp is a long: the warp's clock above; below it the site, a bit that is set, whether the
/// access was strong, and the thread, in 20, 1, 1 and 10 bits.
public final class SharedShadow {
    private static final int WORD = Integer.BYTES;

    /// Nobody's.
    public static final long NOBODY = 0;

    // Later than any clock, and of no thread.
    private static final long LOOK_CLOSER = (long) Integer.MAX_VALUE << 32;

    private static final int THREAD = 0x3ff;
    private static final int STRONG = 0x400;
    private static final int SOMEBODY = 0x800;
    private static final int SITE = 12;

    /// The site that stands for those with no number in a stamp.
    public static final int NO_SITE = 0xfffff;

    private final int words;
    private final long[] writes;
    private final long[] reads;
    private final HappensBefore order;

    // By byte, of split words.
    private final boolean[] split;
    private long[] byteWrites = {};
    private long[] byteReads = {};

    // By word: the last write before the copy, and the copy.
    private long[] writesBefore = {};
    private int[] copiers = {};
    private int[] groups = {};
    private int[] copySites = {};

    public SharedShadow(Grid grid) {
        words = Math.ceilDiv(grid.sharedBytes(), WORD);
        writes = new long[words];
        reads = new long[words];
        split = new boolean[words];
        order = new HappensBefore(grid.warps());
    }

    /// Forgets everything.
    public void clear() {
        Arrays.fill(writes, NOBODY);
        Arrays.fill(reads, NOBODY);
        Arrays.fill(split, false);
        Arrays.fill(copiers, 0);
        order.clear();
    }

    public HappensBefore order() {
        return order;
    }

    // Stamps.

    /// The stamp of an access that lane 0 of a warp makes now; that of another lane is greater by
    /// its number.
    public long stamp(int warp, int site, boolean strong) {
        int kind = Math.min(site, NO_SITE) << SITE | SOMEBODY | (strong ? STRONG : 0) | 32 * warp;
        return (long) order.clock(warp) << 32 | kind & 0xffff_ffffL;
    }

    public static int thread(long stamp) {
        return (int) stamp & THREAD;
    }

    /// The number of the site, or [#NO_SITE].
    public static int site(long stamp) {
        return (int) stamp >>> SITE;
    }

    /// Whether the access of a stamp is in order with one that is made now: by the same thread,
    /// strong as that is, or happened before; an access of nobody always is.
    public boolean isOrdered(long stamp, long now) {
        return isOrdered(stamp, now, order.known(thread(now) / 32))
                || ((int) stamp & (int) now & STRONG) != 0;
    }

    // Threads differ, or one of them is nobody's, where these bits do.
    private static boolean isOrdered(long stamp, long now, int[] known) {
        return (int) (stamp >>> 32) <= known[(int) stamp >>> 5 & 31]
                || (((int) stamp ^ (int) now) & (THREAD | SOMEBODY)) == 0;
    }

    // Whole words, of many lanes.

    /// Stamps a word of each lane as read where somebody wrote it in order with that.
    ///
    /// @param from added to the offsets
    /// @return the other lanes, which need a closer look
    public int readWords(long[] offsets, int from, int lanes, long now) {
        int some = lanes == -1 ? distinct(offsets) : lanes;
        if (some != lanes && readBefore(offsets, from, some, now)) {
            return 0;
        }
        int[] known = order.known(thread(now) / 32);
        int closer = 0;
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                int word = (int) offsets[lane] + from >>> 2;
                long write = writes[word];
                if (write != NOBODY && isOrdered(write, now + lane, known)) {
                    reads[word] = now + lane;
                } else {
                    closer |= 1 << lane;
                }
            }
        }
        return closer;
    }

    /// Lanes among whose words are those of all 32: one for all or for each half, or the lower
    /// half, as where rows and columns of a tile are read.
    private static int distinct(long[] offsets) {
        long lower = 0;
        long upper = 0;
        long halves = 0;
        for (int lane = 0; lane < 16; lane++) {
            lower |= offsets[lane] ^ offsets[0];
            upper |= offsets[16 + lane] ^ offsets[16];
            halves |= offsets[lane] ^ offsets[16 + lane];
        }
        if ((lower | upper) == 0) {
            return halves == 0 ? 1 : 0x1_0001;
        }
        return halves == 0 ? 0xffff : -1;
    }

    /// Reads for a whole warp what some lanes read, where that was written before for any of them.
    private boolean readBefore(long[] offsets, int from, int lanes, long now) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            if (!readRow((int) offsets[lane] + from, 1, now + lane)) {
                return false;
            }
        }
        return true;
    }

    /// Stamps consecutive words as read by a lane each, from one lane on. Returns whether that was
    /// all in order for any lane; where not, some may be stamped, and a closer look is needed.
    public boolean readRow(int at, int count, long now) {
        long limit = order.limit(thread(now) / 32);
        int first = at >>> 2;
        long late = 0;
        for (int i = 0; i < count; i++) {
            // Nobody's stamp is zero: negative less one.
            late |= limit - writes[first + i] | writes[first + i] - 1;
        }
        if (late < 0) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            reads[first + i] = now + i;
        }
        return true;
    }

    /// The same for words that are written.
    public boolean writeRow(int at, int count, long now) {
        long limit = order.limit(thread(now) / 32);
        int first = at >>> 2;
        long late = 0;
        for (int i = 0; i < count; i++) {
            late |= limit - writes[first + i] | limit - reads[first + i];
        }
        if (late < 0) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            writes[first + i] = now + i;
            reads[first + i] = NOBODY;
        }
        return true;
    }

    /// Stamps a word of each lane as written where that is in order with its last write and read.
    ///
    /// @param from added to the offsets
    /// @return the other lanes, which need a closer look
    public int writeWords(long[] offsets, int from, int lanes, long now) {
        int[] known = order.known(thread(now) / 32);
        int closer = 0;
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                int word = (int) offsets[lane] + from >>> 2;
                if (isOrdered(writes[word], now + lane, known)
                        && isOrdered(reads[word], now + lane, known)) {
                    writes[word] = now + lane;
                    reads[word] = NOBODY;
                } else {
                    closer |= 1 << lane;
                }
            }
        }
        return closer;
    }

    // A closer look.

    /// How many bytes from here on have one stamp, in an access that ends there.
    public int extent(int at, int end) {
        int word = at / WORD;
        if (at % WORD == 0 && end - at >= WORD && !split[word]) {
            return WORD;
        }
        if (!split[word]) {
            split(word);
        }
        return 1;
    }

    private void split(int word) {
        if (byteWrites.length == 0) {
            byteWrites = new long[words * WORD];
            byteReads = new long[words * WORD];
        }
        long write = isCopying(word) ? writesBefore[word] : writes[word];
        Arrays.fill(byteWrites, word * WORD, (word + 1) * WORD, write);
        Arrays.fill(byteReads, word * WORD, (word + 1) * WORD, reads[word]);
        split[word] = true;
        writes[word] = LOOK_CLOSER;
    }

    /// The last write of a byte.
    public long write(int at) {
        int word = at / WORD;
        return split[word] ? byteWrites[at] : isCopying(word) ? writesBefore[word] : writes[word];
    }

    /// The last read of a byte since it was written.
    public long read(int at) {
        return split[at / WORD] ? byteReads[at] : reads[at / WORD];
    }

    public void stampRead(int at, long now) {
        if (split[at / WORD]) {
            byteReads[at] = now;
        } else {
            reads[at / WORD] = now;
        }
    }

    public void stampWrite(int at, long now) {
        int word = at / WORD;
        if (split[word]) {
            byteWrites[at] = now;
            byteReads[at] = NOBODY;
        } else {
            copied(at);
            writes[word] = now;
            reads[word] = NOBODY;
        }
    }

    /// One access wrote these bytes: whole words among them have one stamp again, and no copy into
    /// them counts.
    public void wrote(int at, int end, long now) {
        for (int word = Math.ceilDiv(at, WORD); (word + 1) * WORD <= end; word++) {
            split[word] = false;
            stampWrite(word * WORD, now);
        }
    }

    // Copies.

    private boolean isCopying(int word) {
        return word < copiers.length && copiers[word] != 0;
    }

    /// The thread whose asynchronous copy writes a byte, or -1.
    public int copier(int at) {
        return isCopying(at / WORD) ? copiers[at / WORD] - 1 : -1;
    }

    public int copyGroup(int at) {
        return groups[at / WORD];
    }

    public int copySite(int at) {
        return copySites[at / WORD];
    }

    /// A thread's copy of whole words begins.
    public void copy(int at, int bytes, int thread, int group, int site) {
        if (copiers.length == 0) {
            writesBefore = new long[words];
            copiers = new int[words];
            groups = new int[words];
            copySites = new int[words];
        }
        for (int word = at / WORD; word < (at + bytes) / WORD; word++) {
            if (!isCopying(word)) {
                writesBefore[word] = writes[word];
                writes[word] = LOOK_CLOSER;
            }
            copiers[word] = thread + 1;
            groups[word] = group;
            copySites[word] = site;
        }
    }

    /// The thread has waited for its copy.
    public void copied(int at) {
        int word = at / WORD;
        if (isCopying(word)) {
            copiers[word] = 0;
            writes[word] = split[word] ? LOOK_CLOSER : writesBefore[word];
        }
    }
}
