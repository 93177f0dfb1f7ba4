package dev.heddle.vm.execution;

import java.util.Arrays;

/// What is known of each byte of a CTA's shared memory: who wrote and read it last, and whether
/// an asynchronous copy into it is
/// under way.
final class SharedShadow {
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
    private final Order order;

    SharedShadow(Grid grid) {
        int bytes = grid.sharedBytes();
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
        order.clear();
    }

    Order order() {
        return order;
    }
}
