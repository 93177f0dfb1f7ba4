package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.host.SharedPages;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.TreeMap;

/// Memory of the host that the program registered (`cudaHostRegister`). It gets an address of the
/// device when the program asks for one: its pages then are at both.
public final class RegisteredMemory {
    private final Memory memory;
    private final TreeMap<Long, Range> ranges = new TreeMap<>();

    RegisteredMemory(Memory memory) {
        this.memory = memory;
    }

    /// A registered range.
    ///
    /// @param address of the host
    /// @param onDevice the address of the device, 0 until it is asked for
    public record Range(long address, long bytes, int flags, long onDevice) {}

    /// Registers a range.
    ///
    /// @throws CudaException where part of it is registered already
    public synchronized void add(long address, long bytes, int flags) {
        refuseIf(address == 0 || bytes <= 0, ErrorCode.INVALID_VALUE);
        Map.Entry<Long, Range> before = ranges.lowerEntry(address + bytes);
        refuseIf(
                memory.isOurs(address)
                        || before != null && before.getKey() + before.getValue().bytes > address,
                ErrorCode.HOST_MEMORY_ALREADY_REGISTERED);
        ranges.put(address, new Range(address, bytes, flags, 0));
    }

    /// Forgets the range that begins at an address.
    ///
    /// @throws CudaException where none does
    public synchronized void remove(long address) {
        Range range = ranges.remove(address);
        if (range == null) {
            throw new CudaException(
                    at(address) == null
                            ? ErrorCode.HOST_MEMORY_NOT_REGISTERED
                            : ErrorCode.INVALID_VALUE);
        }
        if (range.onDevice != 0) {
            SharedPages.clear(page(range.onDevice), pages(range));
            memory.release(page(range.onDevice));
        }
    }

    /// The range that holds an address of the host, or null.
    public synchronized @Nullable Range at(long address) {
        Map.Entry<Long, Range> below = ranges.floorEntry(address);
        return below != null && address < below.getKey() + below.getValue().bytes
                ? below.getValue()
                : null;
    }

    /// The device's address of a registered one of the host.
    public synchronized long onDevice(long address) {
        Range range = orRefuse(at(address), ErrorCode.INVALID_VALUE);
        if (range.onDevice == 0) {
            range = mapped(range);
            ranges.put(range.address, range);
        }
        return range.onDevice + (address - range.address);
    }

    /// From here on the pages stay where they are, also when the range is forgotten: what they
    /// share with other data of the program stays as it is.
    private Range mapped(Range range) {
        long start = page(range.address);
        long length = pages(range);
        long window = memory.reserve(length, SharedPages.PAGE);
        SharedPages pages = SharedPages.create(length);
        pages.map(window, 0, length);
        Host.copy(start, window, length);
        pages.map(start, 0, length);
        pages.close();
        long onDevice = window + (range.address - start);
        memory.wrote(onDevice, range.bytes);
        return new Range(range.address, range.bytes, range.flags, onDevice);
    }

    private static long page(long address) {
        return address & -SharedPages.PAGE;
    }

    private static long pages(Range range) {
        return page(range.address + range.bytes + SharedPages.PAGE - 1) - page(range.address);
    }
}
