package dev.heddle.vm.launch;

import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.sparse.StorageFormats;
import dev.heddle.vm.Argument;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Arguments, buffers and variables of a launch file.
///
/// @param buffers collects what each buffer holds, by name
record ArgumentReader(Map<String, Contents> buffers) {
    private static final List<String> SOURCES =
            List.of("file", "random", "zeros", "poison", "valuesOf", "metadataOf");
    static final Set<String> BUFFER =
            Set.of(
                    "buffer file zeros poison random valuesOf metadataOf format shape"
                            .split(" ", -1));
    private static final Set<String> VARIABLE =
            Set.of("file", "zeros", "random", "format", "shape");

    /// An argument of a kernel.
    Argument argument(JsonFields fields) {
        if (fields.has("buffer")) {
            return buffer(fields);
        }
        if (fields.has("tensorMap")) {
            return new TensorMapReader(this).read(fields);
        }
        if (fields.has("texture") || fields.has("surface")) {
            return TextureReader.read(fields);
        }
        return value(fields);
    }

    /// A scalar, bytes or a structure.
    private Argument value(JsonFields fields) {
        if (fields.has("bytes")) {
            fields.allow(Set.of("bytes", "at"));
            byte[] bytes = bytes(fields);
            return fields.has("at") ? structure(fields, bytes) : new Argument.Value(bytes);
        }
        if (fields.fields().size() != 1) {
            Set<String> names = fields.fields().keySet();
            String found = names.isEmpty() ? "nothing" : String.join(" and ", names);
            throw new LaunchFileException(
                    fields.place(),
                    "field %s has %s: expected one value, a buffer, a tensorMap, a texture, a surface or bytes"
                            .formatted(fields.name(), found));
        }
        String type = fields.fields().keySet().iterator().next();
        if (Scalar.format(type).isEmpty()) {
            fields.allow(
                    Set.copyOf(
                            List.of(
                                    (Scalar.TYPES + " buffer tensorMap texture surface bytes")
                                            .split(" "))));
        }
        try {
            return Scalar.parse(type, fields.word(type));
        } catch (LaunchFileException e) {
            throw e;
        } catch (InputException e) {
            throw fields.wrong(type, e.getMessage());
        }
    }

    private static byte[] bytes(JsonFields fields) {
        try {
            return HexFormat.of().parseHex(fields.text("bytes").replace(" ", ""));
        } catch (LaunchFileException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw fields.bad("bytes", "hexadecimal digits, two for each byte");
        }
    }

    private Argument structure(JsonFields fields, byte[] bytes) {
        JsonFields at = fields.object("at");
        SortedMap<Integer, Argument.Embedded> embedded = new TreeMap<>();
        for (var field : at.fields().entrySet()) {
            String offset = field.getKey();
            embedded.put(
                    offset(at, offset),
                    field.getValue().value() instanceof String text
                            ? address(at, offset, text)
                            : embedded(at.object(offset)));
        }
        try {
            return new Argument.Structure(bytes, embedded);
        } catch (InputException e) {
            throw fields.wrong("at", e.getMessage());
        }
    }

    private Argument.Embedded embedded(JsonFields fields) {
        return fields.has("texture") || fields.has("surface")
                ? (Argument.Embedded) TextureReader.read(fields)
                : new TensorMapReader(this).read(fields);
    }

    private static int offset(JsonFields at, String text) {
        if (text.matches("[0-9]{1,9}")) {
            return Integer.parseInt(text);
        }
        throw at.wrong(text, "the name of a field is an offset in bytes, in decimal digits");
    }

    /// An address as `name` or `name+offset`.
    static Argument.Address address(JsonFields fields, String field, String text) {
        int plus = text.lastIndexOf('+');
        String name = plus < 0 ? text : text.substring(0, plus);
        String offset = plus < 0 ? "0" : text.substring(plus + 1);
        if (name.isEmpty() || !offset.matches("[0-9]{1,18}")) {
            throw fields.bad(
                    field, "a buffer, as NAME or NAME+OFFSET with a decimal number of bytes");
        }
        return new Argument.Address(name, Long.parseLong(offset));
    }

    // Buffers.

    /// A buffer that is described here, or the address of one that is described elsewhere.
    Argument.Address buffer(JsonFields fields) {
        fields.allow(BUFFER);
        if (SOURCES.stream().noneMatch(fields::has)) {
            if (fields.has("format") || fields.has("shape")) {
                throw new LaunchFileException(
                        fields.place(),
                        "buffer %s: expected a file, zeros, poison or random"
                                .formatted(fields.text("buffer")));
            }
            return address(fields, "buffer", fields.text("buffer"));
        }
        return define(fields, fields.text("buffer"));
    }

    /// A buffer that is described here.
    Argument.Address define(JsonFields fields, String name) {
        if (name.isEmpty() || name.contains("+")) {
            throw fields.bad("buffer", "a name, without a plus");
        }
        Contents contents = contents(fields);
        Contents before = buffers.putIfAbsent(name, contents);
        if (before != null && !same(before, contents)) {
            throw new LaunchFileException(
                    fields.place(),
                    "buffer %s was described already, and in another way: name it alone, as {\"buffer\": \"%s\"}"
                            .formatted(name, name));
        }
        return new Argument.Address(name, 0);
    }

