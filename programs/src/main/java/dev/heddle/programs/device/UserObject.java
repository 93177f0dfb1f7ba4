package dev.heddle.programs.device;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// An object of the program's that lives as long as somebody has a reference to it, such as a graph
/// whose kernels use it (CUDA Programming Guide, CUDA User Objects).
public final class UserObject {
    /// All are destroyed by one thread, as CUDA does it.
    private static final ExecutorService DESTROYER =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("heddle-destroyer").factory());

    private final Runnable destroy;
    private long references;

    /// @param destroy what to do when nobody has a reference any more
    /// @param references how many its creator has
    public UserObject(Runnable destroy, long references) {
        this.destroy = destroy;
        this.references = references;
    }

    /// There are so many references more.
    public synchronized void retain(long count) {
        references += count;
    }

    /// There are so many references less.
    public synchronized void release(long count) {
        boolean held = references > 0;
        references -= count;
        if (held && references <= 0) {
            DESTROYER.execute(destroy);
        }
    }
}
