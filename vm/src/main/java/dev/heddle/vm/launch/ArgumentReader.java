package dev.heddle.vm.launch;

import dev.heddle.formats.Codes;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Tensor;
import dev.heddle.vm.Argument;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.DoubleToLongFunction;

/// The arguments of a launch file.
///
/// @param arrays reads the files it names
/// @param types collects what is known of each buffer
record ArgumentReader(ArraySource arrays, Map<String, BufferType> types) {
    private static final Set<String> BUFFER =
            Set.of("buffer", "file", "zeros", "poison", "random", "format", "shape");
    private static final Set<String> TENSOR_MAP =
            Set.of("tensorMap", "file", "format", "shape", "box", "swizzle");

    Argument read(JsonFields fields) {
        if (fields.has("buffer")) {
            fields.allow(BUFFER);
            return buffer(fields.text("buffer"), fields);
        }
        if (fields.has("tensorMap")) {
            fields.allow(TENSOR_MAP);
            return tensorMap(fields);
        }
        if (fields.fields().size() != 1) {
            throw new IllegalArgumentException(
                    "field %s: expected a buffer, a tensorMap, bytes or one of %s"
                            .formatted(
                                    fields.place().substring(0, fields.place().length() - 1),
                                    Scalar.TYPES));
        }
        String type = String.valueOf(fields.fields().keySet().iterator().next());
        try {
            return type.equals("bytes")
                    ? new Argument.Value(
                            HexFormat.of().parseHex(fields.text(type).replace(" ", "")))
                    : Scalar.parse(type, fields.word(type));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "field %s%s: %s".formatted(fields.place(), type, e.getMessage()), e);
        }
    }

    private Argument buffer(String name, JsonFields fields) {
        if (fields.has("file")) {
            Tensor tensor = file(fields);
            types.put(
                    name,
                    new BufferType(
                            tensor.format(),
                            fields.has("shape") ? fields.extents("shape") : tensor.shape()));
            return Argument.of(name, tensor.codes().bytes());
        }
        if (fields.has("random")) {
            JsonFields random = fields.object("random");
            random.allow(Set.of("format", "shape", "seed", "range"));
            BufferType type = new BufferType(format(random), random.extents("shape"));
            types.put(name, type);
            return Argument.of(name, random(random, type));
        }
        for (String kind : List.of("zeros", "poison")) {
            if (fields.has(kind)) {
                int bytes = size(name, kind, fields);
                return kind.equals("zeros")
                        ? Argument.zeros(name, bytes)
                        : Argument.poison(name, bytes);
            }
        }
        throw new IllegalArgumentException(
                "buffer " + name + ": expected a file, zeros, poison or random");
    }

    /// The size of a buffer: given, or that of its shape.
    private int size(String name, String kind, JsonFields fields) {
        Format format = fields.has("format") ? format(fields) : IntegerFormat.U8;
        boolean shaped = fields.has("shape");
        boolean sized = fields.fields().get(kind) instanceof Number;
        if (!shaped && !sized) {
            throw fields.bad(kind, "a number of bytes, or true with a shape");
        }
        BufferType type =
                shaped
                        ? new BufferType(format, fields.extents("shape"))
                        : BufferType.row(format, fields.whole(kind, 0, Integer.MAX_VALUE));
        if (shaped && sized && type.bytes() != fields.whole(kind, 0, Integer.MAX_VALUE)) {
            throw fields.bad(
                    kind,
                    "%d bytes for the shape %s of %s"
                            .formatted(type.bytes(), type.shape(), format.ptxName()));
        }
        types.put(name, type);
        return sized ? fields.whole(kind, 0, Integer.MAX_VALUE) : type.bytes();
    }

    private Argument tensorMap(JsonFields fields) {
        Tensor tensor = file(fields);
        String name = fields.text("tensorMap");
        types.put(name, new BufferType(tensor.format(), tensor.shape()));
        List<Integer> shape = fields.extents("shape");
        List<Integer> box = fields.extents("box");
        if (shape.size() != box.size() || shape.size() > 5) {
            throw fields.bad("box", "as many extents as the shape has, five at most");
        }
        if (Tensor.elements(shape) != tensor.codes().length()) {
            throw fields.bad("shape", tensor.codes().length() + " elements as in the file");
        }
        int swizzle = fields.has("swizzle") ? fields.whole("swizzle", 0, 128) : 0;
        if (!Set.of(0, 32, 64, 128).contains(swizzle)) {
            throw fields.bad("swizzle", "0, 32, 64 or 128");
        }
        return new Argument.TensorMap(
                name, tensor.codes().bytes(), tensor.format(), shape, box, swizzle);
    }

    private Tensor file(JsonFields fields) {
        String file = fields.text("file");
        Optional<Format> format =
                fields.has("format") ? Optional.of(format(fields)) : Optional.empty();
        try {
            return arrays.read(file, format);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private static Format format(JsonFields fields) {
        String name = fields.text("format");
        return Scalar.format(name)
                .or(() -> Format.named(name))
                .orElseThrow(
                        () ->
                                fields.bad(
                                        "format",
                                        "one of "
                                                + String.join(
                                                        " ",
                                                        Format.all().stream()
                                                                .map(Format::ptxName)
                                                                .toList())));
    }

    private static byte[] random(JsonFields fields, BufferType type) {
        List<Double> range = List.of(-1.0, 1.0);
        if (fields.has("range")) {
            range = fields.list("range").stream().map(ArgumentReader::bound).toList();
            if (range.size() != 2) {
                throw fields.bad("range", "two numbers");
            }
        }
        double least = range.get(0);
        double width = range.get(1) - least;
        SplittableRandom source =
                new SplittableRandom(fields.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE));
        Codes codes = Tensor.zeros(type.format(), type.shape()).codes();
        DoubleToLongFunction encoder = encoder(type.format());
        long length = codes.length();
        for (long i = 0; i < length; i++) {
            codes.set(i, encoder.applyAsLong(least + width * source.nextDouble()));
        }
        return codes.bytes();
    }

    private static double bound(Object value) {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    /// Integers are cut towards zero, and so is bf16; the other floats are rounded to nearest.
    private static DoubleToLongFunction encoder(Format format) {
        return switch (format) {
            case IntegerFormat integer -> value -> (long) value & integer.mask();
            case FloatFormat.F64 -> Double::doubleToRawLongBits;
            case FloatFormat number -> {
                Rounding rounding =
                        number == FloatFormat.BF16 ? Rounding.TOWARD_ZERO : Rounding.NEAREST_EVEN;
                yield value -> number.encode((float) value, rounding, Overflow.SATFINITE);
            }
        };
    }
}
