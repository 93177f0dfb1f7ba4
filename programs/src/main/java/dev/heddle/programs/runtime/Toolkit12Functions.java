package dev.heddle.programs.runtime;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Textures;
import dev.heddle.programs.host.Host;

import java.util.Arrays;

/// Functions whose parameters or structures were others in CUDA 12: each by its name and `_v1`. A
/// program of CUDA 12 is given these in place of those of 13. Those that only leave parameters out
/// stand in `aliases.txt`.
public record Toolkit12Functions(Device device) {
    private static final int VERSION = 12090;

    // The sizes of structures that grew.
    private static final int RESOURCE_BYTES = 64;
    private static final int VIEW_BYTES = 48;

    /// The last version of that toolkit: which one it was is not known.
    public void cudaRuntimeGetVersion_v1(long into) {
        Host.putInt(into, VERSION);
    }

    private void resource(long into, long object) {
        byte[] resource = device.objects().description(object).resource();
        Textures.write(into, Arrays.copyOf(resource, Math.min(resource.length, RESOURCE_BYTES)));
    }

    public void cudaGetTextureObjectResourceDesc_v1(long into, long texture) {
        resource(into, texture);
    }

    public void cudaGetSurfaceObjectResourceDesc_v1(long into, long surface) {
        resource(into, surface);
    }

    public void cudaGetTextureObjectResourceViewDesc_v1(long into, long texture) {
        byte[] view = device.objects().description(texture).view();
        Textures.write(into, Arrays.copyOf(view, Math.min(view.length, VIEW_BYTES)));
    }
}
