package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Graph;
import dev.heddle.programs.device.Memory;
import dev.heddle.programs.device.Memory.Allocation;
import dev.heddle.programs.device.Memory.Kind;
import dev.heddle.programs.device.RegisteredMemory;
import dev.heddle.programs.device.Stream;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.EntryPoints.AlwaysAnswers;
import dev.heddle.programs.host.EntryPoints.Words;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// CUDA Runtime API 6.11, Memory Management: what allocates and frees; 6.13, unified addressing.
public final class MemoryFunctions {
    /// A `cudaPointerAttributes`, without what CUDA 13 reserves behind it.
    private static final int POINTER_BYTES = 24;

    private static final int ROW = 512;

    private final Device device;

    /// What is to be freed in the order of a stream, and is not yet.
    private final Set<Long> leaving = ConcurrentHashMap.newKeySet();

    public MemoryFunctions(Device device) {
        this.device = device;
    }

    private void allocate(long into, long bytes, Kind kind, int flags) {
        refuseIf(into == 0, ErrorCode.INVALID_VALUE);
        device.streams().captures().requireSafe();
        Host.putLong(into, device.memory().allocate(bytes, kind, flags));
    }

    /// Memory of the device.
    public void cudaMalloc(long into, long bytes) {
        allocate(into, bytes, Kind.DEVICE, 0);
    }

    /// Memory of the device in rows that begin at multiples of 512 bytes.
    public void cudaMallocPitch(long into, long pitch, long width, long height) {
        long row = rounded(width);
        allocate(into, Math.multiplyExact(row, height), Kind.DEVICE, 0);
        Host.putLong(pitch, row);
    }

    private static long rounded(long width) {
        return (width + ROW - 1) / ROW * ROW;
    }

    /// The same in three directions, into a `cudaPitchedPtr`.
    public void cudaMalloc3D(long into, @Words(3) MemorySegment extent) {
        long width = extent.get(ValueLayout.JAVA_LONG, 0);
        long height = extent.get(ValueLayout.JAVA_LONG, 8);
        long depth = extent.get(ValueLayout.JAVA_LONG, 16);
        long row = rounded(width);
        allocate(into, row * height * depth, Kind.DEVICE, 0);
        Host.putLong(into + 8, row);
        Host.putLong(into + 16, width);
        Host.putLong(into + 24, height);
    }

    /// Memory that host and device share.
    public void cudaMallocManaged(long into, long bytes, int flags) {
        refuseIf(flags != 1 && flags != 2, ErrorCode.INVALID_VALUE);
        allocate(into, bytes, Kind.MANAGED, flags);
    }

    /// Page-locked memory of the host.
    public void cudaMallocHost(long into, long bytes) {
        allocate(into, bytes, Kind.HOST, 0);
    }

    /// Page-locked memory of the host; all of it is mapped.
    public void cudaHostAlloc(long into, long bytes, int flags) {
        refuseIf((flags & ~7) != 0, ErrorCode.INVALID_VALUE);
        allocate(into, bytes, Kind.HOST, flags);
    }

    /// Registers memory of the host, so that kernels can reach it at an address of the device.
    public void cudaHostRegister(long address, long bytes, int flags) {
        refuseIf((flags & ~0xf) != 0, ErrorCode.INVALID_VALUE);
        device.registered().add(address, bytes, flags);
    }

    /// Forgets it, once all work is done.
    public void cudaHostUnregister(long address) {
        device.settleStreams();
        device.registered().remove(address);
    }

    /// Frees memory of the device, once all work is done. A device that failed answers its failure;
    /// the memory counts as freed all the same, and so is no leak.
    @AlwaysAnswers
    public void cudaFree(long address) {
        free(address, false);
    }

    /// Frees page-locked memory.
    @AlwaysAnswers
    public void cudaFreeHost(long address) {
        free(address, true);
    }

    private void free(long address, boolean ofHost) {
        if (address != 0) {
            device.awaitStreams();
            Allocation allocation = device.memory().at(address);
            if (ofHost != (allocation != null && allocation.kind().isOfHost())) {
                device.requireHealthy();
                throw new CudaException(ErrorCode.INVALID_VALUE);
            }
            device.memory().free(address);
            device.memory().ofGraphs().freedByHost(address);
        }
        device.requireHealthy();
    }

    /// Frees in the order of a stream.
    public void cudaFreeAsync(long address, long stream) {
        if (address == 0) {
            return;
        }
        Stream order = device.streams().of(stream);
        if (order.capture() != null) {
            device.submit(order, device.memory().freeing(address));
            return;
        }
        Allocation allocation = device.memory().at(address);
        if (allocation == null
                || allocation.buffer().address() != address
                || !leaving.add(address)) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        device.memory().ofGraphs().freedByHost(address);
        Runnable free =
                () -> {
                    leaving.remove(address);
                    device.memory().free(address);
                };
        device.submit(order, new Work.Plain(Graph.Kind.EMPTY, free));
    }

    /// What is free, and all there is; a null pointer asks for nothing.
    public void cudaMemGetInfo(long free, long total) {
        Host.putLongIfAsked(free, device.memory().free());
        Host.putLongIfAsked(total, device.memory().total());
    }

    /// The address at which kernels see page-locked memory: its own, unless it was registered.
    public void cudaHostGetDevicePointer(long into, long host, int flags) {
        Allocation allocation = device.memory().at(host);
        refuseIf(
                flags != 0 || allocation != null && allocation.kind() == Kind.DEVICE,
                ErrorCode.INVALID_VALUE);
        Host.putLong(into, allocation == null ? device.registered().onDevice(host) : host);
    }

    /// The flags of page-locked memory.
    public void cudaHostGetFlags(long into, long host) {
        Allocation allocation = device.memory().at(host);
        RegisteredMemory.Range range = device.registered().at(host);
        if (range != null) {
            Host.putInt(into, range.flags());
        } else if (allocation != null && allocation.kind() == Kind.HOST) {
            Host.putInt(into, allocation.flags());
        } else {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
    }

    /// What a pointer points to.
    public void cudaPointerGetAttributes(long into, long address) {
        Allocation allocation = device.memory().at(address);
        Host.at(into, POINTER_BYTES).fill((byte) 0);
        if (allocation == null) {
            boolean registered = device.registered().at(address) != null;
            Host.putInt(into, registered ? Kind.HOST.type() : 0);
            Host.putInt(into + 4, registered ? 0 : -2);
            Host.putLong(into + 8, registered ? device.registered().onDevice(address) : 0);
            Host.putLong(into + 16, address);
            return;
        }
        Host.putInt(into, allocation.kind().type());
        Host.putLong(into + 8, address);
        Host.putLong(into + 16, allocation.kind() == Memory.Kind.DEVICE ? 0 : address);
    }
}
