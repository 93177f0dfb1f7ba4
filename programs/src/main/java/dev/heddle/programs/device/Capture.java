package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What streams are given to do while they are captured: nodes of a graph, each behind what its
/// stream had last. A stream joins by waiting for an event of one that is captured.
public final class Capture {
    private final Graph graph;
    private final Stream origin;
    private final Mode mode;
    private final Thread thread = Thread.currentThread();
    private final Map<Stream, Set<Graph.Node>> last = new HashMap<>();
    private boolean invalid;
    private boolean ended;

    /// Whose unsafe calls are forbidden, by the numbers of `cudaStreamCaptureMode`. Captures and
    /// threads have one.
    public enum Mode {
        /// Of a capture: those of all threads. Of a thread: its own, by captures of all.
        GLOBAL,
        /// Of a capture: those of the thread that began it. Of a thread: its own, by its own
        /// captures.
        THREAD_LOCAL,
        /// None.
        RELAXED;

        /// The mode behind a number.
        ///
        /// @throws CudaException where there is none
        public static Mode of(int number) {
            refuseIf(number < 0 || number >= values().length, ErrorCode.INVALID_VALUE);
            return values()[number];
        }
    }

    /// How far it is, by the numbers of `cudaStreamCaptureStatus`.
    public enum Status {
        /// It has ended.
        NONE,
        /// It goes on.
        ACTIVE,
        /// It can only be ended: something was done that it forbids.
        INVALIDATED
    }

    Capture(Stream origin, Mode mode, Graph graph, Collection<Graph.Node> behind) {
        this.origin = origin;
        this.mode = mode;
        this.graph = graph;
        last.put(origin, new LinkedHashSet<>(behind));
    }

    /// The graph as it has grown so far.
    public Graph graph() {
        return graph;
    }

    /// How far it is.
    public synchronized Status status() {
        return ended ? Status.NONE : invalid ? Status.INVALIDATED : Status.ACTIVE;
    }

    /// Where the capture began, and must end.
    Stream origin() {
        return origin;
    }

    /// Whether calls that are unsafe while streams are captured are forbidden to this thread.
    ///
    /// @param caller the mode of this thread
    boolean forbidsUnsafeCalls(Mode caller) {
        boolean own = mode != Mode.RELAXED && thread.equals(Thread.currentThread());
        return switch (caller) {
            case GLOBAL -> own || mode == Mode.GLOBAL;
            case THREAD_LOCAL -> own;
            case RELAXED -> false;
        };
    }

    /// Something was done that it forbids.
    public synchronized void invalidate() {
        invalid = true;
    }

    synchronized void end() {
        ended = true;
    }

    /// The streams that belong to it.
    synchronized Set<Stream> streams() {
        return Set.copyOf(last.keySet());
    }

    synchronized void add(Stream stream, Work work) {
        refuseIf(invalid, ErrorCode.STREAM_CAPTURE_INVALIDATED);
        Graph.Node node = graph.add(last.getOrDefault(stream, Set.of()), work);
        last.put(stream, Set.of(node));
    }

    /// What the next work of a stream waits for.
    public synchronized List<Graph.Node> last(Stream stream) {
        return List.copyOf(last.getOrDefault(stream, Set.of()));
    }

    /// The stream's next work waits for these nodes, and for nothing else.
    public synchronized void replace(Stream stream, Collection<Graph.Node> nodes) {
        last.put(stream, new LinkedHashSet<>(nodes));
    }

    /// The stream's next work waits for these nodes, too.
    public synchronized void join(Stream stream, List<Graph.Node> nodes) {
        Set<Graph.Node> all = new LinkedHashSet<>(last.getOrDefault(stream, Set.of()));
        all.addAll(nodes);
        last.put(stream, all);
    }

    /// Whether the stream where it began waits for all work of the others.
    synchronized boolean isJoined() {
        Set<Graph.Node> before = new HashSet<>(last(origin));
        Deque<Graph.Node> open = new ArrayDeque<>(before);
        while (!open.isEmpty()) {
            for (Graph.Node node : open.remove().dependencies()) {
                if (before.add(node)) {
                    open.add(node);
                }
            }
        }
        return last.values().stream().allMatch(before::containsAll);
    }
}
