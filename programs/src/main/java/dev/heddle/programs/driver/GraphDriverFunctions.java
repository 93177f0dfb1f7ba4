package dev.heddle.programs.driver;

import dev.heddle.programs.device.Copies;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Graph.Kind;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.runtime.ConditionFunctions;
import dev.heddle.programs.runtime.GraphFunctions;
import dev.heddle.programs.runtime.GraphHandles;
import dev.heddle.programs.runtime.GraphNodeFunctions;
import dev.heddle.programs.runtime.NodeParameters;

/// CUDA Driver API: nodes of graphs whose parameters are not those of the runtime.
public record GraphDriverFunctions(
        Device device,
        ArrayDriverFunctions boxes,
        GraphNodeFunctions nodes,
        GraphHandles handles,
        GraphFunctions graphs,
        StreamMemoryFunctions words,
        NodeParameters told) {
    private static final int KERNEL = 56;
    private static final int CONTEXT = 64;

    /// Where the parameters of a kind are in a `CUgraphNodeParams`.
    private static final int UNION = 16;

    /// Where the copy is in a `CUgraphNodeParams`.
    private static final int COPY = 32;

    /// Where the context of a conditional node is in it.
    private static final int CONDITION_CONTEXT = 40;

    /// What a node does: a copy has parameters of its own, a condition a context.
    public Work anyOfDriver(long parameters) {
        int kind = Host.getInt(parameters);
        Work work =
                kind == Kind.MEMCPY.ordinal()
                        ? device.copies().work(boxes.deepBox(parameters + COPY))
                        : kind == Kind.BATCH_MEM_OP.ordinal()
                                ? words.operations(parameters + UNION)
                                : nodes.any(parameters);
        if (work.kind() == Kind.CONDITIONAL) {
            ConditionFunctions.requireContext(Host.getLong(parameters + CONDITION_CONTEXT));
        }
        return work;
    }

    /// Makes a graph ready; nothing goes wrong that would be told.
    public void cuGraphInstantiate_v2(long into, long graph, long node, long log, long bytes) {
        graphs.cudaGraphInstantiate(into, graph, 0);
        Host.putLongIfAsked(node, 0);
        if (log != 0 && bytes > 0) {
            Host.putByte(log, 0);
        }
    }

    /// Tells a launch (`CUDA_KERNEL_NODE_PARAMS`).
    public void cuGraphKernelNodeGetParams_v2(long node, long into) {
        told.tellLaunch(handles.workOf(node), into);
        Host.putLong(into + KERNEL, 0);
        Host.putLong(into + CONTEXT, 0);
    }

    /// Tells a copy.
    public void cuGraphMemcpyNodeGetParams(long node, long into) {
        if (!(handles.workOf(node) instanceof Work.Copying(Copies.Copy copy, _))) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        boxes.deep(copy, into);
    }

    /// Tells words that are written and waited for (`CUDA_BATCH_MEM_OP_NODE_PARAMS`).
    public void cuGraphBatchMemOpNodeGetParams(long node, long into) {
        if (!(handles.workOf(node) instanceof Work.OfWords of)) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        Host.putLong(into, device.contexts().current());
        StreamMemoryFunctions.write(of, into);
    }
}
