package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Arrays.Shape;
import dev.heddle.programs.device.Copies;
import dev.heddle.programs.device.CudaArray;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Place;
import dev.heddle.programs.device.Place.Block;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.EntryPoints.Words;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// CUDA Runtime API 6.11, Memory Management: CUDA arrays, and the copies of rows that reach them.
public final class ArrayFunctions {
    private final Device device;

    public ArrayFunctions(Device device) {
        this.device = device;
    }

    // Allocation.

    /// The structure of a format, returned by value: `into` is where the caller wants it.
    public long cudaCreateChannelDesc(long into, int x, int y, int z, int w, int kind) {
        int[] fields = {x, y, z, w, kind};
        for (int i = 0; i < fields.length; i++) {
            Host.putInt(into + 4L * i, fields[i]);
        }
        return into;
    }

    /// An array of one or two dimensions.
    public void cudaMallocArray(long into, long format, long width, long height, int flags) {
        Shape shape = new Shape(width, height, 0);
        Host.putLong(into, device.arrays().allocate(ChannelFormat.read(format), shape, flags));
    }

    private static Shape shape(MemorySegment extent) {
        return new Shape(
                extent.get(ValueLayout.JAVA_LONG, 0),
                extent.get(ValueLayout.JAVA_LONG, 8),
                extent.get(ValueLayout.JAVA_LONG, 16));
    }

    /// An array of up to three dimensions, or of layers or faces.
    public void cudaMalloc3DArray(
            long into, long format, @Words(3) MemorySegment extent, int flags) {
        Host.putLong(
                into, device.arrays().allocate(ChannelFormat.read(format), shape(extent), flags));
    }

    /// An array of several levels of detail.
    public void cudaMallocMipmappedArray(
            long into, long format, @Words(3) MemorySegment extent, int levels, int flags) {
        Host.putLong(
                into,
                device.arrays().allocate(ChannelFormat.read(format), shape(extent), flags, levels));
    }

    /// One level as an array.
    public void cudaGetMipmappedArrayLevel(long into, long mipmapped, int level) {
        List<Long> levels = device.arrays().levels(mipmapped);
        refuseIf(level < 0 || level >= levels.size(), ErrorCode.INVALID_VALUE);
        Host.putLong(into, levels.get(level));
    }

    /// Frees an array, once all work is done.
    public void cudaFreeArray(long array) {
        if (array != 0) {
            device.settleStreams();
            device.arrays().free(array);
        }
    }

    /// Frees a mipmapped array, once all work is done.
    public void cudaFreeMipmappedArray(long mipmapped) {
        if (mipmapped != 0) {
            device.settleStreams();
            device.arrays().freeLevels(mipmapped);
        }
    }

    /// The format of an array.
    public void cudaGetChannelDesc(long into, long array) {
        ChannelFormat.write(into, device.arrays().of(array).texels().format());
    }

    /// Format, extent and flags of an array.
    public void cudaArrayGetInfo(long format, long extent, long flags, long array) {
        CudaArray asked = device.arrays().of(array);
        if (format != 0) {
            ChannelFormat.write(format, asked.texels().format());
        }
        if (extent != 0) {
            Host.putLong(extent, asked.texels().width());
            Host.putLong(extent + 8, asked.texels().height());
            Host.putLong(extent + 16, asked.texels().depth());
        }
        if (flags != 0) {
            Host.putInt(flags, asked.flags());
        }
    }

    // Copies. Offsets into a row of an array count bytes.

    private Copies.Copy into(
            long array, long x, long y, long from, long pitch, Block block, int kind) {
        Place target = device.arrays().of(array).place(x, y, 0, block);
        return device.copies().of(Place.rows(from, pitch), target, block, kind);
    }

    private Copies.Copy outOf(
            long array, long x, long y, long to, long pitch, Block block, int kind) {
        Place source = device.arrays().of(array).place(x, y, 0, block);
        return device.copies().of(source, Place.rows(to, pitch), block, kind);
    }

    /// Copies rows into an array.
    public void cudaMemcpy2DToArray(
            long array, long x, long y, long from, long pitch, long width, long height, int kind) {
        Block block = new Block(width, height, 1);
        device.copies().now(into(array, x, y, from, pitch, block, kind));
    }

