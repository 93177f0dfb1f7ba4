package dev.heddle.cuda;

import java.lang.foreign.MemorySegment;

/// A queue of copies and launches that run in order; different streams run beside each other.
public final class Stream extends Resource {
    private static final int NON_BLOCKING = 1;

    private final MemorySegment handle;

    private Stream(Context context, MemorySegment handle) {
        super(context);
        this.handle = handle;
    }

    static Stream create(Context context) {
        return new Stream(context, context.readHandle("cuStreamCreate", NON_BLOCKING));
    }

    static Stream ofDefault(Context context) {
        return new Stream(context, MemorySegment.NULL);
    }

    MemorySegment handle() {
        return handle;
    }

    /// Waits until everything enqueued so far has run.
    ///
    /// @throws CudaException the error of a kernel that failed meanwhile
    public void synchronize() {
        call("cuStreamSynchronize", handle);
    }

    @Override
    void release() {
        if (handle.address() != 0) {
            context().call("cuStreamDestroy", handle);
        }
    }
}
