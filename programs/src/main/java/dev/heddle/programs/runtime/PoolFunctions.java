package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Memory.Allocation;
import dev.heddle.programs.device.Memory.Kind;
import dev.heddle.programs.device.Stream;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.EntryPoints.AlwaysAnswers;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// CUDA Runtime API 6.12, Stream Ordered Memory Allocator. A pool keeps nothing back: what is
/// reserved is what is used.
public final class PoolFunctions {
    private static final long FIRST = 0x7000_0010L;

    /// Of `cudaMemLocation`: a type and a number.
    private static final int ON_DEVICE = 1;

    private static final int ON_HOST = 2;
    private static final int MOST_LOCATION = 4;

    /// Of `cudaMemAllocationType`.
    private static final int PINNED = 1;

    private static final int MANAGED = 2;

    /// Behind the allocation and handle types of `cudaMemPoolProps`.
    private static final int LOCATION = 8;

    private static final int HANDLES = 4;

    /// File descriptors, both handles of Windows, fabric.
    private static final int KNOWN_HANDLES = 0xf;

    /// `cudaMemAccessDesc`: a location, and what is allowed.
    private static final int DESCRIPTION_BYTES = 12;

    private static final int READ_AND_WRITE = 3;

    /// Of `cudaMemPoolAttr`.
    private static final int INTERNAL_DEPENDENCIES = 3;

    private static final int RELEASE_THRESHOLD = 4;
    private static final int RESERVED_HIGH = 6;
    private static final int USED_HIGH = 8;

    private final Device device;
    private final Map<Long, Pool> pools = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong(FIRST);
    private final long onDevice = create(Kind.DEVICE);
    private final long onHost = create(Kind.HOST);
    private final long managed = create(Kind.MANAGED);

    /// From which pool memory of each kind comes.
    private final Map<Kind, Long> current =
            new ConcurrentHashMap<>(
                    Map.of(Kind.DEVICE, onDevice, Kind.HOST, onHost, Kind.MANAGED, managed));

    public PoolFunctions(Device device) {
        this.device = device;
    }

    /// A pool, its own settings, and by address what was allocated from it.
    private static final class Pool {
        final Kind kind;
        final long[] settings = {0, 1, 1, 1, 0};
        final Map<Long, Allocation> allocations = new ConcurrentHashMap<>();
        long high;

        Pool(Kind kind) {
            this.kind = kind;
        }
    }

    private long current(Kind kind) {
        return Objects.requireNonNull(current.get(kind));
    }

    private long create(Kind kind) {
        long handle = next.getAndAdd(16);
        pools.put(handle, new Pool(kind));
        return handle;
    }

    private Pool pool(long handle) {
        return orRefuse(pools.get(handle), ErrorCode.INVALID_VALUE);
    }

    /// Bytes of a pool's allocations that are still there.
    private long used(Pool pool) {
        pool.allocations
                .entrySet()
                .removeIf(entry -> !entry.getValue().equals(device.memory().at(entry.getKey())));
        return pool.allocations.values().stream().mapToLong(a -> a.buffer().bytes()).sum();
    }

    /// Allocates in the order of a stream.
    public void cudaMallocAsync(long into, long bytes, long stream) {
        cudaMallocFromPoolAsync(into, bytes, current(Kind.DEVICE), stream);
    }

    /// The same, from a pool.
    public void cudaMallocFromPoolAsync(long into, long bytes, long handle, long stream) {
        Pool pool = pool(handle);
        Stream order = device.streams().of(stream);
        refuseIf(into == 0, ErrorCode.INVALID_VALUE);
        if (order.capture() != null) {
            Work.OfMemory allocation = device.memory().allocation(bytes);
            device.submit(order, allocation);
            Host.putLong(into, allocation.memory().address());
            return;
        }
        long address = device.memory().allocate(bytes, pool.kind, 0);
        Host.putLong(into, address);
        Allocation allocation = device.memory().at(address);
        if (allocation != null) {
            pool.allocations.put(address, allocation);
            synchronized (pool) {
                pool.high = Math.max(pool.high, used(pool));
            }
        }
    }

    /// The pool that the device began with.
    public void cudaDeviceGetDefaultMemPool(long into, int number) {
        DeviceFunctions.require(number);
        Host.putLong(into, onDevice);
    }

    /// The pool that it allocates from.
    public void cudaDeviceGetMemPool(long into, int number) {
        requireOnly(number, ErrorCode.INVALID_VALUE);
        Host.putLong(into, current(Kind.DEVICE));
    }

    /// Lets it allocate from another pool.
    public void cudaDeviceSetMemPool(int number, long handle) {
        requireOnly(number, ErrorCode.INVALID_VALUE);
        replace(Kind.DEVICE, handle);
    }

    private void replace(Kind kind, long handle) {
        refuseIf(pool(handle).kind != kind, ErrorCode.INVALID_VALUE);
        current.put(kind, handle);
    }

