package dev.heddle.vm.shadow;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The words of a CTA's shared memory that threads' asynchronous copies write, until the threads
/// wait for them.
public final class CopiesUnderWay {
    private static final int WORD = Integer.BYTES;

    /// Bytes of the widest copy, and its words.
    public static final int WIDEST = 16;

    private static final int QUAD = WIDEST / WORD;

    // A copy in 64 bits: its group, the number of its instruction, and one more than its thread's.
    public static final int GROUP = 32;
    private static final int SITE = 12;
    private static final int THREAD_MASK = (1 << SITE) - 1;

    private final AccessHistory writes;
    private final int[] bytePlaces;
    private final UntouchedGaps gaps;

    // By word: the copy, or 0; and behind all, the last write before it. Behind that, the same by
    // four words that machine code copies at once: then nothing stands for each of them.
    private long[] copies = {};
    private int count;
    private final int words;

    /// @param writes of all words
    /// @param bytePlaces by word, the place of its first byte; not above 0 where it has none
    CopiesUnderWay(AccessHistory writes, int[] bytePlaces, UntouchedGaps gaps) {
        this.writes = writes;
        this.bytePlaces = bytePlaces;
        this.gaps = gaps;
        words = bytePlaces.length;
    }

    void clear() {
        if (count > 0) {
            Arrays.fill(copies, 0, words, 0);
            Arrays.fill(copies, 2 * words, 2 * words + words / QUAD, 0);
        }
        count = 0;
    }

    /// A copy in 64 bits; that of the next thread is greater by one.
    public static long copy(int group, int site, int thread) {
        return (long) group << GROUP | ofSite(site) | thread + 1;
    }

    /// What an instruction adds to a copy.
    public static long ofSite(int site) {
        return (long) Math.min(site, Stamp.NO_SITE) << SITE;
    }

    private void makeRoom() {
        copies = copies.length == 0 ? new long[2 * words + 2 * (words / QUAD)] : copies;
    }

    /// How many bytes the copies into words take in [#segment], and as many the writes before.
    public long bytesByWord() {
        return (long) words * Long.BYTES;
    }

    /// The same of copies into four words.
    public long bytesByQuad() {
        return (long) (words / QUAD) * Long.BYTES;
    }

    /// For machine code: the copies, and behind all the last writes before them, of words and of
    /// four words each.
    public MemorySegment segment() {
        makeRoom();
        return MemorySegment.ofArray(copies);
    }

    /// Whether there are none.
    public boolean isEmpty() {
        return count == 0;
    }

    boolean isCopying(int word) {
        return count > 0 && copyOf(word) != 0;
    }

    /// The copy into a word, or 0.
    private long copyOf(int word) {
        return copies[word] | copies[wide(word)];
    }

    /// Where what is known of four words at once stands.
    private int wide(int word) {
        return 2 * words + word / QUAD;
    }

    /// Lets a copy of four words stand for each of them.
    private void narrow(int word) {
        int wide = wide(word);
        if (copies[wide] != 0) {
            int first = word / QUAD * QUAD;
            Arrays.fill(copies, first, first + QUAD, copies[wide]);
            int before = words + first;
            Arrays.fill(copies, before, before + QUAD, copies[wide + words / QUAD]);
            copies[wide] = 0;
        }
    }

    /// Whether some of these words are being copied.
    boolean isCopying(int first, int behind) {
        for (int word = first; count > 0 && word < behind; word++) {
            if (copyOf(word) != 0) {
                return true;
            }
        }
        return false;
    }

    /// The stamp of the last write before the copy.
    long writeBefore(int word) {
        narrow(word);
        return copies[words + word];
    }

    /// The thread whose copy writes a byte, or -1.
    public int copier(int at) {
        return count == 0 ? -1 : ((int) copyOf(at / WORD) & THREAD_MASK) - 1;
    }

    /// The group of the copy.
    public int group(int at) {
        return (int) (copyOf(at / WORD) >>> GROUP);
    }

    /// Its instruction's number.
    public int site(int at) {
        return (int) copyOf(at / WORD) >>> SITE;
    }

