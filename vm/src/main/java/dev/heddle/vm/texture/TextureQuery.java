package dev.heddle.vm.texture;

/// What `txq` and `suq` answer (PTX ISA 9.7.10.5 and 9.7.11.4).
public final class TextureQuery {
    private TextureQuery() {}

    /// What a texture answers.
    ///
    /// @param query the manual's word
    /// @param level of detail whose extent is asked
    public static int of(Texture texture, String query, int level) {
        Sampler sampler = texture.sampler();
        int last = texture.levels().size() - 1;
        TexelArray array = texture.levels().get(Math.clamp(level, 0, last));
        return switch (query) {
            case "normalized_coords" -> sampler.normalized() ? 1 : 0;
            case "num_mipmap_levels" -> texture.levels().size();
            case "num_samples" -> 0;
            case "filter_mode" -> sampler.filter().ordinal();
            case "addr_mode_0" -> mode(sampler, 0);
            case "addr_mode_1" -> mode(sampler, 1);
            case "addr_mode_2" -> mode(sampler, 2);
            default -> of(array, query);
        };
    }

    /// Of `enum { wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border }`.
    private static int mode(Sampler sampler, int axis) {
        return switch (sampler.addressing().get(axis)) {
            case WRAP -> 0;
            case MIRROR -> 1;
            case CLAMP -> 3;
            case BORDER -> 4;
        };
    }

    /// What a surface answers.
    ///
    /// @param query the manual's word
    public static int of(TexelArray surface, String query) {
        return switch (query) {
            case "width" -> surface.width();
            case "height" -> surface.height();
            case "depth" -> surface.slices();
            case "array_size" -> surface.layers();
            case "memory_layout" -> 0;
            default -> throw new IllegalArgumentException("no answer to " + query);
        };
    }
}
