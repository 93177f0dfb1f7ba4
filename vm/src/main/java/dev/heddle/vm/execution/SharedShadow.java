package dev.heddle.vm.execution;

import java.util.Arrays;

/// What is known of each byte of a CTA's shared memory: who wrote and read it last, and whether
/// an asynchronous copy into it is under way.
///
/// Nearly all accesses are of whole words. So a word whose bytes share one state has it in its first
/// byte alone, until an access of less than the word splits it.
final class SharedShadow {
    private static final int WORD = Integer.BYTES;

    final int[] writer;
    final int[] writeClock;
    final int[] writeEpoch;
    final int[] writeSite;
    final boolean[] writeStrong;
    final int[] reader;
    final int[] readClock;
    final int[] readEpoch;
    final int[] readSite;
    final boolean[] readStrong;
    final int[] copier;
    final int[] copyGroup;
    private final boolean[] split;
    private final Order order;

    SharedShadow(Grid grid) {
        int bytes = Math.ceilDiv(grid.sharedBytes(), WORD) * WORD;
        split = new boolean[bytes / WORD];
        writer = new int[bytes];
        writeClock = new int[bytes];
        writeEpoch = new int[bytes];
        writeSite = new int[bytes];
        writeStrong = new boolean[bytes];
        reader = new int[bytes];
        readClock = new int[bytes];
        readEpoch = new int[bytes];
        readSite = new int[bytes];
        readStrong = new boolean[bytes];
        copier = new int[bytes];
        copyGroup = new int[bytes];
        order = new Order(grid.warps());
    }

    /// Threads are counted from 1; 0 stands for nobody.
    void clear() {
        Arrays.fill(writer, 0);
        Arrays.fill(reader, 0);
        Arrays.fill(copier, 0);
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
        if (split[word]) {
            return;
        }
        split[word] = true;
        int from = word * WORD;
        for (int i = from + 1; i < from + WORD; i++) {
            writer[i] = writer[from];
            writeClock[i] = writeClock[from];
            writeEpoch[i] = writeEpoch[from];
            writeSite[i] = writeSite[from];
            writeStrong[i] = writeStrong[from];
            reader[i] = reader[from];
            readClock[i] = readClock[from];
            readEpoch[i] = readEpoch[from];
            readSite[i] = readSite[from];
            readStrong[i] = readStrong[from];
            copier[i] = copier[from];
            copyGroup[i] = copyGroup[from];
        }
    }

    /// One access wrote these bytes: whole words among them have one state again.
    void wrote(int at, int end) {
        for (int word = Math.ceilDiv(at, WORD); (word + 1) * WORD <= end; word++) {
            split[word] = false;
        }
    }

    Order order() {
        return order;
    }
}
