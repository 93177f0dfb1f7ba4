package dev.heddle.vm.launch;

import dev.heddle.vm.Argument;
import dev.heddle.vm.texture.Sampler;
import dev.heddle.vm.texture.Sampler.Addressing;
import dev.heddle.vm.texture.Sampler.Filter;
import dev.heddle.vm.texture.Sampler.Levels;
import dev.heddle.vm.texture.TexelArray.Layering;
import dev.heddle.vm.texture.TexelFormat;
import dev.heddle.vm.texture.TexelFormat.Channel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Textures and surfaces of a launch file.
final class TextureReader {
    static final Set<String> SURFACE = Set.of("surface", "format", "channels", "shape", "layering");
    static final Set<String> TEXTURE =
            Set.of(
                    """
                    texture format channels shape layering levels filter address coordinates read
                    srgb border mipmap
                    """
                            .split("\\s"));
    private static final int MOST_LEVELS = 16;

    private TextureReader() {}

    static Argument read(JsonFields fields) {
        if (fields.has("surface")) {
            fields.allow(SURFACE);
            return new Argument.Surface(texels(fields, "surface"));
        }
        fields.allow(TEXTURE);
        Argument.Texels texels = texels(fields, "texture");
        int levels = fields.has("levels") ? fields.whole("levels", 1, MOST_LEVELS) : 1;
        Channel channel = texels.format().channel();
        boolean numbers = word(fields, "read", List.of("element", "normalized")) == 1;
        if (numbers && !channel.isNormalizable()) {
            throw fields.bad("read", "element: only 8 and 16-bit integers are read as numbers");
        }
        Filter filter = filter(fields);
        if (filter == Filter.LINEAR && !channel.isFloat() && !numbers) {
            throw fields.bad("filter", "point: integers are filtered with read normalized alone");
        }
        return new Argument.Texture(
                texels,
                levels,
                new Sampler(
                        addressing(fields),
                        filter,
                        word(fields, "coordinates", List.of("texels", "normalized")) == 1,
                        numbers,
                        fields.has("srgb") && fields.truth("srgb"),
                        border(fields),
                        levels(fields, levels)));
    }

    private static Argument.Texels texels(JsonFields fields, String field) {
        Argument.Address base = ArgumentReader.address(fields, field, fields.text(field));
        int channels = fields.has("channels") ? fields.whole("channels", 1, 4) : 1;
        if (channels == 3) {
            throw fields.bad("channels", "1, 2 or 4");
        }
        List<Integer> shape = fields.extents("shape");
        if (shape.isEmpty() || shape.size() > 3) {
            throw fields.bad("shape", "width, height and depth or layers: one to three extents");
        }
        Layering layering =
                Layering.values()[
                        word(
                                fields,
                                "layering",
                                List.of("none", "layered", "cubemap", "cubemap-layered"))];
        // The layers of a one-dimensional texture follow its width.
        boolean rows = layering == Layering.LAYERED && shape.size() == 2;
        int height = shape.size() > 1 && !rows ? shape.get(1) : 0;
        int depth = rows ? shape.get(1) : shape.size() > 2 ? shape.get(2) : 0;
        return new Argument.Texels(
                base,
                new TexelFormat(channel(fields), channels),
                shape.getFirst(),
                height,
                depth,
                layering);
    }

    private static Channel channel(JsonFields fields) {
        String name = fields.text("format");
        return Arrays.stream(Channel.values())
                .filter(channel -> channel.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> fields.bad("format", "u8 u16 u32 s8 s16 s32 f16 or f32"));
    }

    /// Which of these words a field has; the first where there is no field.
    private static int word(JsonFields fields, String field, List<String> words) {
        int index = words.indexOf(fields.text(field, words.getFirst()));
        if (index < 0) {
            throw fields.bad(field, String.join(", ", words));
        }
        return index;
    }

    private static Filter filter(JsonFields fields) {
        return Filter.values()[word(fields, "filter", List.of("point", "linear"))];
    }

    /// One mode for all axes, or one for each.
    private static List<Addressing> addressing(JsonFields fields) {
        List<String> given = new ArrayList<>();
        if (!fields.has("address")) {
            given.add("clamp");
        } else if (fields.isList("address")) {
            fields.list("address").forEach(value -> given.add(String.valueOf(value.value())));
        } else {
            given.add(fields.text("address"));
        }
        List<Addressing> modes = new ArrayList<>();
        for (String text : given) {
            Optional<Addressing> mode =
                    Arrays.stream(Addressing.values())
                            .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(text))
                            .findFirst();
            modes.add(
                    mode.orElseThrow(() -> fields.bad("address", "wrap, clamp, mirror or border")));
        }
        if (modes.isEmpty() || modes.size() > 3) {
            throw fields.bad("address", "a mode, or one for each axis");
        }
        while (modes.size() < 3) {
            modes.add(modes.getLast());
        }
        return modes;
    }

    private static List<Float> border(JsonFields fields) {
        List<Float> border = new ArrayList<>();
        if (fields.has("border")) {
            for (JsonValue value : fields.list("border")) {
                if (!(value.value() instanceof Number number)) {
                    throw fields.bad("border", "up to four numbers");
                }
                border.add(number.floatValue());
            }
        }
        if (border.size() > 4) {
            throw fields.bad("border", "up to four numbers");
        }
        while (border.size() < 4) {
            border.add(0f);
        }
        return border;
    }

    private static Levels levels(JsonFields fields, int levels) {
        if (!fields.has("mipmap")) {
            return new Levels(Filter.POINT, 0, 0, levels - 1);
        }
        JsonFields mipmap = fields.object("mipmap");
        mipmap.allow(Set.of("filter", "bias", "least", "most"));
        return new Levels(
                filter(mipmap),
                mipmap.has("bias") ? (float) mipmap.number("bias") : 0,
                mipmap.has("least") ? (float) mipmap.number("least") : 0,
                mipmap.has("most") ? (float) mipmap.number("most") : levels - 1);
    }
}
