package dev.heddle.vm.state;

import org.jspecify.annotations.Nullable;

import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/// CTAs of launches that are over, for later launches of the same kernel: to make registers, and
/// what is known of shared memory, takes longer than a small kernel. The most recent ones only, as
/// long as memory suffices. Threads may share it.
public final class SpareClusters {
    private static final int MOST = 64;

    /// Host bytes of all that are kept.
    private static final long MOST_BYTES = 1 << 26;

    private final Deque<Spare> spare = new ArrayDeque<>();

    private record Spare(SoftReference<Cluster> reference, long bytes) {}

    /// Whether the clusters of a launch may serve others.
    static boolean keeps(Grid grid) {
        return bytes(grid) <= MOST_BYTES / 4;
    }

    private static long bytes(Grid grid) {
        return grid.residentBytes() * grid.shape().cluster().count();
    }

    /// A cluster for a launch, which is at no place in its grid yet.
    public static Cluster take(Grid grid, Cta.Worker worker) {
        Cluster kept = keeps(grid) ? grid.spares().find(grid) : null;
        if (kept == null) {
            return new Cluster(grid, worker);
        }
        kept.serve(grid, worker);
        return kept;
    }

    private synchronized @Nullable Cluster find(Grid grid) {
        for (Iterator<Spare> each = spare.iterator(); each.hasNext(); ) {
            Cluster kept = each.next().reference.get();
            if (kept != null && kept.grid().isLike(grid)) {
                each.remove();
                return kept;
            }
        }
        return null;
    }

    /// Gives back a cluster whose threads have ended, in a launch that nothing has ended early.
    public static void giveBack(Cluster cluster) {
        if (keeps(cluster.grid())) {
            cluster.grid().spares().keep(cluster);
        }
    }

    private synchronized void keep(Cluster cluster) {
        long bytes = bytes(cluster.grid());
        spare.addFirst(new Spare(new SoftReference<>(cluster), bytes));
        long all = 0;
        int count = 0;
        for (Iterator<Spare> each = spare.iterator(); each.hasNext(); ) {
            Spare one = each.next();
            all += one.bytes;
            count++;
            if (all > MOST_BYTES || count > MOST || one.reference.refersTo(null)) {
                each.remove();
            }
        }
    }
}
