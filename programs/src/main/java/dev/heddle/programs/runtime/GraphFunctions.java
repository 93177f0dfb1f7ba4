package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Graph;
import dev.heddle.programs.device.Graph.Kind;
import dev.heddle.programs.device.Graph.Node;
import dev.heddle.programs.device.GraphUpdate;
import dev.heddle.programs.device.Stream;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.EntryPoints.AlwaysAnswers;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/// CUDA Runtime API 6.30, Graph Management: graphs as a whole. What nodes do is in
/// [GraphNodeFunctions].
public final class GraphFunctions {
    private static final int UPDATE_FAILURE = 910;
    private static final int EDGE_BYTES = 8;

    /// `cudaGraphInstantiateFlagAutoFreeOnLaunch`.
    private static final int AUTO_FREE_ON_LAUNCH = 1;

    private final Device device;
    private final GraphHandles handles;

    /// Of each copy of a graph, which of its nodes stands for which.
    private final Map<Graph, Map<Node, Node>> clones =
            Collections.synchronizedMap(new WeakHashMap<>());

    public GraphFunctions(Device device, GraphHandles handles) {
        this.device = device;
        this.handles = handles;
    }

    // Building.

    /// An empty graph.
    public void cudaGraphCreate(long into, int flags) {
        refuseIf(into == 0 || flags != 0, ErrorCode.INVALID_VALUE);
        Host.putLong(into, handles.handle(new Graph()));
    }

    /// Forgets a graph, and lets go of what it holds.
    @AlwaysAnswers
    public void cudaGraphDestroy(long graph) {
        handles.graph(graph).releaseAll();
        handles.forget(graph);
    }

    /// A copy of a graph.
    public void cudaGraphClone(long into, long graph) {
        Graph copy = new Graph();
        Graph original = handles.graph(graph);
        original.requireCopyable();
        Map<Node, Node> nodes = original.copyInto(copy);
        clones.put(copy, nodes);
        Host.putLong(into, handles.handle(copy));
    }

    /// The node of a copy that stands for one of the original.
    public void cudaGraphNodeFindInClone(long into, long node, long clone) {
        Node copy =
                orRefuse(
                        clones.getOrDefault(handles.graph(clone), Map.of()).get(handles.node(node)),
                        ErrorCode.INVALID_VALUE);
        Host.putLong(into, handles.handle(copy));
    }

    /// Nothing.
    public static Work empty() {
        return new Work.Plain(Kind.EMPTY, () -> {});
    }

    /// A graph in another, as it is now.
    public Work child(long graph) {
        return child(handles.graph(graph));
    }

    static Work child(Graph graph) {
        graph.requireCopyable();
        return new Work.Child(graph.copy());
    }

    /// Takes a node out of its graph, and nothing waits for it any more.
    public void cudaGraphDestroyNode(long node) {
        handles.node(node).remove();
        handles.forget(node);
    }

    /// Lets nodes wait for others.
    public void cudaGraphAddDependencies(long graph, long from, long to, long edges, long count) {
        for (int i = 0; i < count; i++) {
            handles.graph(graph)
                    .order(
                            handles.node(Host.getLong(from + 8L * i)),
                            handles.node(Host.getLong(to + 8L * i)));
        }
    }

    /// Lets nodes wait for others no more.
    public void cudaGraphRemoveDependencies(
            long graph, long from, long to, long edges, long count) {
        for (int i = 0; i < count; i++) {
            handles.graph(graph)
                    .separate(
                            handles.node(Host.getLong(from + 8L * i)),
                            handles.node(Host.getLong(to + 8L * i)));
        }
    }

    /// What waits for what: as many pairs as there is room for and how many these are, or how many
    /// there are.
    public void cudaGraphGetEdges(long graph, long from, long to, long edges, long count) {
        List<Node> first = new ArrayList<>();
        List<Node> then = new ArrayList<>();
        for (Node node : handles.graph(graph).nodes()) {
            for (Node before : node.dependencies()) {
                first.add(before);
                then.add(node);
            }
        }
        refuseIf((from == 0) != (to == 0), ErrorCode.INVALID_VALUE);
        if (to != 0) {
            handles.write(first, from, Host.getLong(count));
        }
        write(then, to, edges, count);
    }

    /// Edges without a type or ports.
    private static void plain(long edges, long count) {
        if (edges != 0 && count > 0) {
            Host.at(edges, EDGE_BYTES * count).fill((byte) 0);
        }
    }

    /// What a node waits for.
    public void cudaGraphNodeGetDependencies(long node, long into, long edges, long count) {
        write(handles.node(node).dependencies(), into, edges, count);
    }

    /// What waits for a node.
    public void cudaGraphNodeGetDependentNodes(long node, long into, long edges, long count) {
        Node asked = handles.node(node);
        List<Node> waiting =
                asked.graph().nodes().stream()
                        .filter(each -> each.dependencies().contains(asked))
                        .toList();
        write(waiting, into, edges, count);
    }

