package dev.heddle.vm.memory;

import dev.heddle.formats.InputException;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.texture.TextureTable;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/// Global memory: buffers one after the other, with gaps between them that belong to nobody.
///
/// The addresses of freed buffers come back only when there are no others left, so that a late
/// access to one is found for long. All methods that change the set of buffers are synchronised;
/// reads and writes of bytes are not.
public final class GlobalMemory implements AutoCloseable {
    /// What words hold that nobody wrote: easily seen, and useful as nothing.
    public static final int POISON_WORD = 0xcdcd_cdcd;

    /// Each of its bytes.
    public static final byte POISON = (byte) POISON_WORD;

    private final Storage storage;
    private final long limit;
    private final boolean tracked;
    private final Buffers live = new Buffers();
    private final Buffers freed = new Buffers();
    private final ModuleMemory modules = new ModuleMemory();
    private final Set<Long> heap = new HashSet<>();
    private final WrittenBlocks blocks;
    private volatile boolean shared;
    private volatile int frees;
    private volatile @Nullable MemorySnapshot snapshot;
    private long end;
    private long heapLimit = 8 << 20;
    private long heapUsed;
    private final TextureTable textures = new TextureTable();

    /// An empty memory of its own.
    ///
    /// @param limit the most bytes it may take
    /// @param tracked whether to remember which bytes were written
    public GlobalMemory(long limit, boolean tracked) {
        this(limit, tracked, Storage.allocated(tracked));
    }

    /// An empty memory in a storage, which it closes.
    ///
    /// @param limit the most addresses it may take, in bytes
    /// @param tracked whether to remember which bytes were written
    public GlobalMemory(long limit, boolean tracked, Storage storage) {
        this.limit = limit;
        this.tracked = tracked;
        this.storage = storage;
        blocks = new WrittenBlocks(storage, tracked);
    }

    /// The textures and surfaces beside the buffers.
    public TextureTable textures() {
        return textures;
    }

    /// Takes a buffer; its bytes count as never written.
    ///
    /// @throws IllegalArgumentException where the limit would be passed
    public Buffer allocate(String name, long bytes) {
        return orThrow(allocateOrNull(name, bytes), name, bytes);
    }

    /// Takes a buffer with its first contents.
    ///
    /// @param contents its first bytes, which count as written, before zeros; null for a buffer of
    /// bytes that nobody wrote
    /// @throws IllegalArgumentException where the limit would be passed
    public Buffer allocate(String name, long bytes, byte @Nullable [] contents) {
        long overwritten = contents == null ? bytes : Math.min(bytes, contents.length);
        Buffer buffer = orThrow(allocateOrNull(name, bytes, overwritten), name, bytes);
        if (contents == null) {
            part(segment(), buffer).fill(POISON);
        } else {
            write(buffer, MemorySegment.ofArray(contents));
        }
        return buffer;
    }

    private Buffer orThrow(@Nullable Buffer buffer, String name, long bytes) {
        if (bytes < 0) {
            throw new InputException("buffer " + name + " of " + bytes + " bytes");
        }
        if (buffer == null) {
            throw new InputException(
                    "buffer %s of %d bytes passes the memory limit of %d bytes"
                            .formatted(name, bytes, limit));
        }
        return buffer;
    }

    /// Takes a buffer; null where the limit would be passed. Its bytes count as never written.
    public @Nullable Buffer allocateOrNull(String name, long bytes) {
        return allocateOrNull(name, bytes, 0);
    }

    /// @param overwritten how many of its first bytes need not be zero
    private synchronized @Nullable Buffer allocateOrNull(
            String name, long bytes, long overwritten) {
        long taken = Buffers.taken(bytes);
        if (bytes < 0 || taken < 0) {
            return null;
        }
        long start = taken <= limit - end ? end : freed.takeAddresses(taken) - Addresses.GLOBAL;
        if (start < 0) {
            return null;
        }
        boolean isNew = start == end;
        end = Math.max(end, start + taken);
        storage.reserve(end, start);
        if (isNew) {
            storage.clear(start + overwritten, taken - overwritten);
        }
        Buffer buffer = new Buffer(name, Addresses.GLOBAL + start, bytes);
        live.add(buffer);
        return buffer;
    }

    /// Takes a buffer with an alignment; null where the limit would be passed.
    ///
    /// @param alignment a power of two
    /// @param behind how far behind a multiple of it the buffer begins: a multiple of 256
    public synchronized @Nullable Buffer allocateAlignedOrNull(
            String name, long bytes, long alignment, long behind) {
        long start = (end - behind + alignment - 1 & -alignment) + behind;
        if (bytes < 0 || Buffers.taken(bytes) < 0 || Buffers.taken(bytes) > limit - start) {
            return null;
        }
        end = start;
        return allocateOrNull(name, bytes);
    }

