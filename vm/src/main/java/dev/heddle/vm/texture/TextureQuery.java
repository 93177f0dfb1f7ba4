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
            case "channel_data_type" -> dataType(array.format(), sampler.asNumbers());
            default -> of(array, query);
        };
    }

    /// OpenCL's number of a channel's type (PTX ISA 5.3.3, table 12).
    ///
    /// @param asNumbers whether integers are read as numbers between 0 or -1 and 1
    private static int dataType(TexelFormat format, boolean asNumbers) {
        return switch (format.channel()) {
            case S8 -> asNumbers ? 0x10d0 : 0x10d7;
            case S16 -> asNumbers ? 0x10d1 : 0x10d8;
            case U8 -> asNumbers ? 0x10d2 : 0x10da;
            case U16 -> asNumbers ? 0x10d3 : 0x10db;
            case S32 -> 0x10d9;
            case U32 -> 0x10dc;
            case F16 -> 0x10dd;
            case F32 -> 0x10de;
        };
    }

    /// OpenCL's number of `CL_R`, `CL_RG` or `CL_RGBA` (PTX ISA 5.3.3, table 13).
    private static int order(TexelFormat format) {
        return switch (format.channels()) {
            case 1 -> 0x10b0;
            case 2 -> 0x10b2;
            default -> 0x10b5;
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
            case "channel_data_type" -> dataType(surface.format(), false);
            case "channel_order" -> order(surface.format());
            default -> throw new IllegalArgumentException("no answer to " + query);
        };
    }
}
