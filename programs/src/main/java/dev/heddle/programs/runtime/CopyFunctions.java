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
public final class CopyFunctions {
    private final Device device;
    private final Copies copies;
    private final BoxCopies boxes;

    public CopyFunctions(Device device) {
        this.device = device;
        copies = device.copies();
        boxes = new BoxCopies(device);
    }

    private void now(Place from, Place to, Block block, int kind) {
        copies.now(copies.of(from, to, block, kind));
    }

    private void later(Place from, Place to, Block block, int kind, long stream) {
        copies.later(copies.of(from, to, block, kind), stream);
    }

    /// What a node of a graph does that copies bytes.
    Work line(long to, long from, long bytes, int kind) {
        return copies.work(
                copies.of(Place.line(from, bytes), Place.line(to, bytes), Block.line(bytes), kind));
    }

    /// What a node of a graph does that copies a box (`cudaMemcpy3DParms`).
    Work box(long parameters) {
        return copies.work(boxes.read(parameters));
    }

    /// What a node of a graph does that fills (`cudaMemsetParams`).
    Work filling(long parameters) {
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
        now(Place.line(from, bytes), Place.line(to, bytes), Block.line(bytes), kind);
    }

    /// Copies bytes in the order of a stream.
    public void cudaMemcpyAsync(long to, long from, long bytes, int kind, long stream) {
        later(Place.line(from, bytes), Place.line(to, bytes), Block.line(bytes), kind, stream);
    }

    /// A single row that is wider than the pitch is refused, too, with another code than several
    /// are.
    private static void requireRows(long width, long height, long... pitches) {
        for (long pitch : pitches) {
            refuseIf(height == 1 && width > pitch, ErrorCode.INVALID_VALUE);
        }
    }

    /// Copies rows.
    public void cudaMemcpy2D(
            long to, long toPitch, long from, long fromPitch, long width, long height, int kind) {
        requireRows(width, height, toPitch, fromPitch);
        now(
                Place.rows(from, fromPitch),
                Place.rows(to, toPitch),
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
        requireRows(width, height, toPitch, fromPitch);
        later(
                Place.rows(from, fromPitch),
                Place.rows(to, toPitch),
                new Block(width, height, 1),
                kind,
                stream);
    }

    /// Copies a box (`cudaMemcpy3DParms`).
    public void cudaMemcpy3D(long parameters) {
        copies.now(boxes.read(parameters));
    }

    /// Copies a box in the order of a stream.
    public void cudaMemcpy3DAsync(long parameters, long stream) {
        copies.later(boxes.read(parameters), stream);
    }

    /// Whether two copies of graphs are between the same kinds of memory, the host's or the
    /// device's.
    boolean joinsTheSame(Work first, Work second) {
        return first instanceof Work.Copying(Copies.Copy a, _)
                && second instanceof Work.Copying(Copies.Copy b, _)
                && device.memory().isOurs(a.from().address())
                        == device.memory().isOurs(b.from().address())
                && device.memory().isOurs(a.to().address())
                        == device.memory().isOurs(b.to().address());
    }

    // Symbols.

    /// What a node of a graph does that copies into a variable.
    Work into(long symbol, long offset, long from, long bytes, int kind) {
        requireNot(kind, Copies.DEVICE_TO_HOST);
        return line(symbol(symbol, offset, bytes), from, bytes, kind);
    }

    /// What a node of a graph does that copies out of a variable.
    Work outOf(long symbol, long offset, long to, long bytes, int kind) {
        requireNot(kind, Copies.HOST_TO_DEVICE);
        return line(to, symbol(symbol, offset, bytes), bytes, kind);
    }

    /// A variable is the device's.
    private static void requireNot(int kind, int wrong) {
        refuseIf(kind == wrong, ErrorCode.INVALID_MEMCPY_DIRECTION);
    }

    /// The address of a part of a variable.
    long symbol(long symbol, long offset, long bytes) {
        Buffer variable = device.modules().variable(symbol);
        refuseIf(
                offset < 0 || bytes < 0 || offset > variable.bytes() - bytes,
                ErrorCode.INVALID_VALUE);
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
