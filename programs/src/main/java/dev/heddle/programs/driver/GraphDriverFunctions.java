package dev.heddle.programs.driver;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Graph.Kind;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.runtime.ConditionFunctions;
import dev.heddle.programs.runtime.GraphHandles;
import dev.heddle.programs.runtime.GraphNodeFunctions;

/// CUDA Driver API: nodes of graphs whose parameters are not those of the runtime.
public final class GraphDriverFunctions {
    private static final int KERNEL = 56;
    private static final int CONTEXT = 64;

    /// Where the copy is in a `CUgraphNodeParams`.
    private static final int COPY = 32;

    /// Where the context of a conditional node is in it.
    private static final int CONDITION_CONTEXT = 40;

    private final Device device;
    private final ArrayDriverFunctions boxes;
    private final GraphNodeFunctions nodes;
    private final GraphHandles handles;

    /// Functions on a device.
    public GraphDriverFunctions(
            Device device,
            ArrayDriverFunctions boxes,
            GraphNodeFunctions nodes,
            GraphHandles handles) {
        this.device = device;
        this.boxes = boxes;
        this.nodes = nodes;
        this.handles = handles;
    }

    /// A node of any kind: a copy has parameters of its own, a condition a context.
    public void cuGraphAddNode_v2(
            long into, long graph, long dependencies, long edges, long count, long parameters) {
        Work work =
                Host.getInt(parameters) == Kind.MEMCPY.ordinal()
                        ? device.copies().work(boxes.deep(parameters + COPY))
                        : nodes.any(parameters);
        if (work.kind() == Kind.CONDITIONAL) {
            ConditionFunctions.requireContext(Host.getLong(parameters + CONDITION_CONTEXT));
        }
        handles.add(into, graph, dependencies, count, work);
    }

    /// Tells a launch (`CUDA_KERNEL_NODE_PARAMS`).
    public void cuGraphKernelNodeGetParams_v2(long node, long into) {
        nodes.cudaGraphKernelNodeGetParams(node, into);
        Host.putLong(into + KERNEL, 0);
        Host.putLong(into + CONTEXT, 0);
    }

    /// A copy of a box (`CUDA_MEMCPY3D`).
    public void cuGraphAddMemcpyNode(
            long into, long graph, long dependencies, long count, long parameters, long context) {
        handles.add(into, graph, dependencies, count, device.copies().work(boxes.deep(parameters)));
    }

    /// Replaces a copy.
    public void cuGraphMemcpyNodeSetParams(long node, long parameters) {
        handles.replace(node, device.copies().work(boxes.deep(parameters)));
    }

    /// Replaces a copy in what was made ready.
    public void cuGraphExecMemcpyNodeSetParams(
            long executable, long node, long parameters, long context) {
        handles.copy(executable, node).replace(device.copies().work(boxes.deep(parameters)));
    }
}
