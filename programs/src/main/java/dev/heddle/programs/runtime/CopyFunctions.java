package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Copies;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Place;
import dev.heddle.programs.device.Place.Block;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.EntryPoints.Words;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.vm.memory.Buffer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// CUDA Runtime API 6.11, Memory Management: what copies and fills.
public record CopyFunctions(Device device, Copies copies, BoxCopies boxes) {
    public CopyFunctions(Device device) {
        this(device, device.copies(), new BoxCopies(device));
    }

    /// A copy of bytes.
    public Copies.Copy line(long to, long from, long bytes, int kind) {
        return copies.of(Place.line(from, bytes), Place.line(to, bytes), Block.line(bytes), kind);
    }

    /// A copy of a box (`cudaMemcpy3DParms`).
    public Copies.Copy box(long parameters) {
        return boxes.read(parameters);
    }

    /// What a node of a graph does that fills (`cudaMemsetParams`).
    public Work fillingOf(long parameters) {
        int element = Host.getInt(parameters + 20);
        refuseIf(element != 1 && element != 2 && element != 4, ErrorCode.INVALID_VALUE);
        Block block =
                new Block(
                        element * Host.getLong(parameters + 24), Host.getLong(parameters + 32), 1);
        return copies.filling(
                Place.rows(Host.getLong(parameters), Host.getLong(parameters + 8)),
                Host.getInt(parameters + 16),
                element,
                block);
    }

    /// Copies bytes.
    public void cudaMemcpy(long to, long from, long bytes, int kind) {
        copies.now(line(to, from, bytes, kind));
    }

    /// Copies bytes in the order of a stream.
    public void cudaMemcpyAsync(long to, long from, long bytes, int kind, long stream) {
        copies.later(line(to, from, bytes, kind), stream);
    }

    /// A single row that is wider than the pitch is refused, too, with another code than several
    /// are.
    private static void requireRows(long width, long height, long... pitches) {
        for (long pitch : pitches) {
            refuseIf(height == 1 && width > pitch, ErrorCode.INVALID_VALUE);
        }
    }

    /// A copy of rows.
    public Copies.Copy rows(
            long to, long toPitch, long from, long fromPitch, long width, long height, int kind) {
        requireRows(width, height, toPitch, fromPitch);
        return copies.of(
                Place.rows(from, fromPitch),
                Place.rows(to, toPitch),
                new Block(width, height, 1),
                kind);
    }

    // Symbols.

    /// A copy into a variable, for a node of a graph.
    public Copies.Copy intoVariable(long symbol, long offset, long from, long bytes, int kind) {
        requireNot(kind, Copies.DEVICE_TO_HOST);
        return line(symbol(symbol, offset, bytes), from, bytes, kind);
    }

    /// A copy out of a variable, for a node of a graph.
    public Copies.Copy outOfVariable(long to, long symbol, long offset, long bytes, int kind) {
        requireNot(kind, Copies.HOST_TO_DEVICE);
        return line(to, symbol(symbol, offset, bytes), bytes, kind);
    }

    /// A variable is the device's.
    private static void requireNot(int kind, int wrong) {
        refuseIf(kind == wrong, ErrorCode.INVALID_MEMCPY_DIRECTION);
    }

    /// The address of a part of a variable.
    public long symbol(long symbol, long offset, long bytes) {
        Buffer variable = device.modules().variable(symbol);
        refuseIf(
                offset < 0 || bytes < 0 || offset > variable.bytes() - bytes,
                ErrorCode.INVALID_VALUE);
        return variable.address() + offset;
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

    private void fill(Place place, int value, Block block, long stream) {
        copies.fill(copies.filling(place, value, 1, block), stream);
    }

    /// Fills elements of 2 or 4 bytes in the order of a stream.
    public void fill(long address, int value, int element, long count, long stream) {
        long bytes = element * count;
        copies.fill(
                copies.filling(Place.line(address, bytes), value, element, Block.line(bytes)),
                stream);
    }

    /// Fills bytes in the order of a stream.
    public void cudaMemsetAsync(long address, int value, long bytes, long stream) {
        fill(Place.line(address, bytes), value, Block.line(bytes), stream);
    }

    /// Fills rows in the order of a stream.
    public void cudaMemset2DAsync(
            long address, long pitch, int value, long width, long height, long stream) {
        fill(Place.rows(address, pitch), value, new Block(width, height, 1), stream);
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