    private void write(List<Node> nodes, long into, long edges, long count) {
        long told = into == 0 ? nodes.size() : handles.write(nodes, into, Host.getLong(count));
        Host.putLong(count, told);
        plain(edges, into == 0 ? 0 : told);
    }

    /// The nodes of a graph, or how many there are.
    public void cudaGraphGetNodes(long graph, long into, long count) {
        write(handles.graph(graph).nodes(), into, 0, count);
    }

    /// The nodes that wait for no other.
    public void cudaGraphGetRootNodes(long graph, long into, long count) {
        List<Node> roots =
                handles.graph(graph).nodes().stream()
                        .filter(node -> node.dependencies().isEmpty())
                        .toList();
        write(roots, into, 0, count);
    }

    /// What a node is.
    public void cudaGraphNodeGetType(long node, long into) {
        Host.putInt(into, handles.node(node).work().kind().ordinal());
    }

    // Running.

    /// Makes a graph ready.
    public void cudaGraphInstantiate(long into, long graph, long flags) {
        Graph original = handles.graph(graph);
        Graph copy = new Graph();
        Map<Node, Node> nodes = original.copyInto(copy);
        copy.requireLaunchable();
        original.instantiated();
        Host.putLong(
                into, handles.handle(new GraphHandles.Executable(original, copy, nodes, flags)));
    }

    /// The same (`cudaGraphInstantiateParams`), with what went wrong: nothing.
    public void cudaGraphInstantiateWithParams(long into, long graph, long parameters) {
        cudaGraphInstantiate(into, graph, Host.getLong(parameters));
        Host.putLong(parameters + 16, 0);
        Host.putInt(parameters + 24, 0);
    }

    /// As it was made ready.
    public void cudaGraphExecGetFlags(long executable, long into) {
        Host.putLong(into, handles.executable(executable).flags());
    }

    /// Takes over what the nodes of a graph do that has the same nodes
    /// (`cudaGraphExecUpdateResultInfo`).
    public void cudaGraphExecUpdate(long executable, long graph, long into) {
        GraphUpdate.Difference difference = update(executable, graph, false);
        Host.putInt(into, difference == null ? 0 : difference.reason());
        Host.putLong(into + 8, handle(difference == null ? null : difference.node()));
        Host.putLong(into + 16, handle(difference == null ? null : difference.from()));
        refuseIf(difference != null, UPDATE_FAILURE);
    }

    /// The same as CUDA 11 had it, with a node and a result of their own.
    public void cuGraphExecUpdate(long executable, long graph, long node, long result) {
        GraphUpdate.Difference difference = update(executable, graph, true);
        Host.putInt(result, difference == null ? 0 : difference.reason());
        Host.putLongIfAsked(node, handle(difference == null ? null : difference.node()));
        refuseIf(difference != null, UPDATE_FAILURE);
    }

    private GraphUpdate.@Nullable Difference update(long executable, long graph, boolean asAdded) {
        return new GraphUpdate(device.copies()::mayReplace, asAdded)
                .run(handles.executable(executable).graph(), handles.graph(graph));
    }

    private long handle(@Nullable Node node) {
        return node == null ? 0 : handles.handle(node);
    }

    /// Writes a graph for Graphviz; the flags ask for more than is told.
    public void cudaGraphDebugDotPrint(long graph, long path, int flags) {
        StringBuilder text = new StringBuilder("digraph heddle {\n");
        List<Node> nodes = handles.graph(graph).nodes();
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            text.append("  n%d [label=\"%s\"]\n".formatted(i, node.work().kind()));
            for (Node before : node.dependencies()) {
                text.append("  n%d -> n%d\n".formatted(nodes.indexOf(before), i));
            }
        }
        try {
            Files.writeString(Path.of(Host.text(path)), text.append("}\n"));
        } catch (IOException _) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
    }

    /// A hint.
    public void cudaGraphUpload(long executable, long stream) {
        handles.executable(executable);
    }

    /// Runs a graph behind the work of a stream.
    public void cudaGraphLaunch(long executable, long stream) {
        GraphHandles.Executable made = handles.executable(executable);
        Stream order = device.streams().of(stream);
        device.memory().ofGraphs().launch(made.graph(), (made.flags() & AUTO_FREE_ON_LAUNCH) != 0);
        device.submit(order, new Work.Child(made.graph()));
    }

    /// Forgets what was made ready, and lets go of what it holds when it runs no more.
    @AlwaysAnswers
    public void cudaGraphExecDestroy(long executable) {
        GraphHandles.Executable ended = handles.executable(executable);
        ended.original().instanceDestroyed();
        device.streams().afterAll(ended.graph()::releaseAll);
        handles.forget(executable);
    }
}
