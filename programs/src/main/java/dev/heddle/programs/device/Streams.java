package dev.heddle.programs.device;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

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

    private final ExecutorService workers =
            Executors.newCachedThreadPool(
                    Thread.ofPlatform().daemon().name("heddle-stream-", 0).factory());
    private final Map<Long, Stream> streams = new HashMap<>();

    /// Destroyed ones that still had something to do.
    private final List<Stream> leaving = new ArrayList<>();

    private final Captures captures = new Captures();
    private final Stream legacy = new Stream(0, 0, 0);
    private final ThreadLocal<Stream> own = ThreadLocal.withInitial(() -> create(0, 0));
    private long next = FIRST_HANDLE;

    /// A new stream.
    public synchronized Stream create(int flags, int priority) {
        next += 16;
        Stream stream = new Stream(next, flags, priority);
        streams.put(next, stream);
        return stream;
    }

    /// Forgets a stream; what it still has to do is done all the same.
    public synchronized void destroy(long handle) {
        Stream stream = streams.remove(handle);
        if (stream == null) {
            throw new CudaException(ErrorCode.INVALID_RESOURCE_HANDLE);
        }
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
        Stream stream = streams.get(handle);
        if (stream == null) {
            throw new CudaException(ErrorCode.INVALID_RESOURCE_HANDLE);
        }
        return stream;
    }

    /// Puts work behind all that is before it, on a thread of its own.
    public void submit(Stream stream, Runnable work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        CompletableFuture<Void> before = enter(stream, done);
        CompletableFuture<Void> _ =
                before.thenRunAsync(
                        () -> {
                            try {
                                work.run();
                            } finally {
                                done.complete(null);
                            }
                        },
                        workers);
    }

    /// Does work behind all that is before it, on this thread.
    public void run(Stream stream, Runnable work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        CompletableFuture<Void> before = enter(stream, done);
        try {
            before.join();
            work.run();
        } finally {
            done.complete(null);
        }
    }

    /// Makes `done` the stream's last work; returns what it has to wait for.
    private synchronized CompletableFuture<Void> enter(
            Stream stream, CompletableFuture<Void> done) {
        CompletableFuture<Void> before = before(stream);
        stream.setTail(done);
        return before;
    }

    private CompletableFuture<Void> before(Stream stream) {
        List<CompletableFuture<Void>> open = new ArrayList<>();
        addOpen(open, stream);
        if (stream == legacy) {
            java.util.stream.Stream.concat(streams.values().stream(), leaving.stream())
                    .filter(Stream::waitsForLegacy)
                    .forEach(each -> addOpen(open, each));
        } else if (stream.waitsForLegacy()) {
            addOpen(open, legacy);
        }
        return CompletableFuture.allOf(open.toArray(CompletableFuture[]::new));
    }

    private static void addOpen(List<CompletableFuture<Void>> open, Stream stream) {
        if (!stream.tail().isDone()) {
            open.add(stream.tail());
        }
    }

    /// Begins to capture what a stream is given to do.
    ///
    /// @param graph into which
    /// @param behind what the first of it waits for
    /// @throws CudaException where it is captured already, or is the legacy default stream
    public void capture(
            Stream stream, Capture.Mode mode, Graph graph, Collection<Graph.Node> behind) {
        if (stream == legacy) {
            throw new CudaException(ErrorCode.STREAM_CAPTURE_UNSUPPORTED);
        }
        captures.begin(stream, mode, graph, behind);
    }

    /// All work that the stream has now, and what that waits for.
    public synchronized CompletableFuture<Void> pending(Stream stream) {
        return before(stream);
    }

    /// Lets the stream's next work wait for something else, too.
    public synchronized void waitFor(Stream stream, CompletableFuture<Void> event) {
        stream.setTail(CompletableFuture.allOf(before(stream), event));
    }

    /// All work of all streams.
    public synchronized CompletableFuture<Void> all() {
        List<CompletableFuture<Void>> open = new ArrayList<>();
        addOpen(open, legacy);
        streams.values().forEach(each -> addOpen(open, each));
        leaving.forEach(each -> addOpen(open, each));
        return CompletableFuture.allOf(open.toArray(CompletableFuture[]::new));
    }
}
