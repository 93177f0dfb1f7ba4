package dev.heddle.cuda;

/// Something that lives in a [Context] until it is closed. Closing twice is closing once.
public abstract sealed class Resource implements AutoCloseable
        permits CudaModule, DeviceMemory, Event, PinnedMemory, Stream {
    private final Context context;
    private boolean closed;

    Resource(Context context) {
        this.context = context;
    }

    final Context context() {
        return context;
    }

    /// Calls into the driver on this resource.
    final void call(String function, Object... arguments) {
        requireOpen();
        context.call(function, arguments);
    }

    final synchronized void requireOpen() {
        if (closed) {
            throw new IllegalStateException(
                    getClass().getSimpleName() + " is closed and cannot be used");
        }
    }

    /// Gives back what the driver holds for this resource.
    abstract void release();

    @Override
    public final void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        context.forget(this);
        release();
    }
}
