package dev.heddle.programs.driver;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Textures;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.vm.texture.Sampler;
import dev.heddle.vm.texture.TexelFormat;

/// CUDA Driver API 6.28 and 6.30: texture and surface objects.
public record TextureDriverFunctions(Device device) {
    // CUDA_TEXTURE_DESC
    private static final int FILTER = 12;
    private static final int FLAGS = 16;
    private static final int MIPMAP = 24;
    private static final int BORDER = 40;
    private static final int BYTES = 104;

    private static final int READ_AS_INTEGER = 1;
    private static final int NORMALIZED_COORDINATES = 2;
    private static final int SRGB = 0x10;
    private static final int LINEAR = 1;

    private static final Textures.Structures STRUCTURES =
            new Textures.Structures(
                    TextureDriverFunctions::linear, TextureDriverFunctions::sampler, BYTES);

    private static Textures.Linear linear(long address) {
        return new Textures.Linear(ArrayFormat.read(address), address + ArrayFormat.BYTES);
    }

    private static Sampler sampler(long sampling, TexelFormat format) {
        int flags = Host.getInt(sampling + FLAGS);
        // Integers of 32 bits are never read as numbers.
        boolean numbers = (flags & READ_AS_INTEGER) == 0 && format.channel().isNormalizable();
        refuseIf(
                !format.channel().isFloat() && !numbers && Host.getInt(sampling + FILTER) == LINEAR,
                ErrorCode.INVALID_VALUE);
        return Textures.sampler(
                sampling,
                Host.getInt(sampling + FILTER),
                (flags & NORMALIZED_COORDINATES) != 0,
                numbers,
                (flags & SRGB) != 0,
                sampling + BORDER,
                Textures.mipmap(sampling + MIPMAP));
    }

    /// A texture object.
    public void cuTexObjectCreate(long into, long resource, long sampling, long view) {
        Host.putLong(into, device.objects().create(STRUCTURES, resource, sampling, view));
    }
}
