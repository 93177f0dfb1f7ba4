package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Events;
import dev.heddle.programs.device.Graph;
import dev.heddle.programs.device.Graph.Kind;
import dev.heddle.programs.device.Graph.Node;
import dev.heddle.programs.device.GraphUpdate;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

/// CUDA Runtime API 6.30, Graph Management: what nodes do, as it is given, replaced, and told again
/// by [NodeParameters]. Most functions are calls of these in `aliases.txt`.
public record GraphNodeFunctions(
        Device device,
        LaunchFunctions launches,
        CopyFunctions copies,
        GraphHandles handles,
        ConditionFunctions conditions,
        NodeParameters told) {
    /// Where the parameters of a kind are in a `cudaGraphNodeParams`.
    private static final int UNION = 16;

    /// Where the copy is in a `cudaMemcpyNodeParams`.
    private static final int COPY = 16;

    /// `cudaGraphChildGraphOwnershipMove`.
    private static final int OWNERSHIP_MOVE = 1;

    /// The work that a `cudaGraphNodeParams` describes.
    public Work any(long parameters) {
        int kind = Host.getInt(parameters);
        refuseIf(kind < 0 || kind >= Kind.values().length, ErrorCode.NOT_SUPPORTED);
        long own = parameters + UNION;
        return switch (Kind.values()[kind]) {
            case KERNEL -> launches.launching(own);
            case MEMCPY -> device.copies().work(copies.box(own + COPY));
            case MEMSET -> copies.fillingOf(own);
            case HOST -> calling(own);
            case GRAPH -> {
                Graph child = handles.graph(Host.getLong(own));
                boolean isMoved = Host.getInt(own + Long.BYTES) == OWNERSHIP_MOVE;
                yield isMoved ? new Work.Child(child) : GraphFunctions.child(child);
            }
            case EMPTY -> GraphFunctions.empty();
            case WAIT_EVENT -> waiting(Host.getLong(own));
            case EVENT_RECORD -> recording(Host.getLong(own));
            case MEM_ALLOC -> told.allocation(own);
            case MEM_FREE -> device.memory().freeing(Host.getLong(own));
            case CONDITIONAL -> conditions.node(own);
            case SEMAPHORE_SIGNAL, SEMAPHORE_WAIT, BATCH_MEM_OP ->
                    throw new CudaException(ErrorCode.NOT_SUPPORTED);
        };
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

    /// Replaces a copy in what was made ready: between the same kinds of memory.
    public void replaceCopy(long executable, long node, Work copy) {
        Node changed = handles.copy(executable, node);
        refuseIf(!device.copies().mayReplace(changed.work(), copy), ErrorCode.INVALID_VALUE);
        changed.replace(copy);
    }

    /// What a `cudaHostNodeParams` calls.
    public Work calling(long parameters) {
        return LaunchFunctions.work(device, Host.getLong(parameters), Host.getLong(parameters + 8));
    }

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
                || new GraphUpdate(device.copies()::mayReplace, false).run(child.graph(), other)
                        != null) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
    }

    /// Records an event.
    public Work recording(long event) {
        return Events.recording(device.events().of(event), event);
    }

    /// Waits for an event.
    public Work waiting(long event) {
        return device.events().waiting(device.events().of(event), event);
    }
}
