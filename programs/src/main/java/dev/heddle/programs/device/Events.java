package dev.heddle.programs.device;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// The events of a process.
public final class Events {
    /// `cudaEventDisableTiming`.
    public static final int DISABLE_TIMING = 2;

    private static final long FIRST_HANDLE = 0x6000_0000L;

    private final Streams streams;
    private final Map<Long, Event> events = new HashMap<>();
    private long next = FIRST_HANDLE;

    Events(Streams streams) {
        this.streams = streams;
    }

    /// An event: the point of a stream where it was recorded last.
    public static final class Event {
        private final boolean timed;
        private volatile CompletableFuture<Void> reached = CompletableFuture.completedFuture(null);
        private volatile long nanos;
        private volatile boolean recorded;
        private volatile @Nullable Capture capture;
        private volatile List<Graph.Node> nodes = List.of();

        private Event(boolean timed) {
            this.timed = timed;
        }

        /// Done when the stream has come there.
        ///
        /// @throws CudaException where it was recorded in a stream that was captured
        public CompletableFuture<Void> reached() {
            Capture recorded = capture;
            if (recorded == null) {
                return reached;
            }
            if (recorded.status() == Capture.Status.NONE) {
                throw new CudaException(ErrorCode.INVALID_VALUE);
            }
            recorded.invalidate();
            throw new CudaException(ErrorCode.CAPTURED_EVENT);
        }
    }

    /// A new event.
    public synchronized long create(int flags) {
        next += 16;
        events.put(next, new Event((flags & DISABLE_TIMING) == 0));
        return next;
    }

    /// Forgets an event.
    public synchronized void destroy(long handle) {
        of(handle);
        events.remove(handle);
    }

    /// The event behind a handle.
    ///
    /// @throws CudaException where there is none
    public synchronized Event of(long handle) {
        Event event = events.get(handle);
        if (event == null) {
            throw new CudaException(ErrorCode.INVALID_RESOURCE_HANDLE);
        }
        return event;
    }

    /// Records an event behind the work of a stream.
    public void record(Event event, Stream stream) {
        event.recorded = true;
        Capture capture = stream.capture();
        event.capture = capture;
        if (capture != null) {
            event.nodes = capture.last(stream);
            return;
        }
        CompletableFuture<Void> before = streams.pending(stream);
        event.reached = before.thenRun(() -> event.nanos = System.nanoTime());
        streams.waitFor(stream, event.reached);
    }

    /// What a node of a graph does that records an event.
    public static Work recording(Event event, long handle) {
        return new Work.OfEvent(
                Graph.Kind.EVENT_RECORD,
                handle,
                () -> {
                    event.recorded = true;
                    event.capture = null;
                    event.nanos = System.nanoTime();
                    event.reached = CompletableFuture.completedFuture(null);
                });
    }

    /// What a node of a graph does that waits for an event.
    public static Work waiting(Event event, long handle) {
        return new Work.OfEvent(Graph.Kind.WAIT_EVENT, handle, () -> event.reached.join());
    }

    /// Lets a stream wait for an event. What is captured can wait for nothing else.
    public void await(Stream stream, Event event) {
        Capture capture = event.capture;
        Capture own = stream.capture();
        if (own != null && own != capture) {
            own.invalidate();
            throw new CudaException(ErrorCode.STREAM_CAPTURE_ISOLATION);
        }
        if (capture == null) {
            streams.waitFor(stream, event.reached);
        } else if (capture.status() == Capture.Status.NONE) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        } else {
            capture.join(stream, event.nodes);
            stream.setCapture(capture);
        }
    }

    /// Milliseconds between two events.
    ///
    /// @throws CudaException where one was never recorded, does not measure, or is not reached
    public static float milliseconds(Event start, Event stop) {
        if (!start.timed || !stop.timed || !start.recorded || !stop.recorded) {
            throw new CudaException(ErrorCode.INVALID_RESOURCE_HANDLE);
        }
        if (!start.reached().isDone() || !stop.reached().isDone()) {
            throw new CudaException(ErrorCode.NOT_READY);
        }
        return (float) ((stop.nanos - start.nanos) / 1e6);
    }
}
