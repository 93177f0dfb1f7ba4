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
public record ArrayFunctions(Device device) {

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
        Host.putIntIfAsked(flags, asked.flags());
    }

    // Copies. Offsets into a row of an array count bytes.

    /// A copy of rows into an array.
    public Copies.Copy rowsIntoArray(
            long array, long x, long y, long from, long pitch, long width, long height, int kind) {
        Block block = new Block(width, height, 1);
        return device.copies().of(Place.rows(from, pitch), place(array, x, y, block), block, kind);
    }

    /// A copy of rows out of an array.
    public Copies.Copy rowsOutOfArray(
            long to, long pitch, long array, long x, long y, long width, long height, int kind) {
        Block block = new Block(width, height, 1);
        return device.copies().of(place(array, x, y, block), Place.rows(to, pitch), block, kind);
    }

    /// A copy of rows from array to array.
    public Copies.Copy rowsOfArrays(
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
        return device.copies()
                .of(place(from, fromX, fromY, block), place(to, toX, toY, block), block, kind);
    }

    private Place place(long array, long x, long y, Block block) {
        return device.arrays().of(array).place(x, y, 0, block);
    }

    // Bytes of an array go on from row to row.

    /// A copy of bytes into an array.
    public Copies.Copy intoArray(long array, long x, long y, long from, long bytes, int kind) {
        return copy(Place.line(from, bytes), line(array, x, y, bytes), bytes, kind);
    }

    /// A copy of bytes out of an array.
    public Copies.Copy outOfArray(long to, long array, long x, long y, long bytes, int kind) {
        return copy(line(array, x, y, bytes), Place.line(to, bytes), bytes, kind);
    }

    /// A copy of bytes from array to array.
    public Copies.Copy ofArrays(
            long to, long toX, long toY, long from, long fromX, long fromY, long bytes, int kind) {
        return copy(line(from, fromX, fromY, bytes), line(to, toX, toY, bytes), bytes, kind);
    }

    private Place line(long array, long x, long y, long bytes) {
        return device.arrays().of(array).rows(x, y, bytes);
    }

    private Copies.Copy copy(Place from, Place to, long bytes, int kind) {
        return device.copies().of(from, to, Block.line(bytes), kind);
    }

    // No array has planes, or waits for memory, or is sparse.

    /// Refuses what is asked of an array.
    public int refuseArray(long array) {
        device.arrays().of(array);
        throw new CudaException(ErrorCode.INVALID_VALUE);
    }

    /// Refuses what is asked of a mipmapped array.
    public int refuseLevels(long mipmapped) {
        device.arrays().levels(mipmapped);
        throw new CudaException(ErrorCode.INVALID_VALUE);
    }
}
