package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Events;
import dev.heddle.programs.device.Graph;
import dev.heddle.programs.device.Graph.Kind;
import dev.heddle.programs.device.Graph.Node;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

/// CUDA Runtime API 6.30, Graph Management: what nodes do, as it is given, replaced, and told again
/// by [NodeParameters].
public final class GraphNodeFunctions {
    /// Where the parameters of a kind are in a `cudaGraphNodeParams`.
    private static final int UNION = 16;

    /// Where the copy is in a `cudaMemcpyNodeParams`.
    private static final int COPY = 16;

    /// `cudaGraphChildGraphOwnershipMove`.
    private static final int OWNERSHIP_MOVE = 1;

    private final Device device;
    private final LaunchFunctions launches;
    private final CopyFunctions copies;
    private final GraphHandles handles;
    private final ConditionFunctions conditions;
    private final NodeParameters told;

    public GraphNodeFunctions(
            Device device,
            LaunchFunctions launches,
            CopyFunctions copies,
            GraphHandles handles,
            ConditionFunctions conditions) {
        this.device = device;
        this.launches = launches;
        this.copies = copies;
        this.handles = handles;
        this.conditions = conditions;
        told = new NodeParameters(device);
    }

    // Any kind.

    /// The work that a `cudaGraphNodeParams` describes.
    public Work any(long parameters) {
        int kind = Host.getInt(parameters);
        refuseIf(kind < 0 || kind >= Kind.values().length, ErrorCode.NOT_SUPPORTED);
        long own = parameters + UNION;
        return switch (Kind.values()[kind]) {
            case KERNEL -> launches.node(own);
            case MEMCPY -> copies.box(own + COPY);
            case MEMSET -> copies.filling(own);
            case HOST -> call(own);
            case GRAPH -> {
                Graph child = handles.graph(Host.getLong(own));
                boolean isMoved = Host.getInt(own + Long.BYTES) == OWNERSHIP_MOVE;
                yield isMoved ? new Work.Child(child) : GraphFunctions.child(child);
            }
            case EMPTY -> new Work.Plain(Kind.EMPTY, () -> {});
            case WAIT_EVENT -> waiting(Host.getLong(own));
            case EVENT_RECORD -> recording(Host.getLong(own));
            case MEM_ALLOC -> told.allocation(own);
            case MEM_FREE -> device.memory().freeing(Host.getLong(own));
            case CONDITIONAL -> conditions.node(own);
            case SEMAPHORE_SIGNAL, SEMAPHORE_WAIT, BATCH_MEM_OP ->
                    throw new CudaException(ErrorCode.NOT_SUPPORTED);
        };
    }

    /// A node of any kind.
    public void cudaGraphAddNode(
            long into, long graph, long dependencies, long edges, long count, long parameters) {
        handles.add(into, graph, dependencies, count, any(parameters));
    }

    /// Replaces what a node does.
    public void cudaGraphNodeSetParams(long node, long parameters) {
        handles.replace(node, any(parameters));
    }

    /// Replaces what a node does in what was made ready.
    public void cudaGraphExecNodeSetParams(long executable, long node, long parameters) {
        handles.copy(executable, node).replace(any(parameters));
    }

    /// Lets a launch, copy or fill do nothing in what was made ready, or its work again.
    public void cudaGraphNodeSetEnabled(long executable, long node, int enabled) {
        switchable(executable, node).enable(enabled != 0);
    }

    /// Whether it does anything.
    public void cudaGraphNodeGetEnabled(long executable, long node, long into) {
        Host.putInt(into, switchable(executable, node).isEnabled() ? 1 : 0);
    }

    private Node switchable(long executable, long node) {
        Node copy = handles.copy(executable, node);
        refuseIf(copy.work().kind().ordinal() > Kind.MEMSET.ordinal(), ErrorCode.INVALID_VALUE);
        return copy;
    }

    // Launches (`cudaKernelNodeParams`).

    /// A launch.
    public void cudaGraphAddKernelNode(
            long into, long graph, long dependencies, long count, long parameters) {
        handles.add(into, graph, dependencies, count, launches.node(parameters));
    }

    /// Tells a launch.
    public void cudaGraphKernelNodeGetParams(long node, long into) {
        told.launch(handles.node(node).work(), into);
    }

