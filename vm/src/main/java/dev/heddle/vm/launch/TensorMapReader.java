package dev.heddle.vm.launch;

import dev.heddle.formats.Format;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Argument.TensorMap.Atomicity;
import dev.heddle.vm.Argument.TensorMap.Box;
import dev.heddle.vm.Argument.TensorMap.Columns;
import dev.heddle.vm.Argument.TensorMap.Fill;
import dev.heddle.vm.Argument.TensorMap.Tile;
import dev.heddle.vm.Argument.TensorMap.Wide;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;

/// Tensor maps of a launch file. What the driver demands of one (alignment, sizes of boxes) is
/// looked at where it is encoded.
///
/// @param arguments where a map that names a file describes its buffer
record TensorMapReader(ArgumentReader arguments) {
    static final Set<String> FIELDS =
            Set.of(
                    """
                    tensorMap file format shape strides box columns elementStrides swizzle
                    atomicity interleave fill padded
                    """
                            .split("\\s"));
    static final Set<String> COLUMNS = Set.of("lower", "upper", "channels", "pixels", "mode");
    private static final int MOST_AXES = 5;

    Argument.TensorMap read(JsonFields fields) {
        fields.allow(FIELDS);
        Argument.Address base =
                ArgumentReader.address(fields, "tensorMap", fields.text("tensorMap"));
        Format format = ArgumentReader.format(fields);
        if (fields.has("file")) {
            define(fields, base, format);
        }
        List<Long> shape = fields.wholes("shape", 1, 1L << 32);
        int axes = shape.size();
        if (axes < 1 || axes > MOST_AXES) {
            throw fields.bad("shape", "one to five extents, the innermost first");
        }
        int swizzle = choice(fields, "swizzle", List.of(0, 32, 64, 128));
        return new Argument.TensorMap(
                base,
                format,
                shape,
                strides(fields, shape, format),
                fields.has("columns") ? columns(fields, axes) : tile(fields, axes),
                elementStrides(fields, axes),
                swizzle,
                atomicity(fields, swizzle),
                choice(fields, "interleave", List.of(0, 16, 32)),
                fill(fields),
                fields.has("padded") && fields.truth("padded"));
    }

    private static Tile tile(JsonFields fields, int axes) {
        List<Integer> box = fields.extents("box");
        if (box.size() != axes) {
            throw fields.bad("box", axes + " extents, as the shape has");
        }
        return new Tile(box);
    }

    /// Of `"mode"`, which says whether pixels follow each other along W alone.
    private static Box columns(JsonFields fields, int axes) {
        if (fields.has("box")) {
            throw fields.bad("box", "no box where there are columns");
        }
        JsonFields columns = fields.object("columns");
        columns.allow(COLUMNS);
        String mode = columns.text("mode", "im2col");
        if (mode.equals("im2col::w") || mode.equals("im2col::w::128")) {
            return new Wide(
                    corner(columns, "lower", 3).getFirst(),
                    corner(columns, "upper", 3).getFirst(),
                    columns.whole("channels", 1, Integer.MAX_VALUE),
                    mode.equals("im2col::w")
                            ? OptionalInt.of(columns.whole("pixels", 1, Integer.MAX_VALUE))
                            : OptionalInt.empty());
        }
        if (!mode.equals("im2col")) {
            throw columns.bad("mode", "im2col, im2col::w or im2col::w::128");
        }
        return new Columns(
                corner(columns, "lower", axes),
                corner(columns, "upper", axes),
                columns.whole("channels", 1, Integer.MAX_VALUE),
                columns.whole("pixels", 1, Integer.MAX_VALUE));
    }

    private static List<Integer> corner(JsonFields columns, String field, int axes) {
        List<Long> corner = columns.wholes(field, Short.MIN_VALUE, Short.MAX_VALUE);
        if (corner.size() != axes - 2) {
            throw columns.bad(
                    field,
                    axes == 3
                            ? "one number, of axis W"
                            : "%d numbers: two less than the shape has".formatted(axes - 2));
        }
        return corner.stream().map(Long::intValue).toList();
    }

    /// A map that names a file has a buffer of its own, with the elements of the file.
    private void define(JsonFields fields, Argument.Address base, Format format) {
        Contents.FromFile contents =
                new Contents.FromFile(
                        fields.placeOf("file"),
                        fields.text("file"),
                        java.util.Optional.of(format),
                        List.of());
        if (base.offset() != 0
                || arguments.buffers().putIfAbsent(base.buffer(), contents) != null) {
            throw fields.bad("tensorMap", "the name of a new buffer, because there is a file");
        }
    }

    /// Bytes between neighbours along each axis but the first; without them the tensor is packed.
    private static List<Long> strides(JsonFields fields, List<Long> shape, Format format) {
        if (fields.has("strides")) {
            List<Long> strides = fields.wholes("strides", 0, (1L << 40) - 1);
            if (strides.size() != shape.size() - 1) {
                throw fields.bad(
                        "strides",
                        "%d numbers of bytes: one for each axis of the shape but the first"
                                .formatted(shape.size() - 1));
            }
            return strides;
        }
        List<Long> packed = new ArrayList<>();
        long elements = 1;
        for (long extent : shape.subList(0, shape.size() - 1)) {
            elements = Math.multiplyExact(elements, extent);
            packed.add(Math.ceilDiv(Math.multiplyExact(elements, (long) format.bits()), 8));
        }
        return packed;
    }

    private static List<Integer> elementStrides(JsonFields fields, int axes) {
        if (!fields.has("elementStrides")) {
            return Collections.nCopies(axes, 1);
        }
        List<Integer> strides = fields.extents("elementStrides");
        if (strides.size() != axes) {
            throw fields.bad("elementStrides", axes + " numbers, as the shape has extents");
        }
        return strides;
    }

    /// A number of bytes, or `none` for 0.
    private static int choice(JsonFields fields, String field, List<Integer> allowed) {
        if (!fields.has(field) || fields.word(field).equals("none")) {
            return 0;
        }
        for (int bytes : allowed) {
            if (fields.word(field).equals(Integer.toString(bytes))) {
                return bytes;
            }
        }
        throw fields.bad(
                field,
                "none or "
                        + String.join(
                                ", ", allowed.stream().skip(1).map(String::valueOf).toList()));
    }

    /// Bytes that a swizzle of 128 keeps together: 16, 32, 64, or 32 with a flip of 8.
    private static Atomicity atomicity(JsonFields fields, int swizzle) {
        String kept = fields.has("atomicity") ? fields.word("atomicity") : "16";
        if (swizzle != 128 && !kept.equals("16")) {
            throw fields.bad("atomicity", "16 where the swizzle is not of 128 bytes");
        }
        return switch (kept) {
            case "16" -> Atomicity.BYTES_16;
            case "32" -> Atomicity.BYTES_32;
            case "32-flip-8" -> Atomicity.BYTES_32_FLIP_8;
            case "64" -> Atomicity.BYTES_64;
            default -> throw fields.bad("atomicity", "16, 32, 32-flip-8 or 64");
        };
    }

    private static Fill fill(JsonFields fields) {
        String text = fields.text("fill", "zero");
        for (Fill fill : Fill.values()) {
            if (fill.name().toLowerCase(Locale.ROOT).equals(text)) {
                return fill;
            }
        }
        throw fields.bad("fill", "zero or nan");
    }
}
