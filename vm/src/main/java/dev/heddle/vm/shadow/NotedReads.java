package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// The entries of a [ReadLog]: each what some lanes of a warp read.
final class NotedReads {
    /// Instead of how far apart words are that are not evenly apart.
    static final int UNEVEN = Integer.MIN_VALUE;

    // The numbers of an entry: the first word, how far apart the words of consecutive lanes are,
    // and the lanes; the first and the last of all its words. Words that are not evenly apart stand
    // by themselves: the entry has the place of lane 0's.
    private static final int FIRST = 0;
    private static final int STRIDE = 1;
    private static final int LANES = 2;
    private static final int LOW = 3;
    private static final int HIGH = 4;
    private static final int NUMBERS = 5;

    private int count;

    // By entry: the warp's stamp and what was over for it; the numbers above; and the instructions,
    // where they are several.
    private long[] stamps = new long[64];
    private long[] limits = new long[64];
    private int[] numbers = new int[64 * NUMBERS];
    private @Nullable PlannedReads[] plans = new PlannedReads[64];

    private int[] uneven = {};
    private int unevenEnd;

    // Where words of entries that are gone stood among the uneven ones.
    private int[] gaps = {};
    private int gapCount;

    int count() {
        return count;
    }

    void clear() {
        count = 0;
        unevenEnd = 0;
        gapCount = 0;
    }

    boolean isFull() {
        return count == stamps.length;
    }

    void grow() {
        stamps = Arrays.copyOf(stamps, 2 * count);
        limits = Arrays.copyOf(limits, 2 * count);
        numbers = Arrays.copyOf(numbers, 2 * count * NUMBERS);
        plans = Arrays.copyOf(plans, 2 * count);
    }

    /// Adds an entry, for which there is room, without words yet ([#span]).
    ///
    /// @param now the stamp of lane 0 of the warp
    /// @param limit the latest stamp that is over for all lanes
    void add(@Nullable PlannedReads plan, int first, int stride, int mask, long now, long limit) {
        stamps[count] = now;
        limits[count] = limit;
        plans[count] = plan;
        set(count, FIRST, first);
        set(count, STRIDE, stride);
        set(count, LANES, mask);
        set(count, LOW, Integer.MAX_VALUE);
        set(count, HIGH, -1);
        count++;
    }

    /// The same with words that are not evenly apart. Returns where those of 32 lanes are to be put
    /// in [#uneven].
    int addUneven(PlannedReads plan, int mask, long now, long limit) {
        int at = gapCount > 0 ? gaps[--gapCount] : unevenEnd;
        unevenEnd = Math.max(unevenEnd, at + Integer.SIZE);
        if (unevenEnd > uneven.length) {
            uneven = Arrays.copyOf(uneven, Math.max(Integer.SIZE, 2 * uneven.length));
        }
        add(plan, at, UNEVEN, mask, now, limit);
        return at;
    }

    /// The words that are not evenly apart, or bytes of such.
    int[] uneven() {
        return uneven;
    }

    /// The last entry has words from one to another.
    void span(int first, int last) {
        set(count - 1, LOW, Math.min(low(count - 1), first));
        set(count - 1, HIGH, Math.max(high(count - 1), last));
    }

    /// Another one takes its number.
    void remove(int entry) {
        if (stride(entry) == UNEVEN) {
            if (gapCount == gaps.length) {
                gaps = Arrays.copyOf(gaps, Math.max(8, 2 * gapCount));
            }
            gaps[gapCount++] = first(entry);
        }
        count--;
        stamps[entry] = stamps[count];
        limits[entry] = limits[count];
        plans[entry] = plans[count];
        System.arraycopy(numbers, NUMBERS * count, numbers, NUMBERS * entry, NUMBERS);
    }

    private void set(int entry, int which, int number) {
        numbers[NUMBERS * entry + which] = number;
    }

    long stamp(int entry) {
        return stamps[entry];
    }

    long limit(int entry) {
        return limits[entry];
    }

    @Nullable PlannedReads plan(int entry) {
        return plans[entry];
    }

    int first(int entry) {
        return numbers[NUMBERS * entry + FIRST];
    }

    int stride(int entry) {
        return numbers[NUMBERS * entry + STRIDE];
    }

    int lanes(int entry) {
        return numbers[NUMBERS * entry + LANES];
    }

    /// The first of all its words.
    int low(int entry) {
        return numbers[NUMBERS * entry + LOW];
    }

    /// The last of all its words.
    int high(int entry) {
        return numbers[NUMBERS * entry + HIGH];
    }
}
