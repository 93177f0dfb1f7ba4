package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Shortcut;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntSupplier;

/// The streams of a process, and the order of their work (CUDA Programming Guide, 4.3, 4.4).
///
/// Work starts when all it must wait for is done: what came before it in its stream, and between
/// the legacy default stream and the others that are not `cudaStreamNonBlocking`, what came before
/// in time. Work runs on as many threads as there is work: some of it waits for other work.
public final class Streams {
    /// `cudaStreamNonBlocking`.
    public static final int NON_BLOCKING = 1;

    private static final long LEGACY = 1;
    private static final long PER_THREAD = 2;
    private static final long FIRST_HANDLE = 0x5000_0000L;
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final ExecutorService workers =
            Executors.newCachedThreadPool(
                    Thread.ofPlatform().daemon().name("heddle-stream-", 0).factory());
    private final Map<Long, Stream> streams = new HashMap<>();

    /// Destroyed ones that still had something to do.
    private final List<Stream> leaving = new ArrayList<>();

    private final Captures captures;
    private final StreamOrder order;
    private final Contexts contexts;
    private final Stream legacy = new Stream(0, 0, 0, 0);
    private final ThreadLocal<Stream> own = ThreadLocal.withInitial(() -> create(0, 0));
    private long next = FIRST_HANDLE;

    /// @param allocations how many the program has made so far
    /// @param shortcut forbidden while streams have work, or are captured
    Streams(IntSupplier allocations, Shortcut shortcut, Contexts contexts) {
        this.contexts = contexts;
        order = new StreamOrder(allocations, shortcut);
        captures = new Captures(shortcut);
    }

    /// A point in the work of streams.
    ///
    /// @param reached done when the work before it is
    /// @param clock what is done then for certain
    record Point(CompletableFuture<Void> reached, StreamClock clock) {
        /// That of no work.
        static final Point START =
                new Point(CompletableFuture.completedFuture(null), StreamClock.NOTHING);
    }

    /// In which order their work is for certain.
    StreamOrder order() {
        return order;
    }

    /// A new stream.
    public synchronized Stream create(int flags, int priority) {
        next += 16;
        Stream stream = new Stream(next, flags, priority, contexts.current());
        streams.put(next, stream);
        if (streams.size() > 1 || !stream.waitsForLegacy()) {
            order.follow();
        }
        return stream;
    }

    /// Forgets a stream; what it still has to do is done all the same.
    public synchronized void destroy(long handle) {
        Stream stream = orRefuse(streams.remove(handle), ErrorCode.INVALID_RESOURCE_HANDLE);
        leaving.removeIf(each -> each.tail().isDone());
        leaving.add(stream);
    }

    /// The captures of these streams.
    public Captures captures() {
        return captures;
    }

    /// The stream behind a handle; 0 is the legacy default stream.
    ///
    /// @throws CudaException where there is none, or it is the default stream and one is captured
    ///     that would wait for it
    public synchronized Stream of(long handle) {
        if (handle == 0 || handle == LEGACY) {
            captures.requireNoLegacy();
            return legacy;
        }
        if (handle == PER_THREAD) {
            return own.get();
        }
        return orRefuse(streams.get(handle), ErrorCode.INVALID_RESOURCE_HANDLE);
    }

    /// Puts work behind all that is before it, on a thread of its own.
    public void submit(Stream stream, Runnable work) {
        start(enter(stream), work);
    }

    private void start(Entered entered, Runnable work) {
        CompletableFuture<Void> _ = entered.before.thenRunAsync(() -> run(entered, work), workers);
    }

    /// The same with work that takes no longer than to give it to a thread: where nothing is
    /// before it, it is done when this returns. The host may not rely on that.
    public void submitShort(Stream stream, Runnable work) {
        Entered entered = enter(stream);
        if (entered.before.isDone()) {
            run(entered, work);
        } else {
            start(entered, work);
        }
    }

    /// Does work behind all that is before it, on this thread.
    public void run(Stream stream, Runnable work) {
        Entered entered = enter(stream);
        entered.before.join();
        run(entered, work);
        order.hostKnows(entered.operation.after());
    }