    /// Replaces a launch.
    public void cudaGraphKernelNodeSetParams(long node, long parameters) {
        handles.replace(node, launches.node(parameters));
    }

    /// Replaces a launch in what was made ready.
    public void cudaGraphExecKernelNodeSetParams(long executable, long node, long parameters) {
        handles.copy(executable, node).replace(launches.node(parameters));
    }

    /// Tells an attribute of a launch.
    public void cudaGraphKernelNodeGetAttribute(long node, int attribute, long into) {
        told.attribute(handles.node(node).work(), attribute, into);
    }

    /// Gives a launch an attribute.
    public void cudaGraphKernelNodeSetAttribute(long node, int attribute, long value) {
        Node changed = handles.node(node);
        changed.replace(told.with(changed.work(), attribute, value));
    }

    /// Gives a launch the attributes of another.
    public void cudaGraphKernelNodeCopyAttributes(long from, long to) {
        Node changed = handles.node(to);
        changed.replace(told.like(handles.node(from).work(), changed.work()));
    }

    // Copies (`cudaMemcpy3DParms`, or bytes).

    /// A copy of a box.
    public void cudaGraphAddMemcpyNode(
            long into, long graph, long dependencies, long count, long parameters) {
        handles.add(into, graph, dependencies, count, copies.box(parameters));
    }

    /// Tells a copy.
    public void cudaGraphMemcpyNodeGetParams(long node, long into) {
        told.copy(handles.node(node).work(), into);
    }

    /// Replaces a copy.
    public void cudaGraphMemcpyNodeSetParams(long node, long parameters) {
        handles.replace(node, copies.box(parameters));
    }

    /// Replaces a copy in what was made ready.
    public void cudaGraphExecMemcpyNodeSetParams(long executable, long node, long parameters) {
        replace(executable, node, copies.box(parameters));
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
        handles.add(into, graph, dependencies, count, copies.line(to, from, bytes, kind));
    }

    /// Replaces a copy of bytes.
    public void cudaGraphMemcpyNodeSetParams1D(
            long node, long to, long from, long bytes, int kind) {
        handles.replace(node, copies.line(to, from, bytes, kind));
    }

    /// Replaces a copy of bytes in what was made ready.
    public void cudaGraphExecMemcpyNodeSetParams1D(
            long executable, long node, long to, long from, long bytes, int kind) {
        replace(executable, node, copies.line(to, from, bytes, kind));
    }

    /// A copy into a variable of the device.
    public void cudaGraphAddMemcpyNodeToSymbol(
            long into,
            long graph,
            long dependencies,
            long count,
            long symbol,
            long from,
            long bytes,
            long offset,
            int kind) {
        handles.add(
                into, graph, dependencies, count, copies.into(symbol, offset, from, bytes, kind));
    }

    /// Replaces a copy by one into a variable.
    public void cudaGraphMemcpyNodeSetParamsToSymbol(
            long node, long symbol, long from, long bytes, long offset, int kind) {
        handles.replace(node, copies.into(symbol, offset, from, bytes, kind));
    }

    /// The same in what was made ready.
    public void cudaGraphExecMemcpyNodeSetParamsToSymbol(
            long executable, long node, long symbol, long from, long bytes, long offset, int kind) {
        replace(executable, node, copies.into(symbol, offset, from, bytes, kind));
    }

    /// A copy out of a variable of the device.
    public void cudaGraphAddMemcpyNodeFromSymbol(
            long into,
            long graph,
            long dependencies,
            long count,
            long to,
            long symbol,
            long bytes,
            long offset,
            int kind) {
        handles.add(
                into, graph, dependencies, count, copies.outOf(symbol, offset, to, bytes, kind));
    }

    /// Replaces a copy by one out of a variable.
    public void cudaGraphMemcpyNodeSetParamsFromSymbol(
            long node, long to, long symbol, long bytes, long offset, int kind) {
        handles.replace(node, copies.outOf(symbol, offset, to, bytes, kind));
    }

    /// The same in what was made ready.
    public void cudaGraphExecMemcpyNodeSetParamsFromSymbol(
            long executable, long node, long to, long symbol, long bytes, long offset, int kind) {
        replace(executable, node, copies.outOf(symbol, offset, to, bytes, kind));
    }