    /// The byte behind those words from one on that one copy writes, of those before an end.
    public int endOfCopy(int at, int end) {
        long copy = copyOf(at / WORD);
        int next = at + WORD;
        while (next < end && copyOf(next / WORD) == copy) {
            next += WORD;
        }
        return next;
    }

    /// A thread's copy of whole words begins: their last write asks for a closer look.
    void copy(int first, int behind, int thread, int group, int site) {
        makeRoom();
        gaps.touch(first, behind);
        long[] last = writes.lasts();
        long copy = copy(group, site, thread);
        for (int word = first; word < behind; word++) {
            narrow(word);
            if (copies[word] == 0) {
                count++;
                copies[words + word] = last[word];
                last[word] = Stamp.LOOK_CLOSER;
            }
            copies[word] = copy;
        }
    }

    /// Machine code has begun copies into words that nobody was copying, and has noted them.
    ///
    /// @param bytes of all of them
    public void began(int bytes) {
        count += bytes / WORD;
    }

    /// Lanes have waited for their copies: the words count as written when that was, but for those
    /// that another copy has taken since.
    ///
    /// @param at where the copies of each lane begin
    /// @param bytes of a lane
    /// @param copy that of lane 0
    /// @param write the stamp of its write as they began, or nobody's where that is not known
    public void end(int[] at, int bytes, int lanes, long copy, long write, int clock) {
        int open = count == 0 ? 0 : lanes;
        if (write != Stamp.NOBODY && bytes == WIDEST) {
            open = endWhole(at, open, copy, Stamp.withClock(write, clock));
        }
        long[] last = writes.lasts();
        int ended = 0;
        for (int rest = open; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int first = at[lane] / WORD;
            int behind = first + bytes / WORD;
            for (int word = first; word < behind; word++) {
                narrow(word);
                if (copies[word] == copy + lane) {
                    copies[word] = 0;
                    ended++;
                    written(word, copies[words + word], last, clock);
                }
            }
        }
        count -= ended;
    }

    /// Ends copies of 16 bytes that machine code began, and that have kept all their words, none of
    /// which has places for its bytes. Returns the lanes of others.
    ///
    /// @param write the stamp that words of lane 0 get
    private int endWhole(int[] at, int lanes, long copy, long write) {
        long[] all = copies;
        long[] last = writes.lasts();
        int others = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int first = at[lane] / WORD;
            int wide = wide(first);
            if (all[wide] != copy + lane) {
                others |= 1 << lane;
                continue;
            }
            all[wide] = 0;
            long stamp = write + lane;
            last[first + 3] = stamp;
            last[first + 2] = stamp;
            last[first + 1] = stamp;
            last[first] = stamp;
        }
        count -= QUAD * Integer.bitCount(lanes & ~others);
        return others;
    }

    /// The thread has waited for its copy: the word counts as written when that was.
    public void end(int at, int clock) {
        int word = at / WORD;
        if (isCopying(word)) {
            finish(word, word + 1, clock);
        }
    }

    /// The copy into a word has been waited for: it counts as written when that was, with those
    /// behind it that the same copy writes.
    ///
    /// @param end where the words end that are asked for
    /// @return the byte behind them
    public int end(int at, int end, int clock) {
        int next = endOfCopy(at, end);
        finish(at / WORD, next / WORD, clock);
        return next;
    }

    private void finish(int first, int behind, int clock) {
        for (int word = first; word < behind; word++) {
            narrow(word);
            copies[word] = 0;
            written(word, copies[words + word], writes.lasts(), clock);
        }
        count -= behind - first;
    }

    private void written(int word, long before, long[] last, int clock) {
        int places = bytePlaces[word];
        if (places <= 0) {
            last[word] = waited(before, clock);
            return;
        }
        for (int place = places; place < places + WORD; place++) {
            writes.set(place, waited(last[place], clock));
        }
    }

    private static long waited(long stamp, int clock) {
        return Stamp.withClock(stamp, Math.max(Stamp.clock(stamp), clock));
    }
}
