package dev.heddle.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A piece of device memory. Copies without a stream return when the data has arrived.
public final class DeviceMemory extends Resource {
    private static final int HEAP_COPY_ALIGNMENT = 16;

    private final long address;
    private final long bytes;

    private DeviceMemory(Context context, long address, long bytes) {
        super(context);
        this.address = address;
        this.bytes = bytes;
    }

    static DeviceMemory allocate(Context context, long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException(
                    "device memory of " + bytes + " bytes: at least 1 is needed");
        }
        long address = context.readLong("cuMemAlloc", bytes);
        return new DeviceMemory(context, address, bytes);
    }

    /// The address as kernels see it; a multiple of 256.
    public long address() {
        requireOpen();
        return address;
    }

    /// The size in bytes.
    public long byteSize() {
        return bytes;
    }

    /// Copies all of `source` to the start of this memory; it may be on the Java heap.
    public void copyFrom(MemorySegment source) {
        requireFits(source.byteSize());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = source.isNative() ? source : nativeCopy(arena, source);
            call("cuMemcpyHtoD", address, host, source.byteSize());
        }
    }

    /// Copies all of `source` to the start of this memory.
    public void copyFrom(byte[] source) {
        copyFrom(MemorySegment.ofArray(source));
    }

    /// Fills all of `target` from the start of this memory; it may be on the Java heap.
    public void copyTo(MemorySegment target) {
        requireFits(target.byteSize());
        try (Arena arena = Arena.ofConfined()) {
            long size = target.byteSize();
            MemorySegment host =
                    target.isNative()
                            ? target
                            : arena.allocate(Math.max(1, size), HEAP_COPY_ALIGNMENT);
            call("cuMemcpyDtoH", host, address, size);
            if (!target.isNative()) {
                MemorySegment.copy(host, 0, target, 0, size);
            }
        }
    }

    /// The whole content, copied to the Java heap.
    public byte[] toByteArray() {
        byte[] content = new byte[Math.toIntExact(bytes)];
        copyTo(MemorySegment.ofArray(content));
        return content;
    }

    /// Enqueues a copy from native memory, which must stay as it is until the stream has passed
    /// it. Only from [PinnedMemory] does it run beside the host's work.
    public void copyFromAsync(MemorySegment source, Stream stream) {
        requireNative(source);
        requireFits(source.byteSize());
        stream.requireOpen();
        call("cuMemcpyHtoDAsync", address, source, source.byteSize(), stream.handle());
    }

    /// Enqueues a copy to native memory, valid once the stream has passed it.
    public void copyToAsync(MemorySegment target, Stream stream) {
        requireNative(target);
        requireFits(target.byteSize());
        stream.requireOpen();
        call("cuMemcpyDtoHAsync", target, address, target.byteSize(), stream.handle());
    }

    /// Enqueues, on the default stream, a fill with one byte.
    public void fill(byte value) {
        call("cuMemsetD8Async", address, value, bytes, context().defaultStream().handle());
    }

    /// Enqueues, on the default stream, a fill of every whole 32-bit word with one value.
    public void fillWords(int value) {
        long words = bytes / Integer.BYTES;
        call("cuMemsetD32Async", address, value, words, context().defaultStream().handle());
    }

    private static MemorySegment nativeCopy(Arena arena, MemorySegment source) {
        return arena.allocate(Math.max(1, source.byteSize()), HEAP_COPY_ALIGNMENT).copyFrom(source);
    }

    private static void requireNative(MemorySegment segment) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException(
                    "an asynchronous copy needs native memory, found an array on the Java heap");
        }
    }

    private void requireFits(long size) {
        if (size > bytes) {
            throw new IllegalArgumentException(
                    "a copy of " + size + " bytes and device memory of " + bytes + " bytes");
        }
    }

    @Override
    void release() {
        context().call("cuMemFree", address);
    }
}
