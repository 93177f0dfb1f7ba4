package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Events;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

/// CUDA Runtime API 6.5, Event Management.
public record EventFunctions(Device device) {
    private static final int KNOWN_FLAGS = 7;

    /// `cudaEventRecordExternal`, `cudaEventWaitExternal`.
    private static final int EXTERNAL = 1;

    /// An event.
    public void cudaEventCreateWithFlags(long into, int flags) {
        boolean timed = (flags & Events.DISABLE_TIMING) == 0;
        refuseIf(
                into == 0
                        || (flags & ~KNOWN_FLAGS) != 0
                        || (flags & Events.INTERPROCESS) != 0 && timed,
                ErrorCode.INVALID_VALUE);
        Host.putLong(into, device.events().create(flags));
    }

    /// Forgets an event.
    public void cudaEventDestroy(long event) {
        device.events().destroy(event);
    }

    /// Records an event behind the work of a stream.
    public void cudaEventRecord(long event, long stream) {
        device.events().record(device.events().of(event), device.streams().of(stream));
    }

    /// The same; the flags matter to graphs only.
    public void cudaEventRecordWithFlags(long event, long stream, int flags) {
        requireKnown(flags);
        cudaEventRecord(event, stream);
    }

    static void requireKnown(int flags) {
        refuseIf((flags & ~EXTERNAL) != 0, ErrorCode.INVALID_VALUE);
    }

    /// Waits until a stream has come there.
    public void cudaEventSynchronize(long event) {
        device.events().await(device.events().of(event));
        device.requireHealthy();
    }

    /// Whether a stream has come there.
    public int cudaEventQuery(long event) {
        boolean reached = device.events().isReached(device.events().of(event));
        return reached ? ErrorCode.SUCCESS : ErrorCode.NOT_READY;
    }

    /// Milliseconds between two events.
    public void cudaEventElapsedTime(long into, long start, long stop) {
        refuseIf(into == 0, ErrorCode.INVALID_VALUE);
        Host.putFloat(
                into, Events.milliseconds(device.events().of(start), device.events().of(stop)));
    }
}
