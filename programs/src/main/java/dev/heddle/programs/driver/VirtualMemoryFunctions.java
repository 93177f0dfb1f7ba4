package dev.heddle.programs.driver;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.host.SharedPages;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/// CUDA Driver API 6.15, Virtual Memory Management: addresses are reserved, memory is created, and
/// the one is mapped to the other. Memory may be mapped several times, and in other processes.
public final class VirtualMemoryFunctions {
    private static final long GRANULARITY = 2 << 20;
    private static final int PROPERTIES_BYTES = 32;
    private static final int PINNED = 1;
    private static final int FILE_DESCRIPTOR = 1;

    private final Device device;
    private final Map<Long, Created> created = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<Long, Long> reserved = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<Long, Mapped> mapped = new ConcurrentSkipListMap<>();
    private final AtomicLong next = new AtomicLong(0xc000_0000L);

    /// Memory behind a handle, and what it was asked for with.
    private record Created(SharedPages pages, MemorySegment properties) {
        /// The same, to be given back by itself.
        Created again() {
            return new Created(SharedPages.of(pages.descriptor()), properties);
        }
    }

    /// Memory at an address.
    private record Mapped(long bytes, Created memory) {}

    /// Functions on a device.
    public VirtualMemoryFunctions(Device device) {
        this.device = device;
    }

    private static void requireGranular(long bytes) {
        refuseIf(bytes <= 0 || bytes % GRANULARITY != 0, ErrorCode.INVALID_VALUE);
    }

    /// What sizes and addresses must be multiples of.
    public void cuMemGetAllocationGranularity(long into, long properties, int option) {
        Host.putLong(into, GRANULARITY);
    }

    /// Takes a range of addresses.
    public void cuMemAddressReserve(
            long into, long bytes, long alignment, long wanted, long flags) {
        requireGranular(bytes);
        refuseIf(flags != 0 || Long.bitCount(alignment) > 1, ErrorCode.INVALID_VALUE);
        long address = device.memory().reserve(bytes, Math.max(alignment, GRANULARITY));
        reserved.put(address, bytes);
        Host.putLong(into, address);
    }

    /// Gives a range of addresses back.
    public void cuMemAddressFree(long address, long bytes) {
        refuseIf(!reserved.remove(address, bytes), ErrorCode.INVALID_VALUE);
        device.memory().release(address);
    }

    /// Memory without an address.
    public void cuMemCreate(long into, long bytes, long properties, long flags) {
        requireGranular(bytes);
        refuseIf(flags != 0 || Host.getInt(properties) != PINNED, ErrorCode.INVALID_VALUE);
        refuseIf(bytes > device.memory().free(), ErrorCode.MEMORY_ALLOCATION);
        byte[] kept = Host.at(properties, PROPERTIES_BYTES).toArray(ValueLayout.JAVA_BYTE);
        // Nothing is compressed here.
        kept[24] = 0;
        Host.putLong(
                into, add(new Created(SharedPages.create(bytes), MemorySegment.ofArray(kept))));
    }

    private long add(Created memory) {
        long handle = next.addAndGet(16);
        created.put(handle, memory);
        return handle;
    }

    private Created created(long handle) {
        return orRefuse(created.get(handle), ErrorCode.INVALID_VALUE);
    }

    /// Gives memory back, once it is mapped nowhere.
    public void cuMemRelease(long handle) {
        created(handle).pages.close();
        created.remove(handle);
    }

    /// Lets memory appear at reserved addresses.
    public void cuMemMap(long address, long bytes, long offset, long handle, long flags) {
        requireGranular(bytes);
        Created memory = created(handle);
        Map.Entry<Long, Long> range = reserved.floorEntry(address);
        if (flags != 0
                || offset != 0
                || bytes > memory.pages.bytes()
                || range == null
                || address + bytes > range.getKey() + range.getValue()
                || mapped.containsKey(address)) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        memory.pages.map(address, offset, bytes);
        device.memory().wrote(address, bytes);
        mapped.put(address, new Mapped(bytes, memory.again()));
    }

    /// Takes memory from its addresses.
    public void cuMemUnmap(long address, long bytes) {
        Map<Long, Mapped> inside = mapped.subMap(address, address + bytes);
        refuseIf(inside.isEmpty(), ErrorCode.INVALID_VALUE);
        device.settleStreams();
        SharedPages.clear(address, bytes);
        inside.values().forEach(each -> each.memory.pages.close());
        inside.clear();
    }

    /// All may read and write; what may not is not told apart.
    public void cuMemSetAccess(long address, long bytes, long descriptions, long count) {
        refuseIf(mapped.subMap(address, address + bytes).isEmpty(), ErrorCode.INVALID_VALUE);
    }

    /// Reading and writing.
    public void cuMemGetAccess(long into, long location, long address) {
        Host.putLong(into, 3);
    }

    /// A handle of the memory at an address, to be given back by itself.
    public void cuMemRetainAllocationHandle(long into, long address) {
        Map.Entry<Long, Mapped> below =
                orRefuse(mapped.floorEntry(address), ErrorCode.INVALID_VALUE);
        Mapped found = below.getValue();
        refuseIf(address - below.getKey() >= found.bytes, ErrorCode.INVALID_VALUE);
        Host.putLong(into, add(found.memory.again()));
    }

    /// What memory was asked for with.
    public void cuMemGetAllocationPropertiesFromHandle(long into, long handle) {
        Host.at(into, PROPERTIES_BYTES).copyFrom(created(handle).properties);
    }

    /// A file descriptor, for other processes.
    public void cuMemExportToShareableHandle(long into, long handle, int type, long flags) {
        refuseIf(type != FILE_DESCRIPTOR, ErrorCode.NOT_SUPPORTED);
        Host.putInt(into, created(handle).pages.duplicate());
    }

    /// Memory of another process.
    public void cuMemImportFromShareableHandle(long into, long descriptor, int type) {
        refuseIf(type != FILE_DESCRIPTOR, ErrorCode.NOT_SUPPORTED);
        byte[] properties = new byte[PROPERTIES_BYTES];
        properties[0] = PINNED;
        Host.putLong(
                into,
                add(
                        new Created(
                                SharedPages.of((int) descriptor),
                                MemorySegment.ofArray(properties))));
    }
}
