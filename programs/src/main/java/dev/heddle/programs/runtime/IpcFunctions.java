package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.host.EntryPoints.Words;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.host.SharedHandle;

import java.lang.foreign.MemorySegment;

/// CUDA Runtime API 6.1, Device Management: memory and events of other processes.
public record IpcFunctions(Device device) {
    /// `cudaIpcMemLazyEnablePeerAccess`.
    private static final int LAZY_PEERS = 1;

    private static final int WORDS = 8;

    /// A handle of memory for other processes.
    public void cudaIpcGetMemHandle(long into, long address) {
        refuseIf(into == 0, ErrorCode.INVALID_VALUE);
        // Nothing may write to the pages while others take their places.
        device.settleStreams();
        device.shared().handle(address).write(into);
    }

    /// The address of another process's memory.
    public void cudaIpcOpenMemHandle(long into, @Words(WORDS) MemorySegment handle, int flags) {
        refuseIf(into == 0 || flags != LAZY_PEERS, ErrorCode.INVALID_VALUE);
        SharedHandle read = SharedHandle.read(handle, ErrorCode.INVALID_VALUE);
        Host.putLong(into, device.shared().open(read));
    }

    /// Another process's memory is used no more, once it was closed as often as it was opened.
    public void cudaIpcCloseMemHandle(long address) {
        device.settleStreams();
        device.shared().close(address);
    }

    /// A handle of an event for other processes.
    public void cudaIpcGetEventHandle(long into, long event) {
        refuseIf(into == 0, ErrorCode.INVALID_VALUE);
        device.events().share(device.events().of(event), device.memory()).write(into);
    }

    /// Another process's event.
    public void cudaIpcOpenEventHandle(long into, @Words(WORDS) MemorySegment handle) {
        refuseIf(into == 0, ErrorCode.INVALID_VALUE);
        SharedHandle read = SharedHandle.read(handle, ErrorCode.MAP_FAILED);
        refuseIf(read.isOwn(), ErrorCode.INVALID_CONTEXT);
        Host.putLong(into, device.events().open(read, device.memory()));
    }
}
