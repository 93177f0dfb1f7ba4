package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
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

    /// Objects of the program's, and how many references of each it has.
    private final Map<UserObject, Long> held = new HashMap<>();

    private boolean isInstantiated;

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
        EMPTY,
        /// A stream or graph waits for an event.
        WAIT_EVENT,
        /// An event is recorded.
        EVENT_RECORD,
        /// A semaphore of others is signalled: not there.
        SEMAPHORE_SIGNAL,
        /// A semaphore of others is waited for: not there.
        SEMAPHORE_WAIT,
        /// Memory is allocated.
        MEM_ALLOC,
        /// Memory is freed.
        MEM_FREE,
        /// Words of memory are waited for and written: not there.
        BATCH_MEM_OP,
        /// Graphs that run by a condition.
        CONDITIONAL;

        /// Whether a graph with such a node can have one instance at a time and cannot be cloned
        /// (CUDA Runtime API 6.30, `cudaGraphAddMemAllocNode`; conditional nodes: as on an H100).
        boolean limitsInstances() {
            return this == MEM_ALLOC || this == MEM_FREE || this == CONDITIONAL;
        }

        /// Whether a graph that runs by a condition may have such a node.
        boolean isConditional() {
            return switch (this) {
                case KERNEL, MEMCPY, MEMSET, GRAPH, EMPTY, CONDITIONAL -> true;
                case HOST,
                        WAIT_EVENT,
                        EVENT_RECORD,
                        SEMAPHORE_SIGNAL,
                        SEMAPHORE_WAIT,
                        MEM_ALLOC,
                        MEM_FREE,
                        BATCH_MEM_OP ->
                        false;
            };
        }
    }

    /// A node. Its work may be replaced.
    public static final class Node {
        private final Graph graph;
        private final Set<Node> dependencies = new LinkedHashSet<>();
        private volatile Work work;
        private volatile boolean enabled = true;

        private Node(Graph graph, Work work) {
            this.graph = graph;
            this.work = work;
        }

        /// The graph that it is in.
        public Graph graph() {
            return graph;
        }

        /// What it does.
        public Work work() {
            return work;
        }

        /// Replaces what it does.
        ///
        /// @throws CudaException where the other is no work of the same kind, or a condition's
        public void replace(Work other) {
            if (other.kind() != work.kind() || work instanceof Work.Conditional) {
                throw new CudaException(ErrorCode.INVALID_VALUE);
            }
            work = other;
        }

        /// Takes over what a node of another graph does.
        void take(Node other) {
            work = own(other.work);
        }

        /// Whether it does anything.
        public boolean isEnabled() {
            return enabled;
        }

        /// Lets it do nothing, or its work again.
        public void enable(boolean on) {
            enabled = on;
        }

        /// Takes it out of its graph.
        public void remove() {
            graph.remove(this);
            work.graphs().forEach(Graph::releaseAll);
        }

        /// What it waits for.
        public List<Node> dependencies() {
            return List.copyOf(dependencies);
        }
    }

    /// Adds a node.
    ///
    /// @throws CudaException where it is to wait for what is not in this graph
    public synchronized Node add(Collection<Node> dependencies, Work work) {
        Node node = new Node(this, work);
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
        refuseIf(!then.dependencies.add(first), ErrorCode.INVALID_VALUE);
    }

    /// Lets a node wait for another no more.
    ///
    /// @throws CudaException where it does not
    public synchronized void separate(Node first, Node then) {
        refuseIf(!then.dependencies.remove(first), ErrorCode.INVALID_VALUE);
    }

    private synchronized void remove(Node node) {
        require(node);
        nodes.remove(node);
        nodes.forEach(each -> each.dependencies.remove(node));
    }

    private void require(Node node) {
        refuseIf(!nodes.contains(node), ErrorCode.INVALID_VALUE);
    }

    /// It has so many references of an object more.
    public synchronized void hold(UserObject object, long count) {
        held.merge(object, count, Long::sum);
    }

    /// It has so many references of an object less; where it has not so many, nothing changes.
    public synchronized void release(UserObject object, long count) {
        if (held.getOrDefault(object, 0L) >= count) {
            held.merge(object, -count, Long::sum);
            object.release(count);
        }
    }

    /// It is used no more: it lets go of all that it holds, and so do the graphs in it.
    public synchronized void releaseAll() {
        List.copyOf(held.entrySet()).forEach(each -> release(each.getKey(), each.getValue()));
        for (Node node : nodes) {
            node.work.graphs().forEach(Graph::releaseAll);
        }
    }

    private boolean hasOneInstance() {
        return nodes().stream().map(Node::work).anyMatch(Graph::limitsInstances);
    }

    private static boolean limitsInstances(Work work) {
        return work.kind().limitsInstances()
                || work.graphs().stream().anyMatch(Graph::hasOneInstance);
    }

    /// Refuses a graph that can be neither in another nor copied.
    ///
    /// @throws CudaException where it allocates, frees or decides by a condition
    public void requireCopyable() {
        refuseIf(hasOneInstance(), ErrorCode.NOT_SUPPORTED);
    }

    /// An instance of it is made.
    ///
    /// @throws CudaException where it has one already and cannot have two
    public synchronized void instantiated() {
        if (hasOneInstance()) {
            refuseIf(isInstantiated, ErrorCode.NOT_SUPPORTED);
            isInstantiated = true;
        }
    }

    /// An instance of it is destroyed.
    public synchronized void instanceDestroyed() {
        isInstantiated = false;
    }

    /// Refuses a graph that cannot be launched: nodes wait for one another in a circle, or there is
    /// one that no condition can decide about.
    ///
    /// @throws CudaException where that is so, in a graph in it, too
    public void requireLaunchable() {
        for (Node node : ordered()) {
            for (Graph inner : node.work.graphs()) {
                inner.requireLaunchable();
                if (node.work instanceof Work.Conditional) {
                    inner.requireConditional();
                }
            }
        }
    }

    private void requireConditional() {
        for (Node node : nodes()) {
            Kind kind = node.work.kind();
            if (!kind.isConditional()) {
                System.err.println(
                        "heddle: a node %s in the body of a conditional node: only launches, copies,"
                                        .formatted(kind)
                                + " fills, graphs, empty and conditional nodes can be there");
                throw new CudaException(ErrorCode.INVALID_VALUE);
            }
            if (node.work instanceof Work.Child child) {
                child.graph().requireConditional();
            }
        }
    }

    /// All nodes, in the order in which they were added.
    public synchronized List<Node> nodes() {
        return List.copyOf(nodes);
    }

    /// A copy, and which of its nodes stands for which.
    public synchronized Map<Node, Node> copyInto(Graph copy) {
        held.forEach(
                (object, count) -> {
                    object.retain(count);
                    copy.hold(object, count);
                });
        Map<Node, Node> copies = new HashMap<>();
        for (Node node : nodes) {
            copies.put(node, copy.add(List.of(), own(node.work)));
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
        refuseIf(ordered.size() < nodes.size(), ErrorCode.INVALID_VALUE);
        return ordered;
    }

    /// Does the work of all nodes, in order, with the values of conditions that it begins with.
    public void launch() {
        beginConditions();
        run();
    }

    private void beginConditions() {
        for (Node node : nodes()) {
            if (node.work instanceof Work.Conditional conditional) {
                conditional.condition().begin();
            }
            node.work.graphs().forEach(Graph::beginConditions);
        }
    }

    /// Does the work of all nodes, in order.
    void run() {
        Operation whole = Operation.current();
        BitSet before = whole.upToNow();
        Map<Node, Operation> parts = new HashMap<>();
        for (Node node : ordered()) {
            List<Operation> dependencies =
                    node.dependencies.stream()
                            .map(each -> Objects.requireNonNull(parts.get(each)))
                            .toList();
            Operation part = whole.part(before, dependencies);
            parts.put(node, part);
            if (node.enabled) {
                part.run(node.work);
            }
        }
    }

    /// A copy.
    public Graph copy() {
        Graph copy = new Graph();
        copyInto(copy);
        return copy;
    }

    /// What a node of a copy does: graphs in it are copied with it.
    private static Work own(Work work) {
        return switch (work) {
            case Work.Child child -> new Work.Child(child.graph().copy());
            case Work.Conditional(Condition condition, Condition.Use use, List<Graph> bodies) ->
                    new Work.Conditional(condition, use, bodies.stream().map(Graph::copy).toList());
            case Work.Launching _,
                    Work.Copying _,
                    Work.Filling _,
                    Work.Calling _,
                    Work.OfEvent _,
                    Work.OfWords _,
                    Work.OfMemory _,
                    Work.Plain _ ->
                    work;
        };
    }
}
