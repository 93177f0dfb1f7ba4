package dev.heddle.cuda;

import java.lang.foreign.MemorySegment;

/// A time stamp that a stream takes when it gets there.
public final class Event extends Resource {
    /// `CUDA_ERROR_NOT_READY`
    private static final int NOT_READY = 600;

    private final MemorySegment handle;

    private Event(Context context, MemorySegment handle) {
        super(context);
        this.handle = handle;
    }

    static Event create(Context context) {
        return new Event(context, context.readHandle("cuEventCreate", 0));
    }

    /// Enqueues the taking of the time stamp.
    public void record(Stream stream) {
        stream.requireOpen();
        call("cuEventRecord", handle, stream.handle());
    }

    /// Waits until the stream has taken the time stamp.
    public void synchronize() {
        call("cuEventSynchronize", handle);
    }

    /// Whether the stream has taken the time stamp; does not wait.
    ///
    /// @throws CudaException the error of a kernel that failed meanwhile
    public boolean isTaken() {
        requireOpen();
        int result = context().resultOf("cuEventQuery", handle);
        if (result != 0 && result != NOT_READY) {
            throw context().failure("cuEventQuery", result, "");
        }
        return result == 0;
    }

    /// Milliseconds from `start` to this event, both recorded and passed; resolution 0.5 us.
    public float millisecondsSince(Event start) {
        requireOpen();
        start.requireOpen();
        return context().readFloat("cuEventElapsedTime", start.handle, handle);
    }

    @Override
    void release() {
        context().call("cuEventDestroy", handle);
    }
}
