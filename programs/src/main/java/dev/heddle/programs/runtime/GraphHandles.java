package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.orRefuse;

import dev.heddle.programs.device.Condition;
import dev.heddle.programs.device.Graph;
import dev.heddle.programs.device.Graph.Node;
import dev.heddle.programs.device.UserObject;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// By which numbers C knows graphs, their nodes, and what was made ready of them.
public final class GraphHandles {
    private final Map<Long, Object> objects = new HashMap<>();
    private final Map<Object, Long> handles = new HashMap<>();
    private long next = 0x8000_0000L;

    /// A graph ready to be launched, and which of its nodes stands for which of the original.
    record Executable(Graph original, Graph graph, Map<Node, Node> copies, long flags) {
        Node copy(Node original) {
            return orRefuse(copies.get(original), ErrorCode.INVALID_VALUE);
        }
    }

    synchronized long handle(Object object) {
        return handles.computeIfAbsent(
                object,
                made -> {
                    next += 16;
                    objects.put(next, made);
                    return next;
                });
    }

    private synchronized <T> T of(long handle, Class<T> type) {
        Object object = objects.get(handle);
        return orRefuse(
                type.isInstance(object) ? type.cast(object) : null, ErrorCode.INVALID_VALUE);
    }

    Graph graph(long handle) {
        return of(handle, Graph.class);
    }

    /// The node behind a handle.
    public Node node(long handle) {
        return of(handle, Node.class);
    }

    Executable executable(long handle) {
        return of(handle, Executable.class);
    }

    Condition condition(long handle) {
        return of(handle, Condition.class);
    }

    /// Knows a condition by its address.
    synchronized void keep(Condition condition) {
        objects.put(condition.address(), condition);
    }

    UserObject userObject(long handle) {
        return of(handle, UserObject.class);
    }

    /// The node of what was made ready that stands for one of the original.
    public Node copy(long executable, long node) {
        return executable(executable).copy(node(node));
    }

    synchronized void forget(long handle) {
        handles.remove(objects.remove(handle));
    }

    /// So many nodes, by their handles.
    List<Node> nodes(long at, long count) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(node(Host.getLong(at + 8L * i)));
        }
        return nodes;
    }

    /// Writes the handles of nodes into the room for them, null into the rest of it.
    ///
    /// @param into where
    /// @param room for how many
    /// @return how many were written
    long write(List<Node> nodes, long into, long room) {
        for (int i = 0; i < room; i++) {
            Host.putLong(into + 8L * i, i < nodes.size() ? handle(nodes.get(i)) : 0);
        }
        return Math.min(room, nodes.size());
    }

    /// Adds a node to a graph.
    public void add(long into, long graph, long dependencies, long count, Work work) {
        Host.putLong(into, handle(graph(graph).add(nodes(dependencies, count), work)));
    }

    /// What a node does.
    public Work workOf(long node) {
        return node(node).work();
    }

    /// Replaces what a node does.
    public void replace(long node, Work work) {
        node(node).replace(work);
    }

    /// The same of one that was found.
    public static void change(Node node, Work work) {
        node.replace(work);
    }
}
