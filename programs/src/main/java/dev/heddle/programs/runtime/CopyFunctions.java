package dev.heddle.programs.runtime;

import dev.heddle.programs.CudaException;
import dev.heddle.programs.EntryPoints.Words;
import dev.heddle.programs.ErrorCode;
import dev.heddle.programs.Host;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Graph;
import dev.heddle.vm.memory.Buffer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// CUDA Runtime API 6.11, Memory Management: what copies and fills.
public final class CopyFunctions {
    private static final int HOST_TO_HOST = 0;
    private static final int HOST_TO_DEVICE = 1;
    private static final int DEVICE_TO_HOST = 2;
    private static final int DEVICE_TO_DEVICE = 3;
    private static final int BY_POINTERS = 4;

    private final Device device;

    CopyFunctions(Device device) {
        this.device = device;
    }

    /// A block of bytes: rows, in planes.
    ///
    /// @param width bytes of a row
    /// @param height rows of a plane
    /// @param depth planes
    private record Block(long width, long height, long depth) {
        static Block line(long bytes) {
            return new Block(bytes, 1, 1);
        }

        boolean isEmpty() {
            return width == 0 || height == 0 || depth == 0;
        }
    }

    /// Where a block begins, and how far its rows and planes are apart.
    private record Place(long address, long pitch, long plane) {
        static Place line(long address, long bytes) {
            return new Place(address, bytes, bytes);
        }

        long row(long y, long z) {
            return address + y * pitch + z * plane;
        }

        long span(Block block) {
            return (block.depth - 1) * plane + (block.height - 1) * pitch + block.width;
        }
    }

    private void require(Place from, Place to, Block block, int kind) {
        if (kind < HOST_TO_HOST || kind > BY_POINTERS) {
            throw new CudaException(ErrorCode.INVALID_MEMCPY_DIRECTION);
        }
        if (block.isEmpty()) {
            return;
        }
        if (block.height > 1 && (from.pitch < block.width || to.pitch < block.width)) {
            throw new CudaException(ErrorCode.INVALID_PITCH_VALUE);
        }
        if (from.address == 0 || to.address == 0) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        requireSide(from, block, kind == DEVICE_TO_HOST || kind == DEVICE_TO_DEVICE);
        requireSide(to, block, kind == HOST_TO_DEVICE || kind == DEVICE_TO_DEVICE);
    }

    private void requireSide(Place place, Block block, boolean onDevice) {
        if (onDevice && !device.memory().isOurs(place.address)) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        device.memory().require(place.address, place.span(block));
    }

    private void copy(Place from, Place to, Block block) {
        if (block.isEmpty()) {
            return;
        }
        for (long z = 0; z < block.depth; z++) {
            for (long y = 0; y < block.height; y++) {
                device.memory().copy(from.row(y, z), to.row(y, z), block.width);
            }
        }
    }

    private void now(Place from, Place to, Block block, int kind) {
        require(from, to, block, kind);
        device.run(device.streams().of(0), Graph.Kind.MEMCPY, () -> copy(from, to, block));
    }

    /// Copies that touch pageable memory of the host read it, or have written it, at once.
    private void later(Place from, Place to, Block block, int kind, long stream) {
        require(from, to, block, kind);
        boolean pageable = !isKnown(from.address) || !isKnown(to.address);
        if (pageable) {
            device.run(device.streams().of(stream), Graph.Kind.MEMCPY, () -> copy(from, to, block));
        } else {
            device.submit(
                    device.streams().of(stream), Graph.Kind.MEMCPY, () -> copy(from, to, block));
        }
    }

    /// What a node of a graph does that copies bytes.
    Runnable line(long to, long from, long bytes, int kind) {
        Place origin = Place.line(from, bytes);
        Place target = Place.line(to, bytes);
        require(origin, target, Block.line(bytes), kind);
        return () -> copy(origin, target, Block.line(bytes));
    }

    /// What a node of a graph does that copies a box (`cudaMemcpy3DParms`).
    Runnable box(long parameters) {
        Place from = place(parameters, 0);
        Place to = place(parameters, 64);
        Block block = block(parameters);
        require(from, to, block, Host.getInt(parameters + 152));
        return () -> copy(from, to, block);
    }

