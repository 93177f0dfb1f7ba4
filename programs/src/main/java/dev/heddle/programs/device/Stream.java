package dev.heddle.programs.device;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletableFuture;

/// A stream: work in order. What must be waited for before its next work is [#tail].
public final class Stream {
    private final long handle;
    private final boolean waitsForLegacy;
    private final int flags;
    private final long context;
    private volatile StreamAttributes attributes;
    private CompletableFuture<Void> tail = CompletableFuture.completedFuture(null);

    private StreamClock clock = StreamClock.NOTHING;

    private volatile @Nullable Capture capture;

    /// @param context in which it is made; 0 for a default stream
    Stream(long handle, int flags, int priority, long context) {
        this.handle = handle;
        this.flags = flags;
        this.context = context;
        waitsForLegacy = (flags & Streams.NON_BLOCKING) == 0;
        attributes = StreamAttributes.of(priority);
    }

    /// What its work is captured into, or null.
    public @Nullable Capture capture() {
        return capture;
    }

    void setCapture(@Nullable Capture into) {
        capture = into;
    }

    /// By which C knows it.
    public long handle() {
        return handle;
    }

    /// As it was created.
    public int flags() {
        return flags;
    }

    /// The handle of the context in which it was made; 0 for a default stream.
    public long context() {
        return context;
    }

    /// What it was told, or was created with.
    public StreamAttributes attributes() {
        return attributes;
    }

    /// Tells it.
    public void setAttributes(StreamAttributes told) {
        attributes = told;
    }

    /// Whether it and the legacy default stream wait for one another.
    boolean waitsForLegacy() {
        return waitsForLegacy;
    }

    /// Done when all its work so far is done.
    CompletableFuture<Void> tail() {
        return tail;
    }

    void setTail(CompletableFuture<Void> work) {
        tail = work;
    }

    /// What is certainly done before its next work.
    StreamClock clock() {
        return clock;
    }

    void setClock(StreamClock done) {
        clock = done;
    }
}
