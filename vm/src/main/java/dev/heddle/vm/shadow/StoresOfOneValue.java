package dev.heddle.vm.shadow;

/// Weak stores that stand beside each other at a place store the same: what is read there is known
/// once one of them is over for the reader.
final class StoresOfOneValue implements AccessHistory.Visitor {
    private final HappensBefore order;
    private final int reader;
    private boolean areWeak;
    private boolean isOneOver;

    private StoresOfOneValue(HappensBefore order, int reader) {
        this.order = order;
        this.reader = reader;
    }

    /// Whether all writes of a place are weak, and one of them is over for a thread.
    static boolean areKnown(AccessHistory writes, int place, HappensBefore order, int reader) {
        StoresOfOneValue stores = new StoresOfOneValue(order, reader);
        writes.forEach(place, stores);
        return stores.areWeak && stores.isOneOver;
    }

    @Override
    public boolean visit(long stamp) {
        areWeak = Stamp.kind(stamp) == Stamp.WEAK;
        isOneOver |= order.isOver(Stamp.thread(stamp), Stamp.clock(stamp), reader);
        return areWeak;
    }
}