    /// What a node of a graph does that fills (`cudaMemsetParams`).
    Runnable filling(long parameters) {
        int element = Host.getInt(parameters + 20);
        Block block =
                new Block(
                        element * Host.getLong(parameters + 24), Host.getLong(parameters + 32), 1);
        Place place = new Place(Host.getLong(parameters), Host.getLong(parameters + 8), 0);
        requireFill(place, block);
        int value = Host.getInt(parameters + 16);
        return () -> fillElements(place, value, element, block);
    }

    private void fillElements(Place place, int value, int element, Block block) {
        if (element == 1) {
            fill(place, value, block);
            return;
        }
        for (long y = 0; y < block.height; y++) {
            long row = place.row(y, 0);
            for (long x = 0; x < block.width; x += element) {
                for (int i = 0; i < element; i++) {
                    Host.putByte(row + x + i, value >>> 8 * i);
                }
            }
            device.memory().wrote(row, block.width);
        }
    }

    private boolean isKnown(long address) {
        return device.memory().isOurs(address);
    }

    /// Copies bytes.
    public void cudaMemcpy(long to, long from, long bytes, int kind) {
        now(Place.line(from, bytes), Place.line(to, bytes), Block.line(bytes), kind);
    }

    /// Copies bytes in the order of a stream.
    public void cudaMemcpyAsync(long to, long from, long bytes, int kind, long stream) {
        later(Place.line(from, bytes), Place.line(to, bytes), Block.line(bytes), kind, stream);
    }

    /// Copies bytes between devices, which are one.
    public void cudaMemcpyPeer(long to, int toDevice, long from, int fromDevice, long bytes) {
        cudaMemcpy(to, from, bytes, DEVICE_TO_DEVICE);
    }

    /// The same in the order of a stream.
    public void cudaMemcpyPeerAsync(
            long to, int toDevice, long from, int fromDevice, long bytes, long stream) {
        cudaMemcpyAsync(to, from, bytes, DEVICE_TO_DEVICE, stream);
    }

    /// Copies rows.
    public void cudaMemcpy2D(
            long to, long toPitch, long from, long fromPitch, long width, long height, int kind) {
        now(
                new Place(from, fromPitch, 0),
                new Place(to, toPitch, 0),
                new Block(width, height, 1),
                kind);
    }

    /// Copies rows in the order of a stream.
    public void cudaMemcpy2DAsync(
            long to,
            long toPitch,
            long from,
            long fromPitch,
            long width,
            long height,
            int kind,
            long stream) {
        later(
                new Place(from, fromPitch, 0),
                new Place(to, toPitch, 0),
                new Block(width, height, 1),
                kind,
                stream);
    }

    /// Copies a box (`cudaMemcpy3DParms`).
    public void cudaMemcpy3D(long parameters) {
        now(
                place(parameters, 0),
                place(parameters, 64),
                block(parameters),
                Host.getInt(parameters + 152));
    }

    /// Copies a box in the order of a stream.
    public void cudaMemcpy3DAsync(long parameters, long stream) {
        later(
                place(parameters, 0),
                place(parameters, 64),
                block(parameters),
                Host.getInt(parameters + 152),
                stream);
    }

    private static Place place(long parameters, int side) {
        long at = parameters + side;
        if (Host.getLong(at) != 0) {
            throw new CudaException(ErrorCode.NOT_SUPPORTED);
        }
        long pitch = Host.getLong(at + 40);
        long plane = pitch * Host.getLong(at + 56);
        long start =
                Host.getLong(at + 32)
                        + Host.getLong(at + 8)
                        + Host.getLong(at + 16) * pitch
                        + Host.getLong(at + 24) * plane;
        return new Place(start, pitch, plane);
    }

    private static Block block(long parameters) {
        return new Block(
                Host.getLong(parameters + 128),
                Host.getLong(parameters + 136),
                Host.getLong(parameters + 144));
    }

    // Symbols.

    private long symbol(long symbol, long offset, long bytes) {
        Buffer variable = device.modules().variable(symbol);
        if (offset < 0 || bytes < 0 || offset > variable.bytes() - bytes) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        return variable.address() + offset;
    }