    /// Replaces a copy in what was made ready: between the same kinds of memory.
    private void replace(long executable, long node, Work copy) {
        Node changed = handles.copy(executable, node);
        refuseIf(!copies.joinsTheSame(changed.work(), copy), ErrorCode.INVALID_VALUE);
        changed.replace(copy);
    }

    // Fills (`cudaMemsetParams`).

    /// A fill.
    public void cudaGraphAddMemsetNode(
            long into, long graph, long dependencies, long count, long parameters) {
        handles.add(into, graph, dependencies, count, copies.filling(parameters));
    }

    /// Tells a fill.
    public void cudaGraphMemsetNodeGetParams(long node, long into) {
        NodeParameters.fill(handles.node(node).work(), into);
    }

    /// Replaces a fill.
    public void cudaGraphMemsetNodeSetParams(long node, long parameters) {
        handles.replace(node, copies.filling(parameters));
    }

    /// Replaces a fill in what was made ready.
    public void cudaGraphExecMemsetNodeSetParams(long executable, long node, long parameters) {
        handles.copy(executable, node).replace(copies.filling(parameters));
    }

    // Calls of the host (`cudaHostNodeParams`).

    private Work call(long parameters) {
        return LaunchFunctions.work(device, Host.getLong(parameters), Host.getLong(parameters + 8));
    }

    /// A call of the host.
    public void cudaGraphAddHostNode(
            long into, long graph, long dependencies, long count, long parameters) {
        handles.add(into, graph, dependencies, count, call(parameters));
    }

    /// Tells a call of the host.
    public void cudaGraphHostNodeGetParams(long node, long into) {
        NodeParameters.call(handles.node(node).work(), into);
    }

    /// Replaces a call of the host.
    public void cudaGraphHostNodeSetParams(long node, long parameters) {
        handles.replace(node, call(parameters));
    }

    /// Replaces a call of the host in what was made ready.
    public void cudaGraphExecHostNodeSetParams(long executable, long node, long parameters) {
        handles.copy(executable, node).replace(call(parameters));
    }

    // Graphs in graphs.

    /// The graph in a node, which belongs to it.
    public void cudaGraphChildGraphNodeGetGraph(long node, long into) {
        if (!(handles.node(node).work() instanceof Work.Child child)) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        Host.putLong(into, handles.handle(child.graph()));
    }

    /// Replaces what the nodes of a graph in what was made ready do.
    public void cudaGraphExecChildGraphNodeSetParams(long executable, long node, long graph) {
        Graph other = handles.graph(graph);
        if (!(handles.copy(executable, node).work() instanceof Work.Child child)
                || child.graph().update(other) != null) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
    }

    // Events.

    private Work recording(long event) {
        return Events.recording(device.events().of(event), event);
    }

    private Work waiting(long event) {
        return device.events().waiting(device.events().of(event), event);
    }

    /// Records an event.
    public void cudaGraphAddEventRecordNode(
            long into, long graph, long dependencies, long count, long event) {
        handles.add(into, graph, dependencies, count, recording(event));
    }

    /// Waits for an event.
    public void cudaGraphAddEventWaitNode(
            long into, long graph, long dependencies, long count, long event) {
        handles.add(into, graph, dependencies, count, waiting(event));
    }

    /// The event that is recorded.
    public void cudaGraphEventRecordNodeGetEvent(long node, long into) {
        NodeParameters.event(handles.node(node).work(), Kind.EVENT_RECORD, into);
    }

    /// The event that is waited for.
    public void cudaGraphEventWaitNodeGetEvent(long node, long into) {
        NodeParameters.event(handles.node(node).work(), Kind.WAIT_EVENT, into);
    }

    /// Records another event.
    public void cudaGraphEventRecordNodeSetEvent(long node, long event) {
        handles.replace(node, recording(event));
    }

    /// Waits for another event.
    public void cudaGraphEventWaitNodeSetEvent(long node, long event) {
        handles.replace(node, waiting(event));
    }

    /// Records another event in what was made ready.
    public void cudaGraphExecEventRecordNodeSetEvent(long executable, long node, long event) {
        handles.copy(executable, node).replace(recording(event));
    }

    /// Waits for another event in what was made ready.
    public void cudaGraphExecEventWaitNodeSetEvent(long executable, long node, long event) {
        handles.copy(executable, node).replace(waiting(event));
    }
}
