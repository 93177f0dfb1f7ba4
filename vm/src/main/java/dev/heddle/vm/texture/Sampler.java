package dev.heddle.vm.texture;

import java.util.List;

/// How a texture is read: what `cudaTextureDesc` says.
///
/// @param addressing what becomes of coordinates outside, along x, y and z
/// @param filter between texels
/// @param normalized whether coordinates go from 0 to 1
/// @param asNumbers whether integers are read as numbers between 0 or -1 and 1
/// @param srgb whether the first three channels of 8 bits are sRGB
/// @param border what [Addressing#BORDER] gives, a value for each channel
/// @param levels how levels of detail are chosen
public record Sampler(
        List<Addressing> addressing,
        Filter filter,
        boolean normalized,
        boolean asNumbers,
        boolean srgb,
        List<Float> border,
        Levels levels) {

    /// What becomes of a coordinate outside the texture.
    public enum Addressing {
        WRAP,
        CLAMP,
        MIRROR,
        BORDER
    }

    /// What is made of texels near a coordinate.
    public enum Filter {
        /// The one it lies in.
        POINT,
        /// Their weighted mean.
        LINEAR
    }

    /// Levels of detail.
    ///
    /// @param filter between two levels
    /// @param bias added to the level asked for
    /// @param least of levels
    /// @param most of levels
    public record Levels(Filter filter, float bias, float least, float most) {
        /// The first level alone.
        public static final Levels FIRST = new Levels(Filter.POINT, 0, 0, 0);
    }

    /// Nearest texel, clamped, coordinates in texels.
    public static final Sampler POINT =
            new Sampler(
                    List.of(Addressing.CLAMP, Addressing.CLAMP, Addressing.CLAMP),
                    Filter.POINT,
                    false,
                    false,
                    false,
                    List.of(0f, 0f, 0f, 0f),
                    Levels.FIRST);

    public Sampler {
        addressing = List.copyOf(addressing);
        border = List.copyOf(border);
        if (addressing.size() != 3 || border.size() != 4) {
            throw new IllegalArgumentException("a sampler has three modes and four border values");
        }
    }
}