    /// From here on, a buffer is that of a module's variables, the first bytes of it constant. Each
    /// variable is a buffer of its own: what lies between them is nobody's.
    public synchronized void divide(Buffer module, long constantBytes, List<Buffer> variables) {
        live.remove(module.address());
        modules.add(module, constantBytes);
        variables.forEach(live::add);
        blocks.erase(module.address() - Addresses.GLOBAL, module.bytes());
        variables.forEach(each -> markWritten(each.address(), each.bytes()));
    }

    /// Where the variables of modules are.
    public ModuleMemory modules() {
        return modules;
    }

    /// Makes room to be taken without moving.
    ///
    /// @param heap whether a kernel may call `malloc`, and needs room for that too
    public synchronized void reserve(long more, boolean heap) {
        long taken = Math.min(limit, end + more);
        storage.reserve(Math.min(limit, taken + (heap ? heapLimit - heapUsed : 0)), end);
        storage.clear(taken, storage.bytes().byteSize() - taken);
    }

    /// How much kernels may take by `malloc`; at first as much as CUDA gives.
    public synchronized void limitHeap(long bytes) {
        heapLimit = bytes;
    }

    /// `malloc` in a kernel: null where the heap is full. Never moves the memory.
    public synchronized @Nullable Buffer allocateOnDevice(long bytes) {
        long taken = Buffers.taken(bytes);
        if (bytes < 0
                || taken < 0
                || taken > heapLimit - heapUsed
                || storage.bytes().byteSize() < end + taken) {
            return null;
        }
        Buffer buffer = allocateOrNull("malloc", bytes);
        if (buffer != null) {
            heapUsed += taken;
            heap.add(buffer.address());
        }
        return buffer;
    }

    /// Gives a buffer back; later accesses are errors. Returns whether the address was that of a
    /// live buffer.
    public synchronized boolean free(long address) {
        Buffer buffer = live.remove(address);
        if (buffer == null) {
            return false;
        }
        if (heap.remove(address)) {
            kept(buffer, address, buffer.bytes());
            heapUsed -= Buffers.taken(buffer.bytes());
        }
        freed.add(buffer);
        storage.release(address - Addresses.GLOBAL, buffer.bytes());
        blocks.forget(address - Addresses.GLOBAL, buffer.bytes());
        frees++;
        return true;
    }

    /// How many buffers were given back: what is known of live ones holds as long as it stays.
    public int frees() {
        return frees;
    }

    /// The live buffer that holds an address, or null.
    public synchronized @Nullable Buffer at(long address) {
        return live.at(address);
    }

    /// The freed buffer that held an address, or null.
    public synchronized @Nullable Buffer freedAt(long address) {
        return freed.at(address);
    }

    /// All live buffers, the lowest address first.
    public synchronized List<Buffer> live() {
        return List.copyOf(live.all());
    }

    /// The live buffer nearest to an address, or null where there is none.
    public synchronized @Nullable Buffer nearest(long address) {
        return live.nearest(address);
    }

    /// From here on, others write to it while kernels run: the host, or other launches.
    public void share() {
        shared = true;
    }

    /// Whether others write to it while kernels run.
    public boolean isShared() {
        return shared;
    }

    /// Whether it remembers which bytes were written.
    public boolean isTracked() {
        return tracked;
    }

    /// The most bytes it may take.
    public long limit() {
        return limit;
    }

    /// All bytes; offset 0 is address [Addresses#GLOBAL].
    public MemorySegment segment() {
        return storage.bytes();
    }

    /// One byte per byte of memory, not zero where it was written; empty where the memory is not
    /// tracked.
    public MemorySegment written() {
        return storage.marks();
    }

    /// The bytes of a range that lies in one live buffer.
    ///
    /// @throws IllegalArgumentException where it does not
    public MemorySegment range(long address, long bytes) {
        Buffer buffer = at(address);
        if (buffer == null || bytes < 0 || address - buffer.address() > buffer.bytes() - bytes) {
            throw new IllegalArgumentException(
                    "%d bytes at 0x%x lie in no buffer".formatted(bytes, address));
        }
        return segment().asSlice(address - Addresses.GLOBAL, bytes);
    }

