package dev.heddle.programs.runtime;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Memory.Allocation;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import java.util.Map;
import java.util.TreeSet;
import java.util.WeakHashMap;

/// CUDA Runtime API 6.11, Memory Management: hints about managed memory, which is wherever it is
/// used, and what was hinted. A hint holds for a whole allocation.
public final class RangeFunctions {
    private static final int READ_MOSTLY = 1;
    private static final int PREFERRED = 2;
    private static final int ACCESSED_BY = 3;
    private static final int PREFETCHED = 4;
    private static final int PREFERRED_TYPE = 5;
    private static final int PREFERRED_ID = 6;
    private static final int PREFETCHED_TYPE = 7;
    private static final int PREFETCHED_ID = 8;

    /// `cudaInvalidDeviceId`.
    private static final int NOWHERE = -2;

    /// A `cudaMemLocation`; the host has the number -1 (`cudaCpuDeviceId`).
    private record Location(int type, int id) {
        private static final int DEVICE = 1;
        private static final int HOST = 2;
        private static final int LAST = 4;
        private static final Location NONE = new Location(0, NOWHERE);
        private static final Location OF_HOST = new Location(HOST, -1);

        /// @param location as it is passed: the type, and above it the number
        static Location of(long location) {
            int type = (int) location;
            int id = (int) (location >> 32);
            if (type > DEVICE && type <= LAST) {
                return OF_HOST;
            }
            if (type != DEVICE || id != 0) {
                throw new CudaException(ErrorCode.INVALID_VALUE);
            }
            return new Location(DEVICE, id);
        }
    }

    /// What was said of an allocation.
    private static final class Hints {
        private boolean readMostly;
        private Location preferred = Location.NONE;
        private Location prefetched = Location.NONE;
        private final TreeSet<Integer> accessedBy = new TreeSet<>();

        int of(int attribute) {
            return switch (attribute) {
                case READ_MOSTLY -> readMostly ? 1 : 0;
                case PREFERRED, PREFERRED_ID -> preferred.id;
                case PREFERRED_TYPE -> preferred.type;
                case PREFETCHED, PREFETCHED_ID -> prefetched.id;
                case PREFETCHED_TYPE -> prefetched.type;
                default -> throw new CudaException(ErrorCode.INVALID_VALUE);
            };
        }
    }

    private final Device device;
    private final Map<Allocation, Hints> hints = new WeakHashMap<>();

    public RangeFunctions(Device device) {
        this.device = device;
    }

    /// The managed allocation that holds a range.
    ///
    /// @throws CudaException where none does
    Allocation require(long address, long bytes) {
        Allocation allocation = device.memory().at(address);
        if (allocation == null
                || !allocation.kind().isManaged()
                || bytes <= 0
                || !allocation.buffer().holds(address, bytes)) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        return allocation;
    }

    private synchronized Hints hints(long address, long bytes) {
        return hints.computeIfAbsent(require(address, bytes), _ -> new Hints());
    }

    /// The place that is a device, or the host where the number is -1, as CUDA 12 names it.
    static long ofDevice(int number) {
        return number == -1 ? Location.HOST : (long) number << 32 | Location.DEVICE;
    }

    void prefetch(long address, long bytes, long location) {
        hints(address, bytes).prefetched = Location.of(location);
    }

    /// Brings managed memory to a place.
    public void cudaMemPrefetchAsync(
            long address, long bytes, long location, int flags, long stream) {
        prefetch(address, bytes, location);
    }

    /// Says how managed memory will be used.
    public void cudaMemAdvise(long address, long bytes, int advice, long location) {
        advise(address, bytes, advice, location);
    }

    void advise(long address, long bytes, int advice, long location) {
        Hints told = hints(address, bytes);
        switch (advice) {
            case 1, 2 -> told.readMostly = advice == 1;
            case 3 -> told.preferred = Location.of(location);
            case 4 -> told.preferred = Location.NONE;
            case 5 -> told.accessedBy.add(Location.of(location).id);
            case 6 -> told.accessedBy.remove(Location.of(location).id);
            default -> throw new CudaException(ErrorCode.INVALID_VALUE);
        }
    }

    /// What was said: a number, or several of those that access the range.
    public void cudaMemRangeGetAttribute(
            long into, long size, int attribute, long address, long bytes) {
        Hints told = hints(address, bytes);
        boolean list = attribute == ACCESSED_BY;
        if (list ? size <= 0 || size % 4 != 0 : size != 4) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        if (!list) {
            Host.putInt(into, told.of(attribute));
            return;
        }
        int at = 0;
        for (int id : told.accessedBy) {
            if (at < size) {
                Host.putInt(into + at, id);
                at += 4;
            }
        }
        for (; at < size; at += 4) {
            Host.putInt(into + at, NOWHERE);
        }
    }

    /// Several of these.
    public void cudaMemRangeGetAttributes(
            long into, long sizes, long attributes, long count, long address, long bytes) {
        if (count <= 0) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        for (int i = 0; i < count; i++) {
            cudaMemRangeGetAttribute(
                    Host.getLong(into + 8L * i),
                    Host.getLong(sizes + 8L * i),
                    Host.getInt(attributes + 4L * i),
                    address,
                    bytes);
        }
    }
}
