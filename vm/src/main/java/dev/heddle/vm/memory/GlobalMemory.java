package dev.heddle.vm.memory;

import dev.heddle.vm.ir.Addresses;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Global memory: buffers one after the other, with gaps between them that belong to nobody.
///
/// Buffers are allocated before a launch; a kernel's `malloc` takes from a heap set aside at the
/// end. All methods that
/// change the set of buffers are synchronised; reads and writes of bytes are not.
public final class GlobalMemory implements AutoCloseable {
    private static final int ALIGNMENT = 256;
    private static final int GAP = 256;

    private final Arena arena = Arena.ofShared();
    private final long limit;
    private final boolean tracked;
    private final TreeMap<Long, Buffer> live = new TreeMap<>();
    private final TreeMap<Long, Buffer> freed = new TreeMap<>();
    private volatile int frees;
    private MemorySegment segment;
    private byte[] written;
    private long end;

    /// An empty memory.
    ///
    /// @param limit the most bytes it may take
    /// @param tracked whether to remember which bytes were written
    public GlobalMemory(long limit, boolean tracked) {
        this.limit = limit;
        this.tracked = tracked;
        segment = arena.allocate(0);
        written = new byte[0];
    }

    /// Takes a buffer; its bytes are zero and count as never written.
    ///
    /// @throws IllegalArgumentException where the limit would be passed
    public synchronized Buffer allocate(String name, long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("buffer " + name + " of " + bytes + " bytes");
        }
        long start = end;
        long next = start + (Math.max(bytes, 1) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + GAP;
        if (next > limit || next < 0) {
            throw new IllegalArgumentException(
                    "buffer %s of %d bytes passes the memory limit of %d bytes"
                            .formatted(name, bytes, limit));
        }
        if (tracked && next > Integer.MAX_VALUE - 16) {
            throw new IllegalArgumentException(
                    "buffer %s of %d bytes: with checks on, buffers take at most 2 GiB in all"
                            .formatted(name, bytes));
        }
        reserve(next);
        end = next;
        Buffer buffer = new Buffer(name, Addresses.GLOBAL + start, bytes);
        live.put(buffer.address(), buffer);
        return buffer;
    }

    /// Makes room for later allocations without moving.
    public synchronized void reserve(long wanted) {
        long bytes = tracked ? Math.min(wanted, Integer.MAX_VALUE - 16) : wanted;
        if (bytes <= segment.byteSize()) {
            return;
        }
        MemorySegment larger = arena.allocate(Math.max(bytes, end), ALIGNMENT);
        MemorySegment.copy(segment, 0, larger, 0, end);
        segment = larger;
        if (tracked) {
            written = java.util.Arrays.copyOf(written, Math.toIntExact(larger.byteSize()));
        }
    }

    /// Sets aside a heap for `malloc` inside kernels.
    public synchronized void reserveHeap(long bytes) {
        reserve(Math.min(limit, end + bytes));
    }

    /// `malloc` in a kernel: null where the heap is full. Never moves the memory.
    public synchronized @Nullable Buffer allocateOnDevice(long bytes) {
        long next = end + (Math.max(bytes, 1) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + GAP;
        return bytes < 0 || next > segment.byteSize() || next < 0
                ? null
                : allocate("malloc", bytes);
    }

    /// Gives a buffer back; later accesses are errors. Returns whether the address was that of a
    /// live buffer.
    public synchronized boolean free(long address) {
        Buffer buffer = live.remove(address);
        if (buffer != null) {
            freed.put(address, buffer);
            frees++;
        }
        return buffer != null;
    }

    /// How many buffers were given back: what is known of live ones holds as long as it stays.
    public int frees() {
        return frees;
    }

    /// The live buffer that holds an address, or null.
    public synchronized @Nullable Buffer at(long address) {
        return holder(live, address);
    }

    /// The freed buffer that held an address, or null.
    public synchronized @Nullable Buffer freedAt(long address) {
        return holder(freed, address);
    }

    /// The live buffer nearest to an address, or null where there is none.
    public synchronized @Nullable Buffer nearest(long address) {
        Map.Entry<Long, Buffer> below = live.floorEntry(address);
        Map.Entry<Long, Buffer> above = live.ceilingEntry(address);
        if (below == null || above == null) {
            return below != null ? below.getValue() : above != null ? above.getValue() : null;
        }
        return address - below.getValue().end() <= above.getKey() - address
                ? below.getValue()
                : above.getValue();
    }

    private static @Nullable Buffer holder(NavigableMap<Long, Buffer> buffers, long address) {
        Map.Entry<Long, Buffer> entry = buffers.floorEntry(address);
        return entry != null && entry.getValue().holds(address, 1) ? entry.getValue() : null;
    }

    /// The most bytes it may take.
    public long limit() {
        return limit;
    }

    /// All bytes; offset 0 is address [Addresses#GLOBAL].
    public MemorySegment segment() {
        return segment;
    }

    /// One byte per byte of memory, not zero where it was written; empty where the memory is not
    /// tracked.
    public byte[] written() {
        return written;
    }

    /// Copies bytes from the host; they count as written.
    public void write(Buffer buffer, MemorySegment source) {
        if (source.byteSize() > buffer.bytes()) {
            throw new IllegalArgumentException(
                    "%d bytes into buffer %s of %d"
                            .formatted(source.byteSize(), buffer.name(), buffer.bytes()));
        }
        long offset = buffer.address() - Addresses.GLOBAL;
        MemorySegment.copy(source, 0, segment, offset, source.byteSize());
        markWritten(offset, source.byteSize());
    }

    /// Fills a buffer with one byte; it counts as written.
    public void fill(Buffer buffer, byte value) {
        long offset = buffer.address() - Addresses.GLOBAL;
        segment.asSlice(offset, buffer.bytes()).fill(value);
        markWritten(offset, buffer.bytes());
    }

    /// Fills a buffer with a pattern that reads as nothing useful; it counts as never written.
    public void poison(Buffer buffer) {
        segment.asSlice(buffer.address() - Addresses.GLOBAL, buffer.bytes()).fill((byte) 0xcd);
    }

    private void markWritten(long offset, long bytes) {
        if (tracked) {
            java.util.Arrays.fill(written, (int) offset, (int) (offset + bytes), (byte) 1);
        }
    }

    /// A copy of a buffer's bytes.
    public byte[] read(Buffer buffer) {
        return segment.asSlice(buffer.address() - Addresses.GLOBAL, buffer.bytes())
                .toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void close() {
        arena.close();
    }
}
