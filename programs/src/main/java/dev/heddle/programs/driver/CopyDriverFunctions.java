package dev.heddle.programs.driver;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Memory.Allocation;
import dev.heddle.programs.device.Place;
import dev.heddle.programs.device.Place.Block;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.EntryPoints.AlwaysAnswers;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.runtime.CopyFunctions;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// CUDA Driver API 6.14: fills by elements, what is known of an address. Copies by direction stand
/// in `aliases.txt`.
public final class CopyDriverFunctions {
    private static final int CONTEXT = 1;
    private static final int MEMORY_TYPE = 2;
    private static final int DEVICE_POINTER = 3;
    private static final int HOST_POINTER = 4;
    private static final int SYNCHRONOUS = 6;
    private static final int NUMBER = 7;
    private static final int IS_MANAGED = 8;
    private static final int DEVICE_ORDINAL = 9;
    private static final int NO_DEVICE = -2;
    private static final int RANGE_START = 11;
    private static final int RANGE_SIZE = 12;
    private static final int IS_MAPPED = 13;
    private static final int ACCESS = 16;
    private static final int READ_AND_WRITE = 3;

    private final Device device;
    private final CopyFunctions copies;

    /// Of which copies are to be done when they return. Those that need not be are so by chance.
    private final Set<Allocation> synchronous = ConcurrentHashMap.newKeySet();

    /// Functions on a device.
    public CopyDriverFunctions(Device device, CopyFunctions copies) {
        this.device = device;
        this.copies = copies;
    }

    /// Fills bytes in the order of a stream.
    public void cuMemsetD8Async(long address, byte value, long count, long stream) {
        copies.cudaMemsetAsync(address, value, count, stream);
    }

    /// Fills 16-bit words in the order of a stream.
    public void cuMemsetD16Async(long address, short value, long count, long stream) {
        copies.fill(address, value, 2, count, stream);
    }

    /// Fills 32-bit words in the order of a stream.
    public void cuMemsetD32Async(long address, int value, long count, long stream) {
        copies.fill(address, value, 4, count, stream);
    }

    /// Fills rows of elements.
    private void fill(
            long address,
            long pitch,
            int value,
            int element,
            long width,
            long height,
            long stream) {
        device.copies()
                .fill(
                        device.copies()
                                .filling(
                                        Place.rows(address, pitch),
                                        value,
                                        element,
                                        new Block(element * width, height, 1)),
                        stream);
    }

    /// Fills rows of bytes in the order of a stream.
    public void cuMemsetD2D8Async(
            long address, long pitch, byte value, long width, long height, long stream) {
        fill(address, pitch, value, 1, width, height, stream);
    }

    /// Fills rows of 16-bit words in the order of a stream.
    public void cuMemsetD2D16Async(
            long address, long pitch, short value, long width, long height, long stream) {
        fill(address, pitch, value, 2, width, height, stream);
    }

    /// Fills rows of 32-bit words in the order of a stream.
    public void cuMemsetD2D32Async(
            long address, long pitch, int value, long width, long height, long stream) {
        fill(address, pitch, value, 4, width, height, stream);
    }

    /// Where the allocation around an address begins, and its size.
    public void cuMemGetAddressRange(long start, long bytes, long address) {
        Allocation allocation = allocation(address);
        Host.putLongIfAsked(start, allocation.buffer().address());
        Host.putLongIfAsked(bytes, allocation.buffer().bytes());
    }

    private Allocation allocation(long address) {
        return orRefuse(device.memory().at(address), ErrorCode.INVALID_VALUE);
    }

    /// One fact about a pointer.
    @AlwaysAnswers
    public void cuPointerGetAttribute(long into, int attribute, long address) {
        Allocation allocation = allocation(address);
        switch (attribute) {
            case CONTEXT -> Host.putLong(into, allocation.context());
            case SYNCHRONOUS -> Host.putInt(into, synchronous.contains(allocation) ? 1 : 0);
            case NUMBER -> Host.putLong(into, allocation.number());
            case IS_MAPPED -> Host.putInt(into, 1);
            case ACCESS -> Host.putInt(into, READ_AND_WRITE);
            case MEMORY_TYPE -> Host.putInt(into, allocation.kind().isOfHost() ? 1 : 2);
            case DEVICE_POINTER, HOST_POINTER -> Host.putLong(into, address);
            case IS_MANAGED -> Host.putInt(into, allocation.kind().isManaged() ? 1 : 0);
            case DEVICE_ORDINAL -> Host.putInt(into, 0);
            case RANGE_START -> Host.putLong(into, allocation.buffer().address());
            case RANGE_SIZE -> Host.putLong(into, allocation.buffer().bytes());
            default -> throw new CudaException(ErrorCode.NOT_SUPPORTED);
        }
    }

    /// Whether copies of memory are done when they return: the only one that can be given.
    public void cuPointerSetAttribute(long value, int attribute, long address) {
        refuseIf(attribute != SYNCHRONOUS, ErrorCode.INVALID_VALUE);
        Allocation allocation = allocation(address);
        if (Host.getInt(value) == 0) {
            synchronous.remove(allocation);
        } else {
            synchronous.add(allocation);
        }
    }

    /// Several facts about a pointer; of one that is not the device's, zeros.
    public void cuPointerGetAttributes(int count, long attributes, long into, long address) {
        for (int i = 0; i < count; i++) {
            int attribute = Host.getInt(attributes + 4L * i);
            long target = Host.getLong(into + 8L * i);
            if (device.memory().at(address) != null) {
                cuPointerGetAttribute(target, attribute, address);
                continue;
            }
            switch (attribute) {
                case DEVICE_POINTER, HOST_POINTER, RANGE_START, RANGE_SIZE ->
                        Host.putLong(target, 0);
                default -> Host.putInt(target, attribute == DEVICE_ORDINAL ? NO_DEVICE : 0);
            }
        }
    }
}
