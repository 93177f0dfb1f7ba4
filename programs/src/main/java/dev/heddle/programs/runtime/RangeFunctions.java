package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Memory.Allocation;
import dev.heddle.programs.device.MemoryHints;
import dev.heddle.programs.device.MemoryHints.Kind;
import dev.heddle.programs.device.MemoryHints.Location;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import java.util.List;

/// CUDA Runtime API 6.11, Memory Management: hints about managed memory, which is wherever it is
/// used, and what was hinted.
public final class RangeFunctions {
    // cudaMemoryAdvise
    private static final int SET_READ_MOSTLY = 1;
    private static final int UNSET_READ_MOSTLY = 2;
    private static final int SET_PREFERRED = 3;
    private static final int UNSET_PREFERRED = 4;
    private static final int SET_ACCESSED_BY = 5;
    private static final int UNSET_ACCESSED_BY = 6;

    // cudaMemRangeAttribute
    private static final int READ_MOSTLY = 1;
    private static final int PREFERRED = 2;
    private static final int ACCESSED_BY = 3;
    private static final int PREFETCHED = 4;
    private static final int PREFERRED_TYPE = 5;
    private static final int PREFERRED_ID = 6;
    private static final int PREFETCHED_TYPE = 7;
    private static final int PREFETCHED_ID = 8;

    private final Device device;
    private final MemoryHints hints = new MemoryHints();

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

    /// The place that is a device, or the host where the number is -1, as CUDA 12 names it.
    public static long ofDevice(int number) {
        return number == Location.HOST_DEVICE
                ? Location.ON_HOST
                : (long) number << 32 | Location.ON_DEVICE;
    }

    /// @param location as it is passed: the type, and above it the number
    /// @param otherDevice what is answered where it is a device that is not there
    private static Location location(long location, int otherDevice) {
        Location place = new Location((int) location, (int) (location >> 32));
        refuseIf(place.isDevice() && place.number() != 0, otherDevice);
        refuseIf(!place.isDevice() && !place.isHost(), ErrorCode.INVALID_VALUE);
        return place;
    }

    private void prefetch(long address, long bytes, Location location) {
        hints.say(require(address, bytes), Kind.PREFETCHED, address, bytes, location);
    }

    /// Brings a range of a batch to a place, or any as CUDA 12 does.
    public void prefetchAt(long address, long bytes, long location) {
        prefetch(address, bytes, location(location, ErrorCode.INVALID_VALUE));
    }

    /// Brings managed memory to a place.
    public void cudaMemPrefetchAsync(
            long address, long bytes, long location, int flags, long stream) {
        refuseIf(flags != 0, ErrorCode.INVALID_VALUE);
        prefetch(address, bytes, location(location, ErrorCode.INVALID_DEVICE));
    }

    /// Says how managed memory will be used.
    public void cudaMemAdvise(long address, long bytes, int advice, long place) {
        Allocation allocation = require(address, bytes);
        Location location = location(place, ErrorCode.INVALID_VALUE);
        boolean isOf = advice == SET_ACCESSED_BY || advice == UNSET_ACCESSED_BY;
        refuseIf(isOf && location.type() > Location.ON_HOST, ErrorCode.INVALID_VALUE);
        Kind kind =
                switch (advice) {
                    case SET_READ_MOSTLY, UNSET_READ_MOSTLY -> Kind.READ_MOSTLY;
                    case SET_PREFERRED, UNSET_PREFERRED -> Kind.PREFERRED;
                    case SET_ACCESSED_BY, UNSET_ACCESSED_BY ->
                            location.isDevice() ? Kind.USED_BY_DEVICE : Kind.USED_BY_HOST;
                    default -> throw new CudaException(ErrorCode.INVALID_VALUE);
                };
        boolean unset = advice % 2 == 0;
        hints.say(allocation, kind, address, bytes, unset ? Location.NONE : location);
    }

    /// What was said of all of a range: a number, or several of those that access it.
    public void cudaMemRangeGetAttribute(
            long into, long size, int attribute, long address, long bytes) {
        Allocation allocation = require(address, bytes);
        boolean list = attribute == ACCESSED_BY;
        refuseIf(list ? size <= 0 || size % 4 != 0 : size != 4, ErrorCode.INVALID_VALUE);
        if (list) {
            putUsers(into, size, allocation, address, bytes);
            return;
        }
        Kind kind =
                switch (attribute) {
                    case READ_MOSTLY -> Kind.READ_MOSTLY;
                    case PREFERRED, PREFERRED_TYPE, PREFERRED_ID -> Kind.PREFERRED;
                    case PREFETCHED, PREFETCHED_TYPE, PREFETCHED_ID -> Kind.PREFETCHED;
                    default -> throw new CudaException(ErrorCode.INVALID_VALUE);
                };
        Location location = hints.of(allocation, kind, address, bytes);
        Host.putInt(
                into,
                switch (attribute) {
                    case READ_MOSTLY -> location.equals(Location.NONE) ? 0 : 1;
                    case PREFERRED_TYPE, PREFETCHED_TYPE -> location.type();
                    default -> location.device();
                });
    }

    /// The device, the host, and nobody for the rest of the room.
    private void putUsers(long into, long size, Allocation allocation, long address, long bytes) {
        long at = into;
        for (Kind kind : List.of(Kind.USED_BY_DEVICE, Kind.USED_BY_HOST)) {
            Location location = hints.of(allocation, kind, address, bytes);
            if (!location.equals(Location.NONE) && at < into + size) {
                Host.putInt(at, location.device());
                at += 4;
            }
        }
        for (; at < into + size; at += 4) {
            Host.putInt(at, Location.NO_DEVICE);
        }
    }

    /// Several of these.
    public void cudaMemRangeGetAttributes(
            long into, long sizes, long attributes, long count, long address, long bytes) {
        refuseIf(count <= 0, ErrorCode.INVALID_VALUE);
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
