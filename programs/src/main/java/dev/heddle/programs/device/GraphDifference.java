package dev.heddle.programs.device;

import dev.heddle.programs.device.Graph.Node;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Why a graph cannot take over another's work.
///
/// @param reason a `cudaGraphExecUpdateResult`
/// @param node of the other, or null
public record GraphDifference(int reason, @Nullable Node node) {
    private static final int TOPOLOGY = 2;
    private static final int KIND = 3;
    private static final int NOT_SUPPORTED = 6;

    static @Nullable GraphDifference between(Graph graph, Graph other) {
        List<Node> own = graph.nodes();
        List<Node> others = other.nodes();
        if (own.size() != others.size()) {
            return new GraphDifference(TOPOLOGY, null);
        }
        for (int i = 0; i < own.size(); i++) {
            GraphDifference difference = between(own, others, i);
            if (difference != null) {
                return difference;
            }
        }
        return null;
    }

    private static @Nullable GraphDifference between(List<Node> own, List<Node> others, int index) {
        Node node = others.get(index);
        if (own.get(index).work().kind() != node.work().kind()) {
            return new GraphDifference(KIND, node);
        }
        if (!places(own.get(index), own).equals(places(node, others))) {
            return new GraphDifference(TOPOLOGY, node);
        }
        return own.get(index).work() instanceof Work.Conditional before
                        && node.work() instanceof Work.Conditional now
                ? between(before, now, node)
                : null;
    }

    private static Set<Integer> places(Node node, List<Node> all) {
        Set<Integer> places = new HashSet<>();
        node.dependencies().forEach(each -> places.add(all.indexOf(each)));
        return places;
    }

    /// Another condition is taken over, with the value that it begins with.
    private static @Nullable GraphDifference between(
            Work.Conditional before, Work.Conditional now, Node node) {
        if (before.use() != now.use() || before.bodies().size() != now.bodies().size()) {
            return new GraphDifference(NOT_SUPPORTED, node);
        }
        for (int i = 0; i < now.bodies().size(); i++) {
            GraphDifference difference = between(before.bodies().get(i), now.bodies().get(i));
            if (difference != null) {
                return difference;
            }
        }
        return null;
    }
}
