package dev.heddle.programs.runtime;

import dev.heddle.programs.device.Capture;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Graph;
import dev.heddle.programs.device.Graph.Kind;
import dev.heddle.programs.device.Graph.Node;
import dev.heddle.programs.device.Stream;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.EntryPoints.AlwaysAnswers;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// CUDA Runtime API 6.30, Graph Management, and the capture of streams.
public final class GraphFunctions {
    private final Device device;
    private final LaunchFunctions launches;
    private final CopyFunctions copies;
    private final Map<Long, Object> objects = new HashMap<>();
    private final Map<Object, Long> handles = new HashMap<>();
    private long next = 0x8000_0000L;

    public GraphFunctions(Device device, LaunchFunctions launches, CopyFunctions copies) {
        this.device = device;
        this.launches = launches;
        this.copies = copies;
    }

    /// A graph ready to be launched, and which of its nodes stands for which of the original.
    private record Executable(Graph graph, Map<Node, Node> copies) {}

    private synchronized long handle(Object object) {
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
        if (!type.isInstance(object)) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        return type.cast(object);
    }

    private synchronized void forget(long handle, Class<?> type) {
        of(handle, type);
        handles.remove(objects.remove(handle));
    }

    // Capture.

    /// Begins to capture a stream.
    public void cudaStreamBeginCapture(long stream, int mode) {
        Capture.Mode known = Capture.Mode.of(mode);
        device.streams().capture(device.streams().of(stream), known);
    }

    /// Gives this thread another mode, and tells which it had.
    public void cudaThreadExchangeStreamCaptureMode(long mode) {
        Capture.Mode wanted = Capture.Mode.of(Host.getInt(mode));
        Host.putInt(mode, device.streams().captures().exchange(wanted).ordinal());
    }

    /// Ends the capture: what was captured is a graph.
    public void cudaStreamEndCapture(long stream, long into) {
        Host.putLong(into, 0);
        Graph graph = device.streams().captures().end(device.streams().of(stream));
        Host.putLong(into, handle(graph));
    }

    private static int status(Stream stream) {
        Capture capture = stream.capture();
        return (capture == null ? Capture.Status.NONE : capture.status()).ordinal();
    }

    /// Whether a stream is captured.
    public void cudaStreamIsCapturing(long stream, long into) {
        Host.putInt(into, status(device.streams().of(stream)));
    }

    /// The same, with the graph as it has grown so far.
    public void cudaStreamGetCaptureInfo(
            long stream,
            long status,
            long id,
            long graph,
            long dependencies,
            long edges,
            long count) {
        Stream captured = device.streams().of(stream);
        Capture capture = captured.capture();
        Host.putInt(status, status(captured));
        if (capture != null && id != 0) {
            Host.putLong(id, handle(capture.graph()));
        }
        if (capture != null && graph != 0) {
            Host.putLong(graph, handle(capture.graph()));
        }
    }

    // Building.

    /// An empty graph.
    public void cudaGraphCreate(long into, int flags) {
        if (into == 0 || flags != 0) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        Host.putLong(into, handle(new Graph()));
    }

    /// Forgets a graph.
    @AlwaysAnswers
    public void cudaGraphDestroy(long graph) {
        forget(graph, Graph.class);
    }

    /// A copy of a graph.
    public void cudaGraphClone(long into, long graph) {
        Graph copy = new Graph();
        of(graph, Graph.class).copyInto(copy);
        Host.putLong(into, handle(copy));
    }