    /// Copies into a variable of the device.
    public void cudaMemcpyToSymbol(long symbol, long from, long bytes, long offset, int kind) {
        cudaMemcpy(symbol(symbol, offset, bytes), from, bytes, kind);
    }

    /// The same in the order of a stream.
    public void cudaMemcpyToSymbolAsync(
            long symbol, long from, long bytes, long offset, int kind, long stream) {
        cudaMemcpyAsync(symbol(symbol, offset, bytes), from, bytes, kind, stream);
    }

    /// Copies out of a variable of the device.
    public void cudaMemcpyFromSymbol(long to, long symbol, long bytes, long offset, int kind) {
        cudaMemcpy(to, symbol(symbol, offset, bytes), bytes, kind);
    }

    /// The same in the order of a stream.
    public void cudaMemcpyFromSymbolAsync(
            long to, long symbol, long bytes, long offset, int kind, long stream) {
        cudaMemcpyAsync(to, symbol(symbol, offset, bytes), bytes, kind, stream);
    }

    /// The address of a variable.
    public void cudaGetSymbolAddress(long into, long symbol) {
        Host.putLong(into, device.modules().variable(symbol).address());
    }

    /// The size of a variable.
    public void cudaGetSymbolSize(long into, long symbol) {
        Host.putLong(into, device.modules().variable(symbol).bytes());
    }

    // Filling.

    private void requireFill(Place place, Block block) {
        if (!block.isEmpty()) {
            requireSide(place, block, true);
        }
    }

    private void fill(Place place, int value, Block block) {
        if (block.isEmpty()) {
            return;
        }
        for (long z = 0; z < block.depth; z++) {
            for (long y = 0; y < block.height; y++) {
                device.memory().fill(place.row(y, z), value, block.width);
            }
        }
    }

    /// Fills in the order of a stream; with the legacy default stream, too, the host need not wait.
    private void fill(Place place, int value, Block block, long stream) {
        requireFill(place, block);
        device.submit(
                device.streams().of(stream), Graph.Kind.MEMSET, () -> fill(place, value, block));
    }

    /// Fills elements of 2 or 4 bytes in the order of a stream.
    public void fill(long address, int value, int element, long count, long stream) {
        if (address % element != 0) {
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
        Place place = Place.line(address, element * count);
        Block block = Block.line(element * count);
        requireFill(place, block);
        device.submit(
                device.streams().of(stream),
                Graph.Kind.MEMSET,
                () -> fillElements(place, value, element, block));
    }

    /// Fills bytes.
    public void cudaMemset(long address, int value, long bytes) {
        fill(Place.line(address, bytes), value, Block.line(bytes), 0);
    }

    /// Fills bytes in the order of a stream.
    public void cudaMemsetAsync(long address, int value, long bytes, long stream) {
        fill(Place.line(address, bytes), value, Block.line(bytes), stream);
    }

    /// Fills rows.
    public void cudaMemset2D(long address, long pitch, int value, long width, long height) {
        fill(new Place(address, pitch, 0), value, new Block(width, height, 1), 0);
    }

    /// Fills rows in the order of a stream.
    public void cudaMemset2DAsync(
            long address, long pitch, int value, long width, long height, long stream) {
        fill(new Place(address, pitch, 0), value, new Block(width, height, 1), stream);
    }

    /// Fills a box.
    public void cudaMemset3D(
            @Words(4) MemorySegment pointer, int value, @Words(3) MemorySegment extent) {
        cudaMemset3DAsync(pointer, value, extent, 0);
    }

    /// Fills a box in the order of a stream.
    public void cudaMemset3DAsync(
            @Words(4) MemorySegment pointer,
            int value,
            @Words(3) MemorySegment extent,
            long stream) {
        long pitch = pointer.get(ValueLayout.JAVA_LONG, 8);
        Place place =
                new Place(
                        pointer.get(ValueLayout.JAVA_LONG, 0),
                        pitch,
                        pitch * pointer.get(ValueLayout.JAVA_LONG, 24));
        Block block =
                new Block(
                        extent.get(ValueLayout.JAVA_LONG, 0),
                        extent.get(ValueLayout.JAVA_LONG, 8),
                        extent.get(ValueLayout.JAVA_LONG, 16));
        fill(place, value, block, stream);
    }
}
