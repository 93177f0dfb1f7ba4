package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.SharedHandle;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// The events of a process.
public final class Events {
    /// `cudaEventDisableTiming`.
    public static final int DISABLE_TIMING = 2;

    /// `cudaEventInterprocess`.
    public static final int INTERPROCESS = 4;

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
        private final boolean isInterprocess;
        private volatile @Nullable SharedEvent shared;
        private volatile Streams.Point point = Streams.Point.START;
        private volatile long nanos;
        private volatile boolean recorded;
        private volatile @Nullable Capture capture;
        private volatile List<Graph.Node> nodes = List.of();

        private Event(int flags) {
            timed = (flags & DISABLE_TIMING) == 0;
            isInterprocess = (flags & INTERPROCESS) != 0;
        }

        /// Where the stream was.
        ///
        /// @throws CudaException where it was recorded in a stream that was captured
        private Streams.Point point() {
            Capture recorded = capture;
            if (recorded == null) {
                SharedEvent others = shared;
                return others == null ? point : new Streams.Point(others.reached(), point.clock());
            }
            refuseIf(recorded.status() == Capture.Status.NONE, ErrorCode.INVALID_VALUE);
            recorded.invalidate();
            throw new CudaException(ErrorCode.CAPTURED_EVENT);
        }
    }

    /// A new event.
    public synchronized long create(int flags) {
        next += 16;
        events.put(next, new Event(flags));
        return next;
    }

    /// A handle of an event for other processes.
    ///
    /// @throws CudaException where it was not made for that, or is another process's
    public synchronized SharedHandle share(Event event, Memory memory) {
        refuseIf(!event.isInterprocess, ErrorCode.INVALID_RESOURCE_HANDLE);
        SharedEvent shared = event.shared;
        if (shared == null) {
            shared = SharedEvent.create(memory);
            shared.record(event.point.reached());
            event.shared = shared;
            streams.stopFollowing();
        }
        return shared.handle();
    }

    /// An event of another process.
    public synchronized long open(SharedHandle handle, Memory memory) {
        SharedEvent shared = SharedEvent.open(handle, memory);
        long own = create(DISABLE_TIMING);
        of(own).shared = shared;
        streams.stopFollowing();
        return own;
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
        return orRefuse(events.get(handle), ErrorCode.INVALID_RESOURCE_HANDLE);
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
        Streams.Point now = streams.now(stream);
        event.point =
                new Streams.Point(
                        now.reached().thenRun(() -> event.nanos = System.nanoTime()), now.clock());
        SharedEvent shared = event.shared;
        if (shared != null) {
            shared.record(event.point.reached());
        }
        streams.waitFor(stream, event.point);
    }

    /// Records an event behind the work of all streams.
    ///
    /// @throws CudaException where one is captured
    public void recordAll(Event event) {
        streams.captures().requireNone();
        event.recorded = true;
        event.capture = null;
        Streams.Point now = streams.all();
        event.point =
                new Streams.Point(
                        now.reached().thenRun(() -> event.nanos = System.nanoTime()), now.clock());
    }

    /// Lets all streams wait for an event.
    ///
    /// @throws CudaException where one is captured
    public void awaitInAll(Event event) {
        streams.captures().requireNone();
        streams.waitForInAll(event.point());
    }

    /// Waits until a stream has come where an event was recorded.
    ///
    /// @throws CudaException where it was recorded in a stream that was captured, or captures
    ///     forbid to wait
    public void await(Event event) {
        Streams.Point point = event.point();
        streams.captures().requireSafe();
        streams.await(point);
    }

    /// Whether a stream has come where an event was recorded.
    ///
    /// @throws CudaException as for [#await(Event)]
    public boolean isReached(Event event) {
        Streams.Point point = event.point();
        streams.captures().requireSafe();
        return streams.isReached(point);
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
                    event.point =
                            new Streams.Point(
                                    CompletableFuture.completedFuture(null),
                                    Operation.current().after());
                });
    }

    /// What a node of a graph does that waits for an event.
    public Work waiting(Event event, long handle) {
        // What comes behind the graph was given its place in the order before.
        streams.stopFollowing();
        return new Work.OfEvent(Graph.Kind.WAIT_EVENT, handle, () -> event.point.reached().join());
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
            streams.waitFor(stream, event.point());
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
        refuseIf(
                !start.timed || !stop.timed || !start.recorded || !stop.recorded,
                ErrorCode.INVALID_RESOURCE_HANDLE);
        refuseIf(
                !start.point().reached().isDone() || !stop.point().reached().isDone(),
                ErrorCode.NOT_READY);
        return (float) ((stop.nanos - start.nanos) / 1e6);
    }
}
