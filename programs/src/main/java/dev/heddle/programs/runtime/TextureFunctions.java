package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Textures;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.vm.texture.Sampler;
import dev.heddle.vm.texture.TexelFormat;

/// CUDA Runtime API 6.29 and 6.30: texture and surface objects.
public record TextureFunctions(Device device) {
    // cudaTextureDesc
    private static final int FILTER = 12;
    private static final int READ_MODE = 16;
    private static final int SRGB = 20;
    private static final int BORDER = 24;
    private static final int NORMALIZED = 40;
    private static final int MIPMAP = 48;
    private static final int BYTES = 72;

    private static final int LINEAR = 1;

    private static final Textures.Structures STRUCTURES =
            new Textures.Structures(TextureFunctions::linear, TextureFunctions::sampler, BYTES);

    private static Textures.Linear linear(long address) {
        // The structure has 20 bytes; what follows is aligned to 8.
        return new Textures.Linear(
                ChannelFormat.read(address), address + (ChannelFormat.BYTES + 7) / 8 * 8);
    }

    private static Sampler sampler(long sampling, TexelFormat format) {
        boolean numbers = Host.getInt(sampling + READ_MODE) != 0;
        refuseIf(
                numbers && !format.channel().isFloat() && !format.channel().isNormalizable(),
                ErrorCode.INVALID_NORM_SETTING);
        boolean integers = !format.channel().isFloat() && !numbers;
        refuseIf(
                integers && Host.getInt(sampling + FILTER) == LINEAR,
                ErrorCode.INVALID_FILTER_SETTING);
        return Textures.sampler(
                sampling,
                Host.getInt(sampling + FILTER),
                Host.getInt(sampling + NORMALIZED) != 0,
                numbers && format.channel().isNormalizable(),
                Host.getInt(sampling + SRGB) != 0,
                sampling + BORDER,
                Textures.mipmap(sampling + MIPMAP));
    }

    /// A texture object.
    public void cudaCreateTextureObject(long into, long resource, long sampling, long view) {
        Host.putLong(into, device.objects().create(STRUCTURES, resource, sampling, view));
    }

    /// Forgets a texture object.
    public void cudaDestroyTextureObject(long texture) {
        device.objects().destroy(texture);
    }

    /// What a texture object reads.
    public void cudaGetTextureObjectResourceDesc(long into, long texture) {
        Textures.write(into, device.objects().description(texture).resource());
    }

    /// How a texture object reads.
    public void cudaGetTextureObjectTextureDesc(long into, long texture) {
        Textures.write(into, device.objects().description(texture).sampling());
    }

    /// As what a texture object sees its array.
    public void cudaGetTextureObjectResourceViewDesc(long into, long texture) {
        Textures.write(into, device.objects().description(texture).view());
    }

    /// A surface object.
    public void cudaCreateSurfaceObject(long into, long resource) {
        Host.putLong(into, device.objects().createSurface(resource));
    }
}
