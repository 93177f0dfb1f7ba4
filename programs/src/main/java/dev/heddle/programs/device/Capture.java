package dev.heddle.programs.device;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What streams are given to do while they are captured: nodes of a graph, each behind what its
/// stream had last. A stream joins by waiting for an event of one that is captured.
public final class Capture {
    private final Graph graph;
    private final Stream origin;
    private final Map<Stream, Set<Graph.Node>> last = new HashMap<>();

    Capture(Graph graph, Stream origin) {
        this.graph = graph;
        this.origin = origin;
        last.put(origin, Set.of());
    }

    /// The graph as it has grown so far.
    public Graph graph() {
        return graph;
    }

    /// Where the capture began, and must end.
    Stream origin() {
        return origin;
    }

    /// The streams that belong to it.
    synchronized Set<Stream> streams() {
        return Set.copyOf(last.keySet());
    }

    synchronized void add(Stream stream, Graph.Kind kind, Runnable work) {
        Graph.Node node = graph.add(kind, last.getOrDefault(stream, Set.of()), work);
        last.put(stream, Set.of(node));
    }

    /// What comes last in a stream.
    synchronized List<Graph.Node> last(Stream stream) {
        return List.copyOf(last.getOrDefault(stream, Set.of()));
    }

    /// The stream's next work waits for these nodes, too.
    synchronized void join(Stream stream, List<Graph.Node> nodes) {
        Set<Graph.Node> all = new LinkedHashSet<>(last.getOrDefault(stream, Set.of()));
        all.addAll(nodes);
        last.put(stream, all);
    }
}
