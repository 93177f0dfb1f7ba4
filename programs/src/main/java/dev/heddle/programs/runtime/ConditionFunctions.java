package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Condition;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Graph;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.stream.Stream;

/// CUDA Runtime API 6.30, Graph Management: graphs in a node that run by a condition.
public final class ConditionFunctions {
    // Of a `cudaConditionalNodeParams`, behind the handle.
    private static final int USE = 8;
    private static final int SIZE = 12;
    private static final int BODIES = 16;

    /// `cudaGraphCondAssignDefault`.
    private static final int ASSIGN_DEFAULT = 1;

    private final Device device;
    private final GraphHandles handles;

    /// Handles of graphs that programs were told, which they may read as long as the node is there.
    private final Map<Work, MemorySegment> bodies =
            Collections.synchronizedMap(new WeakHashMap<>());

    public ConditionFunctions(Device device, GraphHandles handles) {
        this.device = device;
        this.handles = handles;
    }

    /// What decides: a word that kernels set.
    public void cudaGraphConditionalHandleCreate(long into, long graph, int initial, int flags) {
        handles.graph(graph);
        refuseIf(into == 0 || flags != 0 && flags != ASSIGN_DEFAULT, ErrorCode.INVALID_VALUE);
        Condition made = device.memory().condition(initial, flags == ASSIGN_DEFAULT, device);
        handles.keep(made);
        Host.putLong(into, made.address());
    }

    /// The same by the driver, in its only context.
    public void cuGraphConditionalHandleCreate(
            long into, long graph, long context, int initial, int flags) {
        cudaGraphConditionalHandleCreate(into, graph, initial, flags);
        requireContext(context);
    }

    /// Requires the context of a driver's call.
    ///
    /// @throws CudaException where it is null
    public static void requireContext(long context) {
        refuseIf(context == 0, ErrorCode.INVALID_CONTEXT);
    }

    /// The graphs that a `cudaConditionalNodeParams` asks for; their handles are written there.
    Work node(long parameters) {
        int size = Host.getInt(parameters + SIZE);
        Condition.Use use = Condition.Use.of(Host.getInt(parameters + USE), size);
        Condition condition = handles.condition(Host.getLong(parameters));
        List<Graph> graphs = Stream.generate(Graph::new).limit(size).toList();
        Work work = new Work.Conditional(condition, use, graphs);
        MemorySegment told = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, size);
        for (int i = 0; i < size; i++) {
            told.setAtIndex(ValueLayout.JAVA_LONG, i, handles.handle(graphs.get(i)));
        }
        bodies.put(work, told);
        Host.putLong(parameters + BODIES, told.address());
        return work;
    }
}
