package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Copies;
import dev.heddle.programs.device.CudaArray;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Place;
import dev.heddle.programs.device.Place.Block;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import org.jspecify.annotations.Nullable;

/// What a `cudaMemcpy3DParms` says. Positions in an array count its texels, all others bytes; so
/// does the extent, where an array takes part.
record BoxCopies(Device device) {
    private static final int SOURCE = 0;
    private static final int TARGET = 64;
    private static final int EXTENT = 128;
    private static final int KIND = 152;

    /// The copy that a structure describes.
    ///
    /// @throws CudaException where it describes none
    Copies.Copy read(long parameters) {
        return read(
                parameters + SOURCE,
                parameters + TARGET,
                parameters + EXTENT,
                Host.getInt(parameters + KIND));
    }

    /// The copy between two sides, each of an array, a `cudaPos` and a `cudaPitchedPtr`.
    ///
    /// @param extent the address of a `cudaExtent`
    /// @param kind a `cudaMemcpyKind`
    /// @throws CudaException where they describe none
    Copies.Copy read(long from, long to, long extent, int kind) {
        CudaArray source = array(from);
        CudaArray target = array(to);
        Block block = block(extent, texel(source, target));
        return device.copies()
                .of(place(from, source, block), place(to, target, block), block, kind);
    }

    /// The bytes that an extent counts: those of a texel where an array takes part.
    ///
    /// @throws CudaException where two arrays have texels of different sizes
    static int texel(@Nullable CudaArray source, @Nullable CudaArray target) {
        CudaArray either = source == null ? target : source;
        int texel = either == null ? 1 : either.texels().format().bytes();
        refuseIf(
                source != null && target != null && target.texels().format().bytes() != texel,
                ErrorCode.INVALID_VALUE);
        return texel;
    }

    /// The block that a `cudaExtent` describes.
    static Block block(long extent, int texel) {
        return new Block(
                Host.getLong(extent) * texel, Host.getLong(extent + 8), Host.getLong(extent + 16));
    }

    private @Nullable CudaArray array(long side) {
        long handle = Host.getLong(side);
        return handle == 0 ? null : device.arrays().of(handle);
    }

    private static Place place(long side, @Nullable CudaArray array, Block block) {
        long x = Host.getLong(side + 8);
        long y = Host.getLong(side + 16);
        long z = Host.getLong(side + 24);
        if (array != null) {
            return array.place(x * array.texels().format().bytes(), y, z, block);
        }
        long pitch = Host.getLong(side + 40);
        long plane = pitch * Host.getLong(side + 56);
        return new Place(Host.getLong(side + 32) + x + y * pitch + z * plane, pitch, plane);
    }
}
