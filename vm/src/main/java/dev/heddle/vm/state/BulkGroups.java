package dev.heddle.vm.state;

/// The bulk groups of each lane of a warp (PTX ISA 9.7.9.25.4). Bytes are copied when the copy
/// begins; the numbers say what a wait is for.
public final class BulkGroups {
    private final int[] committed = new int[32];
    private boolean used;

    public void clear() {
        if (used) {
            used = false;
            java.util.Arrays.fill(committed, 0);
        }
    }

    /// The group that a copy begun now by this lane belongs to.
    public int current(int lane) {
        return committed[lane];
    }

    /// A lane ends a group.
    public void commit(int lane) {
        used = true;
        committed[lane]++;
    }
}