    /// Copies rows into an array in the order of a stream.
    public void cudaMemcpy2DToArrayAsync(
            long array,
            long x,
            long y,
            long from,
            long pitch,
            long width,
            long height,
            int kind,
            long stream) {
        Block block = new Block(width, height, 1);
        device.copies().later(into(array, x, y, from, pitch, block, kind), stream);
    }

    /// Copies rows out of an array.
    public void cudaMemcpy2DFromArray(
            long to, long pitch, long array, long x, long y, long width, long height, int kind) {
        Block block = new Block(width, height, 1);
        device.copies().now(outOf(array, x, y, to, pitch, block, kind));
    }

    /// Copies rows out of an array in the order of a stream.
    public void cudaMemcpy2DFromArrayAsync(
            long to,
            long pitch,
            long array,
            long x,
            long y,
            long width,
            long height,
            int kind,
            long stream) {
        Block block = new Block(width, height, 1);
        device.copies().later(outOf(array, x, y, to, pitch, block, kind), stream);
    }

    /// Copies rows from array to array.
    public void cudaMemcpy2DArrayToArray(
            long to,
            long toX,
            long toY,
            long from,
            long fromX,
            long fromY,
            long width,
            long height,
            int kind) {
        Block block = new Block(width, height, 1);
        device.copies()
                .now(
                        device.copies()
                                .of(
                                        device.arrays().of(from).place(fromX, fromY, 0, block),
                                        device.arrays().of(to).place(toX, toY, 0, block),
                                        block,
                                        kind));
    }

    private Place line(long array, long x, long y, long bytes) {
        return device.arrays().of(array).rows(x, y, bytes);
    }

    /// Copies bytes into an array, from row to row.
    public void cudaMemcpyToArray(long array, long x, long y, long from, long bytes, int kind) {
        copy(Place.line(from, bytes), line(array, x, y, bytes), bytes, kind);
    }

    /// The same in the order of a stream.
    public void cudaMemcpyToArrayAsync(
            long array, long x, long y, long from, long bytes, int kind, long stream) {
        device.copies()
                .later(
                        device.copies()
                                .of(
                                        Place.line(from, bytes),
                                        line(array, x, y, bytes),
                                        Block.line(bytes),
                                        kind),
                        stream);
    }

    /// Copies bytes out of an array, from row to row.
    public void cudaMemcpyFromArray(long to, long array, long x, long y, long bytes, int kind) {
        copy(line(array, x, y, bytes), Place.line(to, bytes), bytes, kind);
    }

    /// The same in the order of a stream.
    public void cudaMemcpyFromArrayAsync(
            long to, long array, long x, long y, long bytes, int kind, long stream) {
        device.copies()
                .later(
                        device.copies()
                                .of(
                                        line(array, x, y, bytes),
                                        Place.line(to, bytes),
                                        Block.line(bytes),
                                        kind),
                        stream);
    }

    /// Copies bytes from array to array, from row to row.
    public void cudaMemcpyArrayToArray(
            long to, long toX, long toY, long from, long fromX, long fromY, long bytes, int kind) {
        copy(line(from, fromX, fromY, bytes), line(to, toX, toY, bytes), bytes, kind);
    }

    private void copy(Place from, Place to, long bytes, int kind) {
        device.copies().now(device.copies().of(from, to, Block.line(bytes), kind));
    }

    /// No array has planes, or waits for memory, or is sparse.
    private int refused(long array) {
        device.arrays().of(array);
        throw new CudaException(ErrorCode.INVALID_VALUE);
    }

    /// A plane of an array.
    public int cudaArrayGetPlane(long into, long array, int plane) {
        return refused(array);
    }

    /// The memory that an array waits for.
    public int cudaArrayGetMemoryRequirements(long into, long array, int number) {
        return refused(array);
    }

    private int refusedLevels(long mipmapped) {
        device.arrays().levels(mipmapped);
        throw new CudaException(ErrorCode.INVALID_VALUE);
    }

    /// The memory that a mipmapped array waits for.
    public int cudaMipmappedArrayGetMemoryRequirements(long into, long mipmapped, int number) {
        return refusedLevels(mipmapped);
    }

    /// How a mipmapped array is sparse.
    public int cudaMipmappedArrayGetSparseProperties(long into, long mipmapped) {
        return refusedLevels(mipmapped);
    }

    /// How an array is sparse.
    public int cudaArrayGetSparseProperties(long into, long array) {
        return refused(array);
    }
}
