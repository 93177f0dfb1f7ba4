package dev.heddle.cuda;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/// A device's primary context, retained until closed: modules, memory, streams, events live here.
///
/// Everything made here is closed by its owner, or at the latest by [#close], in the reverse
/// order of its making. A context may be used from any thread, also from several at once; each
/// call makes it current on its thread.
///
/// After a kernel that trapped or read outside its memory, every further call fails with the same
/// error, as the driver keeps it: close the context and leave the process.
public final class Context extends DriverCalls implements AutoCloseable {
    private final Device device;
    private final int deviceHandle;
    private final MemorySegment handle;
    private final Stream defaultStream;
    private final SequencedSet<Resource> open = new LinkedHashSet<>();
    private boolean closed;

    Context(Device device, int deviceHandle, MemorySegment handle) {
        this.device = device;
        this.deviceHandle = deviceHandle;
        this.handle = handle;
        this.defaultStream = Stream.ofDefault(this);
    }

    /// The device of this context.
    public Device device() {
        return device;
    }

    /// The stream that operations without one of their own use; it is never closed.
    public Stream defaultStream() {
        return defaultStream;
    }

    /// Compiles PTX text for the device with the driver's compiler and loads it (about 11 ms for
    /// a small module).
    ///
    /// @throws CudaException if the text does not compile; its log holds the compiler's words
    public CudaModule load(String ptx) {
        return load(ptx, Optimization.FULL);
    }

    /// The same, assembled in this way.
    public CudaModule load(String ptx, Optimization optimization) {
        return adopt(CudaModule.load(this, ptx, optimization));
    }

    /// Allocates device memory, uninitialised.
    ///
    /// @param bytes at least 1
    public DeviceMemory allocate(long bytes) {
        return adopt(DeviceMemory.allocate(this, bytes));
    }

    /// Allocates device memory and copies `content` into it.
    public DeviceMemory allocate(MemorySegment content) {
        DeviceMemory memory = allocate(Math.max(1, content.byteSize()));
        memory.copyFrom(content);
        return memory;
    }

    /// Allocates device memory and copies `content` into it.
    public DeviceMemory allocate(byte[] content) {
        return allocate(MemorySegment.ofArray(content));
    }

    /// Copies all of `source` to a device address, such as that of a module's variable.
    void write(long address, MemorySegment source) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = arena.allocate(Math.max(1, source.byteSize()), 16);
            host.copyFrom(source);
            call("cuMemcpyHtoD", address, host, source.byteSize());
        }
    }

    /// Allocates page-locked host memory, from and to which copies run beside the host's work.
    ///
    /// @param bytes at least 1
    public PinnedMemory allocatePinned(long bytes) {
        return adopt(PinnedMemory.allocate(this, bytes));
    }

    /// Creates a stream that does not wait for the default one.
    public Stream openStream() {
        return adopt(Stream.create(this));
    }

    /// Creates an event with a time stamp.
    public Event openEvent() {
        return adopt(Event.create(this));
    }

    /// Waits until everything enqueued in this context has run.
    ///
    /// @throws CudaException the error of a kernel that failed meanwhile
    public void synchronize() {
        call("cuCtxSynchronize");
    }

    /// Closes what is still open, newest first, and releases the device's primary context. Every
    /// step is tried; the first error is thrown with the later ones suppressed.
    @Override
    public void close() {
        SequencedSet<Resource> left;
        synchronized (this) {
            if (closed) {
                return;
            }
            left = new LinkedHashSet<>(open).reversed();
        }
        DriverException first = null;
        for (Resource resource : left) {
            first = attempt(resource::close, first);
        }
        synchronized (this) {
            closed = true;
        }
        first =
                attempt(
                        () -> device.driver().call("cuDevicePrimaryCtxRelease", deviceHandle),
                        first);
        if (first != null) {
            throw first;
        }
    }

    private static @Nullable DriverException attempt(
            Runnable step, @Nullable DriverException first) {
        try {
            step.run();
        } catch (DriverException e) {
            if (first == null) {
                return e;
            }
            first.addSuppressed(e);
        }
        return first;
    }

    private synchronized <R extends Resource> R adopt(R resource) {
        open.add(resource);
        return resource;
    }

    synchronized void forget(Resource resource) {
        open.remove(resource);
    }

    @Override
    int resultOf(String function, Object... arguments) {
        requireOpen();
        int result = device.driver().resultOf("cuCtxSetCurrent", handle);
        return result == 0 ? device.driver().resultOf(function, arguments) : result;
    }

    @Override
    DriverException failure(String function, int result, String log) {
        return device.driver().failure(function, result, log);
    }

    private synchronized void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the context of " + device.ordinal() + " is closed");
        }
    }
}
