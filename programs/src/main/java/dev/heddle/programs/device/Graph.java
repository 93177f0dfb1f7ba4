package dev.heddle.programs.device;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// A graph of work: nodes, and what each must wait for.
public final class Graph {
    private final Set<Node> nodes = new LinkedHashSet<>();

    /// Kinds of nodes, by the numbers of `cudaGraphNodeType`.
    public enum Kind {
        /// A launch.
        KERNEL,
        /// A copy.
        MEMCPY,
        /// A fill.
        MEMSET,
        /// A call of the host.
        HOST,
        /// A graph.
        GRAPH,
        /// Nothing, to join others.
        EMPTY
    }

    /// A node. Its work may be replaced.
    public static final class Node {
        private final Graph graph;
        private final Kind kind;
        private final Set<Node> dependencies = new LinkedHashSet<>();
        private volatile Runnable work;

        private Node(Graph graph, Kind kind, Runnable work) {
            this.graph = graph;
            this.kind = kind;
            this.work = work;
        }

        /// What it does.
        public Kind kind() {
            return kind;
        }

        /// Replaces what it does.
        public void replace(Runnable other) {
            work = other;
        }

        /// Takes it out of its graph.
        public void remove() {
            graph.remove(this);
        }

        /// What it waits for.
        public List<Node> dependencies() {
            return List.copyOf(dependencies);
        }
    }

    /// Adds a node.
    ///
    /// @throws CudaException where it is to wait for what is not in this graph
    public synchronized Node add(Kind kind, Collection<Node> dependencies, Runnable work) {
        Node node = new Node(this, kind, work);
        for (Node each : dependencies) {
            require(each);
        }
        node.dependencies.addAll(dependencies);
        nodes.add(node);
        return node;
    }

    /// Lets a node wait for another.
    ///
    /// @throws CudaException where it does already, or one of them is not in this graph
    public synchronized void order(Node first, Node then) {
        require(first);
        require(then);
        if (!then.dependencies.add(first)) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
    }

    private synchronized void remove(Node node) {
        require(node);
        nodes.remove(node);
        nodes.forEach(each -> each.dependencies.remove(node));
    }

    private void require(Node node) {
        if (!nodes.contains(node)) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
    }

    /// All nodes, in the order in which they were added.
    public synchronized List<Node> nodes() {
        return List.copyOf(nodes);
    }

    /// A copy, and which of its nodes stands for which.
    public synchronized Map<Node, Node> copyInto(Graph copy) {
        Map<Node, Node> copies = new HashMap<>();
        for (Node node : nodes) {
            copies.put(node, copy.add(node.kind, List.of(), node.work));
        }
        for (Node node : nodes) {
            for (Node each : node.dependencies) {
                copy.order(
                        Objects.requireNonNull(copies.get(each)),
                        Objects.requireNonNull(copies.get(node)));
            }
        }
        return copies;
    }

    /// The nodes in an order that keeps what each waits for.
    ///
    /// @throws CudaException where they wait for one another in a circle
    public synchronized List<Node> ordered() {
        Map<Node, Integer> waits = new HashMap<>();
        Map<Node, List<Node>> followers = new HashMap<>();
        Deque<Node> ready = new ArrayDeque<>();
        for (Node node : nodes) {
            waits.put(node, node.dependencies.size());
            for (Node each : node.dependencies) {
                followers.computeIfAbsent(each, _ -> new ArrayList<>()).add(node);
            }
            if (node.dependencies.isEmpty()) {
                ready.add(node);
            }
        }
        List<Node> ordered = new ArrayList<>();
        while (!ready.isEmpty()) {
            Node node = ready.poll();
            ordered.add(node);
            for (Node follower : followers.getOrDefault(node, List.of())) {
                if (waits.merge(follower, -1, Integer::sum) == 0) {
                    ready.add(follower);
                }
            }
        }
        if (ordered.size() < nodes.size()) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        return ordered;
    }

    /// Does the work of all nodes, in order.
    public void run() {
        for (Node node : ordered()) {
            node.work.run();
        }
    }
}