    private void add(
            long into, long graph, long dependencies, long count, Kind kind, Runnable work) {
        List<Node> before = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            before.add(of(Host.getLong(dependencies + 8L * i), Node.class));
        }
        Host.putLong(into, handle(of(graph, Graph.class).add(kind, before, work)));
    }

    /// A launch (`cudaKernelNodeParams`).
    public void cudaGraphAddKernelNode(
            long into, long graph, long dependencies, long count, long parameters) {
        add(into, graph, dependencies, count, Kind.KERNEL, launches.node(parameters));
    }

    /// A copy of a box.
    public void cudaGraphAddMemcpyNode(
            long into, long graph, long dependencies, long count, long parameters) {
        add(into, graph, dependencies, count, Kind.MEMCPY, copies.box(parameters));
    }

    /// A copy of bytes.
    public void cudaGraphAddMemcpyNode1D(
            long into,
            long graph,
            long dependencies,
            long count,
            long to,
            long from,
            long bytes,
            int kind) {
        add(into, graph, dependencies, count, Kind.MEMCPY, copies.line(to, from, bytes, kind));
    }

    /// A fill (`cudaMemsetParams`).
    public void cudaGraphAddMemsetNode(
            long into, long graph, long dependencies, long count, long parameters) {
        add(into, graph, dependencies, count, Kind.MEMSET, copies.filling(parameters));
    }

    /// A call of the host (`cudaHostNodeParams`).
    public void cudaGraphAddHostNode(
            long into, long graph, long dependencies, long count, long parameters) {
        Runnable call =
                LaunchFunctions.call(Host.getLong(parameters), Host.getLong(parameters + 8));
        add(into, graph, dependencies, count, Kind.HOST, call);
    }

    /// Nothing.
    public void cudaGraphAddEmptyNode(long into, long graph, long dependencies, long count) {
        add(into, graph, dependencies, count, Kind.EMPTY, () -> {});
    }

    /// Another graph, as it is now.
    public void cudaGraphAddChildGraphNode(
            long into, long graph, long dependencies, long count, long child) {
        Graph copy = new Graph();
        of(child, Graph.class).copyInto(copy);
        add(into, graph, dependencies, count, Kind.GRAPH, copy::run);
    }

    /// Takes a node out of its graph, and nothing waits for it any more.
    public void cudaGraphDestroyNode(long node) {
        of(node, Node.class).remove();
        forget(node, Node.class);
    }

    /// Lets nodes wait for others.
    public void cudaGraphAddDependencies(long graph, long from, long to, long edges, long count) {
        for (int i = 0; i < count; i++) {
            of(graph, Graph.class)
                    .order(
                            of(Host.getLong(from + 8L * i), Node.class),
                            of(Host.getLong(to + 8L * i), Node.class));
        }
    }

    /// The nodes of a graph, or how many there are.
    public void cudaGraphGetNodes(long graph, long into, long count) {
        write(of(graph, Graph.class).nodes(), into, count);
    }

    /// The nodes that wait for no other.
    public void cudaGraphGetRootNodes(long graph, long into, long count) {
        List<Node> roots =
                of(graph, Graph.class).nodes().stream()
                        .filter(node -> node.dependencies().isEmpty())
                        .toList();
        write(roots, into, count);
    }

    private void write(List<Node> nodes, long into, long count) {
        if (into != 0) {
            for (int i = 0; i < Math.min(nodes.size(), Host.getLong(count)); i++) {
                Host.putLong(into + 8L * i, handle(nodes.get(i)));
            }
        }
        Host.putLong(count, nodes.size());
    }

    /// What a node is.
    public void cudaGraphNodeGetType(long node, long into) {
        Host.putInt(into, of(node, Node.class).kind().ordinal());
    }

    /// Replaces a launch.
    public void cudaGraphKernelNodeSetParams(long node, long parameters) {
        of(node, Node.class).replace(launches.node(parameters));
    }

    // Running.

    /// Makes a graph ready.
    public void cudaGraphInstantiate(long into, long graph, long flags) {
        Graph copy = new Graph();
        Map<Node, Node> nodes = of(graph, Graph.class).copyInto(copy);
        copy.ordered();
        Host.putLong(into, handle(new Executable(copy, nodes)));
    }

    /// The same.
    public void cudaGraphInstantiateWithFlags(long into, long graph, long flags) {
        cudaGraphInstantiate(into, graph, flags);
    }

    /// A hint.
    public void cudaGraphUpload(long executable, long stream) {
        of(executable, Executable.class);
    }

    /// Runs a graph behind the work of a stream.
    public void cudaGraphLaunch(long executable, long stream) {
        Graph graph = of(executable, Executable.class).graph;
        device.submit(device.streams().of(stream), Kind.GRAPH, graph::run);
    }

    /// Forgets what was made ready.
    @AlwaysAnswers
    public void cudaGraphExecDestroy(long executable) {
        forget(executable, Executable.class);
    }

    private Node copy(long executable, long node) {
        Node copy = of(executable, Executable.class).copies.get(of(node, Node.class));
        if (copy == null) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        return copy;
    }

    /// Replaces a launch in what was made ready.
    public void cudaGraphExecKernelNodeSetParams(long executable, long node, long parameters) {
        copy(executable, node).replace(launches.node(parameters));
    }

    /// Replaces a copy in what was made ready.
    public void cudaGraphExecMemcpyNodeSetParams(long executable, long node, long parameters) {
        copy(executable, node).replace(copies.box(parameters));
    }

    /// Replaces a copy of bytes in what was made ready.
    public void cudaGraphExecMemcpyNodeSetParams1D(
            long executable, long node, long to, long from, long bytes, int kind) {
        copy(executable, node).replace(copies.line(to, from, bytes, kind));
    }

    /// Replaces a fill in what was made ready.
    public void cudaGraphExecMemsetNodeSetParams(long executable, long node, long parameters) {
        copy(executable, node).replace(copies.filling(parameters));
    }

    /// Replaces a call of the host in what was made ready.
    public void cudaGraphExecHostNodeSetParams(long executable, long node, long parameters) {
        copy(executable, node)
                .replace(
                        LaunchFunctions.call(
                                Host.getLong(parameters), Host.getLong(parameters + 8)));
    }
}