    /// Copies bytes from the host; they count as written.
    public void write(Buffer buffer, MemorySegment source) {
        if (source.byteSize() > buffer.bytes()) {
            throw new IllegalArgumentException(
                    "%d bytes into buffer %s of %d"
                            .formatted(source.byteSize(), buffer.name(), buffer.bytes()));
        }
        MemorySegment.copy(source, 0, part(segment(), buffer), 0, source.byteSize());
        markWritten(buffer.address(), source.byteSize());
    }

    /// Fills a buffer with one byte; it counts as written.
    public void fill(Buffer buffer, byte value) {
        part(segment(), buffer).fill(value);
        markWritten(buffer.address(), buffer.bytes());
    }

    /// From here on, so many bytes hold what reads as nothing useful and count as never written.
    ///
    /// @param offset from the first byte of global memory
    public void discard(long offset, long bytes) {
        segment().asSlice(offset, bytes).fill(POISON);
        markUnwritten(offset, bytes);
    }

    /// So many bytes from an offset on count as never written, whatever they hold.
    public void markUnwritten(long offset, long bytes) {
        blocks.erase(offset, bytes);
    }

    /// From here on, so many bytes at an address count as written.
    public void markWritten(long address, long bytes) {
        blocks.mark(address - Addresses.GLOBAL, bytes);
    }

    /// Where it is not remembered which bytes are written, a buffer counts as written from here on.
    public void assumeWritten(Buffer buffer) {
        blocks.assume(buffer.address() - Addresses.GLOBAL, buffer.bytes());
    }

    /// Bytes were copied: those of them count as written that were where they come from.
    public void copyMarks(long from, long to, long bytes) {
        if (unwritten(from, bytes) == null) {
            markWritten(to, bytes);
        } else {
            blocks.copy(from - Addresses.GLOBAL, to - Addresses.GLOBAL, bytes);
        }
    }

    /// What of a range nobody wrote; null where it is written whole, or that is not remembered.
    public @Nullable Unwritten unwritten(long address, long bytes) {
        Unwritten found = blocks.unwritten(address - Addresses.GLOBAL, bytes);
        return found == null
                ? null
                : new Unwritten(Addresses.GLOBAL + found.first(), found.count());
    }

    /// A copy of a buffer's bytes.
    public byte[] read(Buffer buffer) {
        return part(segment(), buffer).toArray(ValueLayout.JAVA_BYTE);
    }

    /// A buffer's bytes, not to be written, as long as the memory is open.
    public MemorySegment view(Buffer buffer) {
        return part(segment(), buffer).asReadOnly();
    }

    private static MemorySegment part(MemorySegment all, Buffer buffer) {
        return all.asSlice(buffer.address() - Addresses.GLOBAL, buffer.bytes());
    }

    /// What it holds now, until that is closed. Where it is not for nothing, no launch may run.
    public synchronized MemorySnapshot snapshot(MemorySnapshot.Cost cost) {
        Set<Buffer> taken =
                heap.stream().map(live::at).filter(Objects::nonNull).collect(Collectors.toSet());
        MemorySnapshot now = new MemorySnapshot(this, taken, cost);
        snapshot = now.isLost() ? snapshot : now;
        return now;
    }

    /// Whether who writes asks first.
    public boolean isKept() {
        return snapshot != null;
    }

    /// What of a live buffer may be written from now on, with some bytes at an address in it; null
    /// where no buffer holds the address.
    public @Nullable Buffer toWrite(long address, long bytes) {
        Buffer buffer = at(address);
        return buffer == null ? null : kept(buffer, address, bytes);
    }

    private Buffer kept(Buffer buffer, long address, long bytes) {
        MemorySnapshot before = snapshot;
        return before == null ? buffer : before.keep(buffer, address, bytes);
    }

    @SuppressWarnings("ReferenceEquality") // no other one
    synchronized void forget(MemorySnapshot old) {
        snapshot = snapshot == old ? null : snapshot;
    }

    /// Undoes what a launch did: what it took by `malloc` is gone, what it freed is live again, and
    /// what it wrote holds what it held. What the host has taken, freed and written stays.
    public synchronized void restore(MemorySnapshot taken) {
        forget(taken);
        List.copyOf(heap).stream()
                .filter(address -> !taken.heap().contains(live.at(address)))
                .forEach(this::free);
        for (Buffer buffer : taken.heap()) {
            if (live.add(buffer)) {
                freed.remove(buffer.address());
                heap.add(buffer.address());
                heapUsed += Buffers.taken(buffer.bytes());
            }
        }
        taken.putBack(blocks);
    }

    @Override
    public void close() {
        storage.close();
    }
}
