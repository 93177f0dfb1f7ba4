package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.GraphMemory;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

/// CUDA Runtime API 6.30, Graph Management: memory of graphs.
public record GraphMemoryFunctions(Device device, GraphHandles handles) {
    // cudaGraphMemAttributeType: what is in use is what is reserved
    private static final int USED = 0;
    private static final int MOST_USED = 1;
    private static final int RESERVED = 2;
    private static final int MOST_RESERVED = 3;

    /// Frees.
    public void cudaGraphAddMemFreeNode(
            long into, long graph, long dependencies, long count, long address) {
        handles.add(into, graph, dependencies, count, device.memory().freeing(address));
    }

    /// Tells the address that is freed.
    public void cudaGraphMemFreeNodeGetParams(long node, long into) {
        if (!(handles.node(node).work() instanceof Work.OfMemory free)) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        Host.putLong(into, free.memory().address());
    }

    /// Gives back what graphs have freed.
    public void cudaDeviceGraphMemTrim(int number) {
        DeviceFunctions.require(number);
        device.memory().ofGraphs().trim();
    }

    /// How much graphs have, or most had.
    public void cudaDeviceGetGraphMemAttribute(int number, int attribute, long into) {
        DeviceFunctions.require(number);
        GraphMemory memory = device.memory().ofGraphs();
        Host.putLong(
                into,
                switch (attribute) {
                    case USED, RESERVED -> memory.bytes();
                    case MOST_USED, MOST_RESERVED -> memory.most();
                    default -> throw new CudaException(ErrorCode.INVALID_VALUE);
                });
    }

    /// The most that they had is counted anew.
    public void cudaDeviceSetGraphMemAttribute(int number, int attribute, long value) {
        DeviceFunctions.require(number);
        boolean most = attribute == MOST_USED || attribute == MOST_RESERVED;
        refuseIf(!most || Host.getLong(value) != 0, ErrorCode.INVALID_VALUE);
        device.memory().ofGraphs().forgetMost();
    }
}