    private static boolean same(Contents one, Contents other) {
        return one instanceof Contents.FromFile a && other instanceof Contents.FromFile b
                ? a.file().equals(b.file())
                        && a.format().equals(b.format())
                        && a.shape().equals(b.shape())
                : one.equals(other);
    }

    private Contents contents(JsonFields fields) {
        List<String> given = SOURCES.stream().filter(fields::has).toList();
        if (given.size() != 1) {
            String found = given.isEmpty() ? "none" : String.join(" and ", given);
            throw new LaunchFileException(
                    fields.place(),
                    "field %s: expected one of file, zeros, poison, random, valuesOf and metadataOf, found %s"
                            .formatted(fields.name(), found));
        }
        return switch (given.getFirst()) {
            case "file" ->
                    new Contents.FromFile(
                            fields.placeOf("file"),
                            fields.text("file"),
                            fields.has("format") ? Optional.of(format(fields)) : Optional.empty(),
                            fields.has("shape") ? fields.extents("shape") : List.of());
            case "random" -> random(fields.object("random"));
            case "valuesOf", "metadataOf" -> compressed(fields, given.getFirst());
            case "zeros" -> new Contents.Zeros(type(fields, "zeros"));
            default -> new Contents.Poison(type(fields, "poison"));
        };
    }

    /// A part of another buffer's matrix, compressed: `{"buffer": "e", "metadataOf": "w", "format":
    /// "cutlass-sm80"}`.
    private Contents compressed(JsonFields fields, String part) {
        fields.allow(Set.of("buffer", part, "format"));
        Contents matrix = buffers.get(fields.text(part));
        if (matrix == null) {
            throw fields.bad(part, "a buffer that is described before this one");
        }
        try {
            return new Contents.Compressed(
                    fields.placeOf(part),
                    matrix,
                    StorageFormats.named(fields.text("format")),
                    part.equals("metadataOf"));
        } catch (LaunchFileException e) {
            throw e;
        } catch (InputException e) {
            throw fields.wrong("format", e.getMessage());
        }
    }

    private static Contents random(JsonFields fields) {
        fields.allow(Set.of("format", "shape", "seed", "range"));
        double least = -1;
        double most = 1;
        if (fields.has("range")) {
            List<JsonValue> range = fields.list("range");
            if (range.size() != 2
                    || !(range.get(0).value() instanceof Number from)
                    || !(range.get(1).value() instanceof Number to)) {
                throw fields.bad("range", "two numbers");
            }
            least = from.doubleValue();
            most = to.doubleValue();
        }
        return new Contents.Random(
                shaped(fields, format(fields)),
                fields.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE),
                least,
                most);
    }

    /// The type of a buffer that is given by its size in bytes, or by `true` and a shape.
    private static BufferType type(JsonFields fields, String kind) {
        Format format = fields.has("format") ? format(fields) : IntegerFormat.U8;
        boolean sized = fields.isNumber(kind);
        if (!sized && !(fields.has("shape") && fields.truth(kind))) {
            throw fields.bad(kind, "a number of bytes, or true with a shape");
        }
        int bytes = sized ? fields.whole(kind, 0, Integer.MAX_VALUE) : 0;
        if (!fields.has("shape")) {
            return BufferType.row(format, bytes);
        }
        BufferType type = shaped(fields, format);
        if (sized && type.bytes() != bytes) {
            throw fields.bad(
                    kind,
                    "%d bytes for the shape %s of %s"
                            .formatted(type.bytes(), type.shape(), format.ptxName()));
        }
        return type;
    }

    private static BufferType shaped(JsonFields fields, Format format) {
        BufferType type = new BufferType(format, fields.extents("shape"));
        try {
            type.bytes();
            return type;
        } catch (InputException | ArithmeticException e) {
            throw fields.bad("shape", "at most 2 GiB");
        }
    }

    static Format format(JsonFields fields) {
        String name = fields.text("format");
        return Scalar.format(name)
                .or(() -> Format.named(name))
                .orElseThrow(() -> fields.bad("format", "one of " + Format.names(Format.all())));
    }

    // Variables.

    /// What a variable of the module holds.
    Contents variable(JsonFields fields) {
        if (fields.has("buffer")) {
            return new Contents.Literal(buffer(fields));
        }
        if (fields.has("poison")) {
            throw fields.bad(
                    "poison", "a value: a file, zeros, random, bytes, a scalar or a buffer");
        }
        if (SOURCES.stream().anyMatch(fields::has)) {
            fields.allow(VARIABLE);
            return contents(fields);
        }
        boolean object = fields.has("tensorMap") || fields.has("texture") || fields.has("surface");
        return new Contents.Literal(object ? argument(fields) : value(fields));
    }
}
