package dev.heddle.cuda;

import java.lang.foreign.MemorySegment;

/// Page-locked host memory, which the device's copy engines reach without the host.
public final class PinnedMemory extends Resource {
    private final MemorySegment segment;

    private PinnedMemory(Context context, MemorySegment segment) {
        super(context);
        this.segment = segment;
    }

    @SuppressWarnings("restricted") // native memory and code are what this package is about
    static PinnedMemory allocate(Context context, long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException(
                    "pinned memory of " + bytes + " bytes: at least 1 is needed");
        }
        MemorySegment start = context.readHandle("cuMemAllocHost", bytes);
        return new PinnedMemory(context, start.reinterpret(bytes));
    }

    /// The memory itself; not to be touched once this is closed.
    public MemorySegment segment() {
        requireOpen();
        return segment;
    }

    @Override
    void release() {
        context().call("cuMemFreeHost", segment);
    }
}
