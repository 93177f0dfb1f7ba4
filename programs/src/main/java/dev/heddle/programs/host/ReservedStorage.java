package dev.heddle.programs.host;

import dev.heddle.vm.memory.Storage;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Device memory where the process reserved it: at the addresses that kernels use. The system gives
/// pages when they are first touched, and takes back those of large buffers that were freed.
public final class ReservedStorage implements Storage {
    private static final long PAGE = 4096;
    private static final long LARGE = 1 << 20;
    private static final int DONT_NEED = 4;

    private final MemorySegment bytes;
    private final MemorySegment marks;
    private final MemorySegment wholeBlocks;
    private final MethodHandle advise;

    @SuppressWarnings("restricted") // memory that C reserved
    public ReservedStorage(MemorySegment bytes, MemorySegment marks, MemorySegment wholeBlocks) {
        this.bytes = bytes;
        this.marks = marks;
        this.wholeBlocks = wholeBlocks;
        Linker linker = Linker.nativeLinker();
        advise =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("madvise"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT));
    }

    @Override
    public MemorySegment bytes() {
        return bytes;
    }

    @Override
    public MemorySegment marks() {
        return marks;
    }

    @Override
    public MemorySegment wholeBlocks() {
        return wholeBlocks;
    }

    @Override
    public void reserve(long wanted, long used) {
        if (wanted > bytes.byteSize()) {
            throw new IllegalArgumentException(
                    "%d bytes of device memory: the process has %d"
                            .formatted(wanted, bytes.byteSize()));
        }
    }

    /// What the system gives, and [#release] takes back in pages, holds zeros.
    @Override
    public void clear(long offset, long count) {}

    @Override
    public void release(long offset, long count) {
        discard(marks, offset, count);
        if (count >= LARGE) {
            discard(bytes, offset, count);
        }
    }

    private void discard(MemorySegment memory, long offset, long count) {
        long first = (offset + PAGE - 1) / PAGE * PAGE;
        long last = (offset + count) / PAGE * PAGE;
        if (last <= first || !giveBack(memory.address() + first, last - first)) {
            memory.asSlice(offset, count).fill((byte) 0);
            return;
        }
        memory.asSlice(offset, first - offset).fill((byte) 0);
        memory.asSlice(last, offset + count - last).fill((byte) 0);
    }

    private boolean giveBack(long address, long count) {
        try {
            return (int) advise.invokeExact(address, count, DONT_NEED) == 0;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {}
}
