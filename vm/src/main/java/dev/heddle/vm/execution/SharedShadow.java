package dev.heddle.vm.execution;

import java.util.Arrays;

/// What is known of each byte of a CTA's shared memory: who wrote and read it last, and whether
/// an asynchronous copy into it is under way.
///
/// Nearly all accesses are of whole words. So a word whose bytes share one state has it in its
/// first
/// byte alone, until an access of less than the word splits it. The state of a byte stands
/// together:
/// in arrays of equal length a store to one would delay the loads from the others.
final class SharedShadow {
    private static final int WORD = Integer.BYTES;

    // What is known of a byte: its last write, its last read, and a copy under way.
    private static final int WRITE = 0;
    private static final int READ = 5;
    private static final int COPIER = 10;
    private static final int COPY_GROUP = 11;
    private static final int FIELDS = 12;

    // What is known of a write or a read, from where it begins.
    private static final int THREAD = 0;
    private static final int CLOCK = 1;
    private static final int EPOCH = 2;
    private static final int SITE = 3;
    private static final int STRONG = 4;

    private final int[] state;
    private final boolean[] split;
    private final Order order;

    SharedShadow(Grid grid) {
        int words = Math.ceilDiv(grid.sharedBytes(), WORD);
        state = new int[words * WORD * FIELDS];
        split = new boolean[words];
        order = new Order(grid.warps());
    }

    /// Forgets everything.
    void clear() {
        Arrays.fill(state, 0);
        Arrays.fill(split, false);
        order.clear();
    }

    /// How many bytes from here on the state of this one stands for, in an access that ends there.
    int extent(int at, int end) {
        if (at % WORD == 0 && end - at >= WORD && !split[at / WORD]) {
            return WORD;
        }
        split(at / WORD);
        return 1;
    }

    /// The bytes of a word have states of their own from now on.
    private void split(int word) {
        if (!split[word]) {
            split[word] = true;
            int from = word * WORD * FIELDS;
            for (int i = 1; i < WORD; i++) {
                System.arraycopy(state, from, state, from + i * FIELDS, FIELDS);
            }
        }
    }

    /// One access wrote these bytes: whole words among them have one state again.
    void wrote(int at, int end) {
        for (int word = Math.ceilDiv(at, WORD); (word + 1) * WORD <= end; word++) {
            split[word] = false;
        }
    }

    /// The thread that wrote a byte last, counted from 1; 0 for nobody.
    int writer(int at) {
        return state[at * FIELDS + WRITE + THREAD];
    }

    int writeSite(int at) {
        return state[at * FIELDS + WRITE + SITE];
    }

    /// Whether the last write is ordered before what a warp does now, with a strong access or not.
    boolean isWriteBefore(int at, int warp, boolean strong) {
        return isBefore(at * FIELDS + WRITE, warp, strong);
    }

    void write(int at, int thread, int warp, int site, boolean strong) {
        stamp(at * FIELDS + WRITE, thread, warp, site, strong);
        state[at * FIELDS + READ + THREAD] = 0;
        state[at * FIELDS + COPIER] = 0;
    }

    /// The thread that read a byte last since it was written, counted from 1; 0 for nobody.
    int reader(int at) {
        return state[at * FIELDS + READ + THREAD];
    }

    int readSite(int at) {
        return state[at * FIELDS + READ + SITE];
    }

    /// The same of the last read.
    boolean isReadBefore(int at, int warp, boolean strong) {
        return isBefore(at * FIELDS + READ, warp, strong);
    }

    void read(int at, int thread, int warp, int site, boolean strong) {
        stamp(at * FIELDS + READ, thread, warp, site, strong);
    }

    private boolean isBefore(int from, int warp, boolean strong) {
        return strong && state[from + STRONG] != 0
                || order.isBefore(
                        (state[from + THREAD] - 1) / 32,
                        state[from + CLOCK],
                        state[from + EPOCH],
                        warp);
    }

    private void stamp(int from, int thread, int warp, int site, boolean strong) {
        state[from + THREAD] = thread;
        state[from + CLOCK] = order.clock(warp);
        state[from + EPOCH] = order.epoch(warp);
        state[from + SITE] = site;
        state[from + STRONG] = strong ? 1 : 0;
    }

    /// The thread whose asynchronous copy writes a byte, counted from 1; 0 for none.
    int copier(int at) {
        return state[at * FIELDS + COPIER];
    }

    int copyGroup(int at) {
        return state[at * FIELDS + COPY_GROUP];
    }

    void copy(int at, int thread, int group, int site) {
        int i = at * FIELDS;
        state[i + COPIER] = thread;
        state[i + COPY_GROUP] = group;
        state[i + WRITE + SITE] = site;
    }

    /// The thread has waited for its copy.
    void copied(int at) {
        state[at * FIELDS + COPIER] = 0;
    }

    Order order() {
        return order;
    }
}
