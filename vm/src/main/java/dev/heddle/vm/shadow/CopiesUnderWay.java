package dev.heddle.vm.shadow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The words of a CTA's shared memory that threads' asynchronous copies write, until the threads
/// wait for them.
///
/// Mostly nobody asks for these words before that. So what machine code begins stands for all of
/// its words, until somebody does: their last write asks for a closer look.
public final class CopiesUnderWay {
    private static final int WORD = Integer.BYTES;

    /// Bytes of the widest copy.
    public static final int WIDEST = 16;

    // A copy in 64 bits: the part of its thread's copies, the number of its instruction, and one
    // more than its thread's.
    private static final int PART = 32;
    private static final int SITE = 12;
    private static final int THREAD_MASK = (1 << SITE) - 1;

    private final AsyncClocks clocks;
    private final AccessHistory writes;
    private final int[] bytePlaces;
    private final WatchedWords watched;

    // Those that stand for all of their words: nobody has touched any, and none has places.
    private final List<WarpCopies> standing = new ArrayList<>();

    // By word: the copy, or 0; and behind all, the last write before it.
    private long[] copies = {};
    private int count;
    private final int words;

    /// @param clocks what copies are stamped with that are over
    /// @param writes of all words
    /// @param bytePlaces by word, the place of its first byte; not above 0 where it has none
    CopiesUnderWay(
            AsyncClocks clocks, AccessHistory writes, int[] bytePlaces, WatchedWords watched) {
        this.clocks = clocks;
        this.writes = writes;
        this.bytePlaces = bytePlaces;
        this.watched = watched;
        words = bytePlaces.length;
    }

    void clear() {
        if (count > 0) {
            Arrays.fill(copies, 0, words, 0);
        }
        count = 0;
        standing.clear();
    }

    /// A copy in 64 bits; that of the next thread is greater by one.
    static long copy(int part, int site, int thread) {
        return (long) part << PART | (long) Math.min(site, Stamp.NO_SITE) << SITE | thread + 1;
    }

    private void makeRoom() {
        copies = copies.length == 0 ? new long[2 * words] : copies;
    }

    /// Whether there are none.
    public boolean isEmpty() {
        return count == 0 && standing.isEmpty();
    }

    boolean isCopying(int word) {
        return copyOf(word) != 0;
    }

    /// The copy into a word, or 0.
    private long copyOf(int word) {
        settle(word);
        return count == 0 ? 0 : copies[word];
    }

    /// Some of these words are about to be written otherwise.
    void settle(int first, int behind) {
        for (int word = first; !standing.isEmpty() && word < behind; word++) {
            settle(word);
        }
    }

    /// Lets no copies stand for all of their words where this may be one.
    void settle(int word) {
        if (!standing.isEmpty()
                && writes.last(word) == Stamp.LOOK_CLOSER
                && bytePlaces[word] <= 0) {
            makeRoom();
            for (WarpCopies each : standing) {
                each.settle(copies, words);
                count += Integer.SIZE * each.count();
            }
            standing.clear();
        }
    }

    /// Whether some of these words are being copied.
    boolean isCopying(int first, int behind) {
        for (int word = first; !isEmpty() && word < behind; word++) {
            if (copyOf(word) != 0) {
                return true;
            }
        }
        return false;
    }

    /// The stamp of the last write before the copy.
    long writeBefore(int word) {
        settle(word);
        return copies[words + word];
    }

    /// The thread whose copy writes a byte, or -1.
    public int copier(int at) {
        return ((int) copyOf(at / WORD) & THREAD_MASK) - 1;
    }

    /// The part of its thread's copies that it is of.
    public int part(int at) {
        return (int) (copyOf(at / WORD) >>> PART);
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
    void copy(int first, int behind, int thread, int part, int site) {
        makeRoom();
        watched.touch(first, behind);
        long[] last = writes.lasts();
        long copy = copy(part, site, thread);
        for (int word = first; word < behind; word++) {
            settle(word);
            if (copies[word] == 0) {
                count++;
                copies[words + word] = last[word];
                last[word] = Stamp.LOOK_CLOSER;
            }
            copies[word] = copy;
        }
    }

    /// Machine code has begun copies of all lanes into words that nobody was copying, and whose
    /// last write asks for a closer look since.
    ///
    /// @param now the stamp of lane 0's write as they began
    public void began(WarpCopies begun, long now) {
        begun.stand(standing.size(), now);
        standing.add(begun);
    }

    /// Lanes have waited for their copies, or handed them over: the words count as written when
    /// that was ([AsyncClocks#copied]), but for those that another copy has taken since.
    public void end(WarpCopies ending, int clock) {
        if (ending.place >= 0) {
            ending.end(writes.lasts(), clocks, clock);
            remove(ending.place);
            return;
        }
        long[] last = writes.lasts();
        int ended = 0;
        for (int rest = count == 0 ? 0 : ending.lanes(); rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int first = ending.first(lane);
            for (int word = first; word < first + ending.count(); word++) {
                if (copies[word] == ending.copy(lane)) {
                    copies[word] = 0;
                    ended++;
                    written(word, copies[words + word], last, clock);
                }
            }
        }
        count -= ended;
    }

    /// Of those that stand for their words, the last one takes the place of another.
    private void remove(int place) {
        WarpCopies moved = standing.removeLast();
        if (place < standing.size()) {
            standing.set(place, moved);
            moved.place = place;
        }
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
            copies[word] = 0;
            written(word, copies[words + word], writes.lasts(), clock);
        }
        count -= behind - first;
    }

    private void written(int word, long before, long[] last, int clock) {
        int places = bytePlaces[word];
        if (places <= 0) {
            last[word] = clocks.copied(before, clock);
            return;
        }
        for (int place = places; place < places + WORD; place++) {
            writes.set(place, clocks.copied(last[place], clock));
        }
    }
}