    /// The pool of a place: device, page-locked host or managed memory.
    public void cudaMemGetDefaultMemPool(long into, long location, int type) {
        Host.putLong(
                into,
                switch (kind(Host.getInt(location), type)) {
                    case MANAGED, VARIABLE -> managed;
                    case HOST -> onHost;
                    case DEVICE, ARRAY, GRAPH, FOREIGN -> onDevice;
                });
    }

    /// The pool that memory of a place comes from.
    public void cudaMemGetMemPool(long into, long location, int type) {
        Host.putLong(into, current(kind(Host.getInt(location), type)));
    }

    /// Lets it come from another.
    public void cudaMemSetMemPool(long location, int type, long handle) {
        requireIsThere(location, ErrorCode.INVALID_VALUE);
        replace(kind(Host.getInt(location), type), handle);
    }

    private static Kind kind(int location, int type) {
        refuseIf(
                location < 0 || location > MOST_LOCATION || type != PINNED && type != MANAGED,
                ErrorCode.INVALID_VALUE);
        if (type == MANAGED) {
            return Kind.MANAGED;
        }
        return location >= ON_HOST ? Kind.HOST : requireDevice(location);
    }

    private static void requireOnly(int number, int code) {
        refuseIf(number != 0, code);
    }

    /// A place on a device is on the only one.
    private static void requireIsThere(long location, int code) {
        refuseIf(location == 0, ErrorCode.INVALID_VALUE);
        if (Host.getInt(location) == ON_DEVICE) {
            requireOnly(Host.getInt(location + 4), code);
        }
    }

    private static Kind requireDevice(int location) {
        refuseIf(location != ON_DEVICE, ErrorCode.INVALID_VALUE);
        return Kind.DEVICE;
    }

    /// A pool of its own.
    public void cudaMemPoolCreate(long into, long properties) {
        refuseIf(into == 0 || properties == 0, ErrorCode.INVALID_VALUE);
        int type = Host.getInt(properties);
        refuseIf(
                (Host.getInt(properties + HANDLES) & ~KNOWN_HANDLES) != 0, ErrorCode.INVALID_VALUE);
        requireIsThere(properties + LOCATION, ErrorCode.INVALID_VALUE);
        Host.putLong(into, create(kind(Host.getInt(properties + LOCATION), type)));
    }

    /// Forgets a pool; what was allocated from it stays until it is freed.
    @AlwaysAnswers
    public void cudaMemPoolDestroy(long handle) {
        pool(handle);
        refuseIf(
                handle == onDevice || handle == onHost || handle == managed,
                ErrorCode.INVALID_VALUE);
        pools.remove(handle);
        current.replace(Kind.DEVICE, handle, onDevice);
        current.replace(Kind.HOST, handle, onHost);
        current.replace(Kind.MANAGED, handle, managed);
    }

    /// Hints are kept; the highest use can be set back.
    public void cudaMemPoolSetAttribute(long handle, int attribute, long value) {
        Pool pool = pool(handle);
        if (attribute >= 1 && attribute <= INTERNAL_DEPENDENCIES) {
            pool.settings[attribute] = Host.getInt(value);
        } else if (attribute == RELEASE_THRESHOLD) {
            pool.settings[attribute] = Host.getLong(value);
        } else if ((attribute == RESERVED_HIGH || attribute == USED_HIGH)
                && Host.getLong(value) == 0) {
            synchronized (pool) {
                pool.high = used(pool);
            }
        } else {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
    }

    /// Hints as they were set; bytes that are, and that most ever were, in use.
    public void cudaMemPoolGetAttribute(long handle, int attribute, long value) {
        Pool pool = pool(handle);
        if (attribute >= 1 && attribute <= INTERNAL_DEPENDENCIES) {
            Host.putInt(value, (int) pool.settings[attribute]);
        } else if (attribute == RELEASE_THRESHOLD) {
            Host.putLong(value, pool.settings[attribute]);
        } else if (attribute > RELEASE_THRESHOLD && attribute <= USED_HIGH) {
            boolean high = attribute == RESERVED_HIGH || attribute == USED_HIGH;
            synchronized (pool) {
                Host.putLong(value, high ? pool.high : used(pool));
            }
        } else {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
    }

    /// Nothing is kept back.
    public void cudaMemPoolTrimTo(long handle, long bytes) {
        pool(handle);
    }

    /// The device has access, and keeps it to what is its own.
    public void cudaMemPoolSetAccess(long handle, long descriptions, long count) {
        Pool pool = pool(handle);
        for (long i = 0; i < count; i++) {
            long description = descriptions + DESCRIPTION_BYTES * i;
            requireIsThere(description, ErrorCode.INVALID_DEVICE);
            refuseIf(
                    pool.kind == Kind.DEVICE && Host.getInt(description + 8) != READ_AND_WRITE,
                    ErrorCode.INVALID_DEVICE);
        }
    }

    /// The device has access.
    public void cudaMemPoolGetAccess(long into, long handle, long location) {
        pool(handle);
        requireIsThere(location, ErrorCode.INVALID_VALUE);
        Host.putInt(into, READ_AND_WRITE);
    }
}
