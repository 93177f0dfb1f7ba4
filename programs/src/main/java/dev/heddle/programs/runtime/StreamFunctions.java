package dev.heddle.programs.runtime;

import dev.heddle.programs.device.Capture;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Stream;
import dev.heddle.programs.device.Streams;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

/// CUDA Runtime API 6.4, Stream Management.
public final class StreamFunctions {
    private static final int GREATEST_PRIORITY = -5;

    private final Device device;

    public StreamFunctions(Device device) {
        this.device = device;
    }

    /// A stream.
    public void cudaStreamCreate(long into) {
        cudaStreamCreateWithPriority(into, 0, 0);
    }

    /// A stream, perhaps one that does not wait for the legacy default stream.
    public void cudaStreamCreateWithFlags(long into, int flags) {
        cudaStreamCreateWithPriority(into, flags, 0);
    }

    /// The same with a priority: a hint.
    public void cudaStreamCreateWithPriority(long into, int flags, int priority) {
        if (into == 0 || (flags & ~Streams.NON_BLOCKING) != 0) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        int within = Math.clamp(priority, GREATEST_PRIORITY, 0);
        Host.putLong(into, device.streams().create(flags, within).handle());
    }

    /// Forgets a stream once its work is done.
    public void cudaStreamDestroy(long stream) {
        device.streams().destroy(stream);
    }

    /// Waits for a stream.
    public void cudaStreamSynchronize(long stream) {
        device.streams().pending(settled(stream)).join();
        device.requireHealthy();
    }

    /// Whether a stream has nothing to do.
    public int cudaStreamQuery(long stream) {
        boolean done = device.streams().pending(settled(stream)).isDone();
        return done ? ErrorCode.SUCCESS : ErrorCode.NOT_READY;
    }

    /// A stream that is not captured: there is nothing yet to wait for in one that is.
    private Stream settled(long handle) {
        Stream stream = device.streams().of(handle);
        Capture capture = stream.capture();
        if (capture != null) {
            capture.invalidate();
            throw new CudaException(ErrorCode.STREAM_CAPTURE_UNSUPPORTED);
        }
        device.streams().captures().requireSafe();
        return stream;
    }

    /// Lets a stream wait for an event.
    public void cudaStreamWaitEvent(long stream, long event, int flags) {
        EventFunctions.requireKnown(flags);
        Stream waiting = device.streams().of(stream);
        device.events().await(waiting, device.events().of(event));
    }

    /// As it was created.
    public void cudaStreamGetFlags(long stream, long into) {
        Host.putInt(into, device.streams().of(stream).flags());
    }

    /// As it was created.
    public void cudaStreamGetPriority(long stream, long into) {
        Host.putInt(into, device.streams().of(stream).priority());
    }

    /// A number of its own.
    public void cudaStreamGetId(long stream, long into) {
        Host.putLong(into, device.streams().of(stream).handle());
    }

    /// The only device.
    public void cudaStreamGetDevice(long stream, long into) {
        device.streams().of(stream);
        Host.putInt(into, 0);
    }

    /// Managed memory is wherever it is used.
    public void cudaStreamAttachMemAsync(long stream, long address, long bytes, int flags) {
        device.streams().of(stream);
    }

    /// A hint.
    public void cudaStreamSetAttribute(long stream, int attribute, long value) {
        device.streams().of(stream);
    }
}
