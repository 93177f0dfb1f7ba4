package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Capture;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Stream;
import dev.heddle.programs.device.StreamAttributes;
import dev.heddle.programs.device.StreamAttributes.AccessWindow;
import dev.heddle.programs.device.Streams;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

/// CUDA Runtime API 6.4, Stream Management.
public record StreamFunctions(Device device) {
    private static final int GREATEST_PRIORITY = -5;

    // Those of `cudaLaunchAttributeID` that streams have.
    private static final int WINDOW = 1;
    private static final int POLICY = 3;
    private static final int PRIORITY = 8;
    private static final int DOMAINS = 9;
    private static final int DOMAIN = 10;

    /// Automatic, spin, yield, block.
    private static final int POLICIES = 4;

    /// Domains of memory that an H100 has.
    private static final int MOST_DOMAINS = 4;

    /// `cudaAccessPropertyPersisting`.
    private static final int PERSISTING = 2;

    /// The same with a priority: a hint.
    public void cudaStreamCreateWithPriority(long into, int flags, int priority) {
        refuseIf(into == 0 || (flags & ~Streams.NON_BLOCKING) != 0, ErrorCode.INVALID_VALUE);
        int within = Math.clamp(priority, GREATEST_PRIORITY, 0);
        Host.putLong(into, device.streams().create(flags, within).handle());
    }

    /// Forgets a stream once its work is done.
    public void cudaStreamDestroy(long stream) {
        device.streams().destroy(stream);
    }

    /// Waits for a stream.
    public void cudaStreamSynchronize(long stream) {
        device.streams().await(settled(stream));
        device.requireHealthy();
    }

    /// Whether a stream has nothing to do.
    public int cudaStreamQuery(long stream) {
        return device.streams().isIdle(settled(stream)) ? ErrorCode.SUCCESS : ErrorCode.NOT_READY;
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

    /// As it was created, or told since.
    public void cudaStreamGetPriority(long stream, long into) {
        Host.putInt(into, device.streams().of(stream).attributes().priority());
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

    /// Tells a stream an attribute (`cudaLaunchAttributeValue`).
    public void cudaStreamSetAttribute(long stream, int attribute, long value) {
        Stream told = device.streams().of(stream);
        told.setAttributes(changed(told.attributes(), attribute, value));
    }

    private static StreamAttributes changed(StreamAttributes old, int attribute, long value) {
        return switch (attribute) {
            case WINDOW -> {
                float ratio = Host.getFloat(value + 16);
                require(ratio >= 0 && ratio <= 1 && Host.getInt(value + 24) != PERSISTING);
                yield old.withWindow(
                        new AccessWindow(
                                Host.getLong(value),
                                Host.getLong(value + 8),
                                ratio,
                                Host.getLong(value + 20)));
            }
            case POLICY -> {
                int policy = Host.getInt(value);
                require(policy > 0 && policy <= POLICIES);
                yield old.withPolicy(policy);
            }
            case PRIORITY -> old.withPriority(Math.clamp(Host.getInt(value), GREATEST_PRIORITY, 0));
            case DOMAINS -> {
                int domains = Host.getInt(value) & 0xffff;
                require((domains & 0xff) < MOST_DOMAINS && domains >> 8 < MOST_DOMAINS);
                yield old.withDomains(domains);
            }
            case DOMAIN -> {
                int domain = Host.getInt(value);
                require(domain == 0 || domain == 1);
                yield old.withDomain(domain);
            }
            default -> throw new CudaException(ErrorCode.INVALID_VALUE);
        };
    }

    private static void require(boolean right) {
        refuseIf(!right, ErrorCode.INVALID_VALUE);
    }

    /// An attribute, as it was told.
    public void cudaStreamGetAttribute(long stream, int attribute, long into) {
        StreamAttributes told = device.streams().of(stream).attributes();
        switch (attribute) {
            case WINDOW -> {
                Host.putLong(into, told.window().base());
                Host.putLong(into + 8, told.window().bytes());
                Host.putFloat(into + 16, told.window().hitRatio());
                Host.putLong(into + 20, told.window().properties());
            }
            case POLICY -> Host.putInt(into, told.policy());
            case PRIORITY -> Host.putInt(into, told.priority());
            case DOMAINS -> {
                Host.putByte(into, told.domains());
                Host.putByte(into + 1, told.domains() >> 8);
            }
            case DOMAIN -> Host.putInt(into, told.domain());
            default -> throw new CudaException(ErrorCode.INVALID_VALUE);
        }
    }

    /// Tells a stream all that another was told.
    public void cudaStreamCopyAttributes(long to, long from) {
        device.streams().of(to).setAttributes(device.streams().of(from).attributes());
    }
}