    private void run(Entered entered, Runnable work) {
        try {
            entered.operation.run(work);
        } finally {
            order.finish(entered.operation);
            entered.done.complete(null);
        }
    }

    /// The last work of a stream.
    ///
    /// @param before what it has to wait for
    /// @param done completed when it is done
    private record Entered(
            Operation operation, CompletableFuture<Void> before, CompletableFuture<Void> done) {}

    private synchronized Entered enter(Stream stream) {
        List<Stream> before = before(stream);
        Operation operation = order.begin(stream, before);
        Entered entered = new Entered(operation, tails(before), new CompletableFuture<>());
        stream.setTail(entered.done);
        return entered;
    }

    /// The streams whose work so far is before the next of a stream.
    private List<Stream> before(Stream stream) {
        if (stream != legacy) {
            return stream.waitsForLegacy() ? List.of(stream, legacy) : List.of(stream);
        }
        if (streams.isEmpty() && leaving.isEmpty()) {
            return List.of(legacy);
        }
        List<Stream> all = new ArrayList<>(List.of(legacy));
        java.util.stream.Stream.concat(streams.values().stream(), leaving.stream())
                .filter(Stream::waitsForLegacy)
                .forEach(all::add);
        return all;
    }

    private static CompletableFuture<Void> tails(Collection<Stream> streams) {
        List<CompletableFuture<Void>> open = new ArrayList<>();
        for (Stream stream : streams) {
            if (!stream.tail().isDone()) {
                open.add(stream.tail());
            }
        }
        return open.isEmpty()
                ? DONE
                : CompletableFuture.allOf(open.toArray(CompletableFuture[]::new));
    }

    /// Begins to capture what a stream is given to do.
    ///
    /// @param graph into which
    /// @param behind what the first of it waits for
    /// @throws CudaException where it is captured already, or is the legacy default stream
    public void capture(
            Stream stream, Capture.Mode mode, Graph graph, Collection<Graph.Node> behind) {
        refuseIf(stream == legacy, ErrorCode.STREAM_CAPTURE_UNSUPPORTED);
        captures.begin(stream, mode, graph, behind);
    }

    /// Behind all work that the stream has now, and what that waits for.
    synchronized Point now(Stream stream) {
        List<Stream> before = before(stream);
        return new Point(tails(before), order.at(before));
    }

    /// Lets the stream's next work wait for something else, too.
    synchronized void waitFor(Stream stream, Point point) {
        List<Stream> before = before(stream);
        stream.setTail(CompletableFuture.allOf(tails(before), point.reached));
        order.await(stream, before, point.clock);
    }

    /// Lets the next work of each stream wait for something else, too.
    synchronized void waitForInAll(Point point) {
        waitFor(legacy, point);
        streams.values().forEach(stream -> waitFor(stream, point));
    }

    /// Waits for all work that a stream has now.
    public void await(Stream stream) {
        await(now(stream));
    }

    /// Waits for all work of all streams.
    public void awaitAll() {
        await(all());
    }

    /// Waits until a point is reached.
    void await(Point point) {
        point.reached.join();
        order.hostKnows(point.clock);
    }

    /// Whether a stream has nothing to do.
    public boolean isIdle(Stream stream) {
        return isReached(now(stream));
    }

    /// Whether a point is reached; the host knows it then.
    boolean isReached(Point point) {
        boolean reached = point.reached.isDone();
        if (reached) {
            order.hostKnows(point.clock);
        }
        return reached;
    }

    /// What the operation of this thread tells the host: that it and all before it are done.
    public void tellHost() {
        order.hostKnows(Operation.current().after());
    }

    /// Behind all work of all streams.
    synchronized Point all() {
        List<Stream> all = new ArrayList<>(streams.values());
        all.add(legacy);
        all.addAll(leaving);
        return new Point(tails(all), order.at(all));
    }

    /// Does something once all work of all streams is done.
    public void afterAll(Runnable then) {
        CompletableFuture<Void> _ = all().reached.thenRun(then);
    }

    /// From here on, streams order themselves by words in memory.
    public void stopFollowing() {
        order.stopFollowing();
    }
}
