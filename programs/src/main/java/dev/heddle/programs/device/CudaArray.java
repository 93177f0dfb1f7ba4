package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Place.Block;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.vm.texture.TexelArray;

/// A CUDA array: texels that only copies, textures and surfaces reach.
///
/// @param texels what it holds
/// @param address where the first is
/// @param flags of `cudaMalloc3DArray`
public record CudaArray(TexelArray texels, long address, int flags) {
    /// `cudaArrayLayered`.
    public static final int LAYERED = 1;

    /// `cudaArraySurfaceLoadStore`.
    public static final int SURFACE_LOAD_STORE = 2;

    /// `cudaArrayCubemap`.
    public static final int CUBEMAP = 4;

    /// `cudaArrayTextureGather`.
    static final int TEXTURE_GATHER = 8;

    /// Where a block in it is.
    ///
    /// @param x bytes of a row before it
    /// @param y rows before it
    /// @param z slices or layers before it
    /// @throws CudaException where it does not lie inside
    public Place place(long x, long y, long z, Block block) {
        requireInside(x, block.width(), texels.rowPitch());
        requireInside(y, block.height(), Math.max(1, texels.height()));
        requireInside(z, block.depth(), Math.max(1, texels.depth()));
        return new Place(
                address + z * texels.slicePitch() + y * texels.rowPitch() + x,
                texels.rowPitch(),
                texels.slicePitch());
    }

    /// Where bytes are that go on from row to row.
    ///
    /// @param x bytes of a row before them
    /// @param y rows before them
    /// @throws CudaException where they do not lie inside
    public Place rows(long x, long y, long bytes) {
        requireInside(x, 0, texels.rowPitch());
        requireInside(y, 0, Math.max(1, texels.height()));
        long first = y * texels.rowPitch() + x;
        requireInside(first, bytes, texels.slicePitch());
        return Place.line(address + first, bytes);
    }

    private static void requireInside(long from, long count, long extent) {
        refuseIf(from < 0 || count < 0 || from > extent - count, ErrorCode.INVALID_VALUE);
    }

    /// Where bytes in its first row are. `cuMemcpyAtoH` and its kin reach no other (H100, driver
    /// 580.159.04, 2026-11-22).
    ///
    /// @param offset of the first
    /// @throws CudaException where they do not lie inside
    public Place line(long offset, long bytes) {
        requireInside(offset, bytes, texels.rowPitch());
        return Place.line(address + offset, bytes);
    }
}
