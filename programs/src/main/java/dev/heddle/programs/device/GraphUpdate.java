package dev.heddle.programs.device;

import dev.heddle.programs.device.Graph.Node;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;

/// Which nodes of another graph take the places of a graph's own (CUDA Runtime API 6.30,
/// `cudaGraphExecUpdate`; what is told first where several things differ is what an H200 tells).
///
/// Nodes for which no other waits are paired in the order in which they were added, and what paired
/// nodes wait for is paired in the order in which that was said.
public final class GraphUpdate {
    private static final int TOPOLOGY = 2;
    private static final int KIND = 3;
    private static final int PARAMETERS = 5;
    private static final int NOT_SUPPORTED = 6;

    private final BiPredicate<Work, Work> parameters;
    private final boolean asAdded;
    private final Map<Node, Node> others = new LinkedHashMap<>();
    private final Set<Node> taken = new HashSet<>();

    /// @param parameters whether work of the same kind can take the place of other work
    /// @param asAdded whether nodes are paired in the order in which they were added, as by the
    ///     function of CUDA 11
    public GraphUpdate(BiPredicate<Work, Work> parameters, boolean asAdded) {
        this.parameters = parameters;
        this.asAdded = asAdded;
    }

    /// Why a graph cannot take over another's work.
    ///
    /// @param reason a `cudaGraphExecUpdateResult`
    /// @param node of the other, or null
    /// @param from what that waits for and should not, or null
    public record Difference(int reason, @Nullable Node node, @Nullable Node from) {
        private static Difference of(int reason, @Nullable Node node) {
            return new Difference(reason, node, null);
        }
    }

    private record Pair(Node own, Node other, @Nullable Node follower) {}

    /// Lets a graph take over another's work.
    ///
    /// @return null, or why it cannot, and nothing was taken over
    public @Nullable Difference run(Graph graph, Graph other) {
        Difference difference = between(graph, other);
        if (difference == null) {
            others.forEach(Node::take);
        }
        return difference;
    }

    private @Nullable Difference between(Graph graph, Graph other) {
        List<Node> own = graph.nodes();
        List<Node> nodes = other.nodes();
        if (own.size() != nodes.size()) {
            return Difference.of(asAdded ? NOT_SUPPORTED : TOPOLOGY, null);
        }
        Difference difference = asAdded ? pairAsAdded(own, nodes) : pairFromEnds(own, nodes);
        for (Node node : own) {
            if (difference != null) {
                return difference;
            }
            Node paired = Objects.requireNonNull(others.get(node));
            difference =
                    parameters.test(node.work(), paired.work())
                            ? inside(node.work(), paired)
                            : Difference.of(PARAMETERS, paired);
        }
        return difference;
    }

    private @Nullable Difference pairAsAdded(List<Node> own, List<Node> nodes) {
        for (int i = 0; i < own.size(); i++) {
            if (!places(own.get(i), own).equals(places(nodes.get(i), nodes))) {
                return Difference.of(TOPOLOGY, nodes.getFirst());
            }
        }
        for (int i = 0; i < own.size(); i++) {
            if (own.get(i).work().kind() != nodes.get(i).work().kind()) {
                return Difference.of(KIND, nodes.get(i));
            }
            others.put(own.get(i), nodes.get(i));
        }
        return null;
    }

    private static Set<Integer> places(Node node, List<Node> all) {
        Set<Integer> places = new HashSet<>();
        node.dependencies().forEach(each -> places.add(all.indexOf(each)));
        return places;
    }

    private @Nullable Difference pairFromEnds(List<Node> own, List<Node> nodes) {
        List<Node> ends = ends(own);
        List<Node> otherEnds = ends(nodes);
        if (ends.size() != otherEnds.size()) {
            boolean more = ends.size() < otherEnds.size();
            return Difference.of(TOPOLOGY, more ? otherEnds.get(ends.size()) : null);
        }
        Deque<Pair> open = new ArrayDeque<>();
        for (int i = 0; i < ends.size(); i++) {
            open.add(new Pair(ends.get(i), otherEnds.get(i), null));
        }
        Difference difference = null;
        while (!open.isEmpty() && difference == null) {
            difference = take(open.remove(), open);
        }
        return difference;
    }

    /// The nodes for which no other waits, the last that was added first.
    private static List<Node> ends(List<Node> nodes) {
        Set<Node> awaited = new HashSet<>();
        nodes.forEach(node -> awaited.addAll(node.dependencies()));
        return nodes.reversed().stream().filter(node -> !awaited.contains(node)).toList();
    }

    private @Nullable Difference take(Pair pair, Deque<Pair> open) {
        Node other = pair.other;
        if (others.get(pair.own) == other) {
            return null;
        }
        if (others.containsKey(pair.own) || !taken.add(other)) {
            return new Difference(TOPOLOGY, pair.follower, other);
        }
        others.put(pair.own, other);
        List<Node> own = pair.own.dependencies();
        List<Node> theirs = other.dependencies();
        if (own.size() != theirs.size()) {
            return Difference.of(TOPOLOGY, other);
        }
        for (int i = 0; i < own.size(); i++) {
            open.add(new Pair(own.get(i), theirs.get(i), other));
        }
        return pair.own.work().kind() == other.work().kind() ? null : Difference.of(KIND, other);
    }

    /// Of graphs in the graphs. Another condition is taken over, with its first value.
    private @Nullable Difference inside(Work before, Node node) {
        List<Graph> own = before.graphs();
        List<Graph> theirs = node.work().graphs();
        if (own.size() != theirs.size()
                || before instanceof Work.Conditional a
                        && node.work() instanceof Work.Conditional b
                        && a.use() != b.use()) {
            return Difference.of(NOT_SUPPORTED, node);
        }
        Difference difference = null;
        for (int i = 0; i < own.size() && difference == null; i++) {
            difference = new GraphUpdate(parameters, asAdded).between(own.get(i), theirs.get(i));
        }
        return difference;
    }
}
