package dev.heddle.vm.launch;

import dev.heddle.vm.Argument;
import dev.heddle.vm.Launch;
import dev.heddle.vm.execution.Grid.Extent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/// A launch and what to expect of it, as a JSON file states them.
///
/// @param entry the kernel's name
/// @param launch grid, block, arguments
/// @param expectations of buffers
/// @param stdout what the kernel should print, or null where nothing is expected of it
public record LaunchFile(
        String entry, Launch launch, List<Expectation> expectations, @Nullable String stdout) {
    public LaunchFile {
        expectations = List.copyOf(expectations);
    }

    /// Reads a launch file.
    ///
    /// @param json its text
    /// @param arrays reads the files it names
    /// @throws IllegalArgumentException where a field is missing or of the wrong kind
    public static LaunchFile parse(String json, ArraySource arrays) {
        Map<String, Object> root;
        try {
            root = JSON.std.mapFrom(json);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("launch file: " + e.getMessage(), e);
        }
        Map<String, String> formats = new HashMap<>();
        List<Argument> arguments = new ArrayList<>();
        for (Object argument : list(root, "args")) {
            arguments.add(argument(map(argument), arrays, formats));
        }
        Launch launch =
                Launch.of(
                                extent(root, "grid"),
                                extent(root, "block"),
                                arguments.toArray(Argument[]::new))
                        .withDynamicShared(integer(root.getOrDefault("shared", 0)));
        List<Expectation> expectations = new ArrayList<>();
        for (Object expectation : root.containsKey("expect") ? list(root, "expect") : List.of()) {
            expectations.add(expectation(map(expectation), formats));
        }
        Object stdout = root.get("stdout");
        return new LaunchFile(
                text(root, "entry"),
                launch,
                expectations,
                stdout == null ? null : stdout.toString());
    }

    private static Expectation expectation(Map<?, ?> fields, Map<String, String> formats) {
        String buffer = text(fields, "buffer");
        String format =
                fields.get("format") instanceof String given
                        ? given
                        : formats.getOrDefault(buffer, "b32");
        if (fields.get("within") instanceof Map<?, ?> within) {
            boolean ulps = within.containsKey("ulps");
            return new Expectation(
                    buffer,
                    text(fields, "file"),
                    format,
                    ulps ? Expectation.Tolerance.ULPS : Expectation.Tolerance.RELATIVE,
                    number(within.get(ulps ? "ulps" : "relative")));
        }
        return new Expectation(
                buffer, text(fields, "file"), format, Expectation.Tolerance.EXACT, 0);
    }

    private static Argument argument(
            Map<?, ?> fields, ArraySource arrays, Map<String, String> formats) {
        if (fields.get("buffer") instanceof String name) {
            if (fields.get("format") instanceof String format) {
                formats.put(name, format);
            }
            return buffer(name, fields, arrays);
        }
        if (fields.containsKey("tensorMap")) {
            throw new UnsupportedOperationException("tensor maps as arguments");
        }
        if (fields.get("bytes") instanceof String hexadecimal) {
            return new Argument.Value(HexFormat.of().parseHex(hexadecimal.replace(" ", "")));
        }
        Map.Entry<?, ?> scalar = fields.entrySet().iterator().next();
        return scalar(String.valueOf(scalar.getKey()), scalar.getValue());
    }

    private static Argument scalar(String type, Object value) {
        return switch (type) {
            case "s32", "u32", "b32" -> Argument.s32((int) whole(value));
            case "s64", "u64", "b64" -> Argument.s64(whole(value));
            case "f32" -> Argument.f32((float) number(value));
            case "f64" -> Argument.f64(number(value));
            case "s16", "u16", "b16" ->
                    new Argument.Value(little(2).putShort((short) whole(value)).array());
            case "f16" ->
                    new Argument.Value(
                            little(2)
                                    .putShort(Float.floatToFloat16((float) number(value)))
                                    .array());
            case "s8", "u8", "b8" -> new Argument.Value(new byte[] {(byte) whole(value)});
            default -> throw new IllegalArgumentException("launch file: argument type " + type);
        };
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static Argument buffer(String name, Map<?, ?> fields, ArraySource arrays) {
        if (fields.get("file") instanceof String file) {
            try {
                return Argument.buffer(name, arrays.read(file));
            } catch (IOException e) {
                throw new UncheckedIOException(file + ": " + e.getMessage(), e);
            }
        }
        if (fields.containsKey("zeros")) {
            return Argument.zeros(name, integer(fields.get("zeros")));
        }
        if (fields.containsKey("poison")) {
            return Argument.poison(name, whole(fields.get("poison")));
        }
        if (fields.get("random") instanceof Map<?, ?> random) {
            return Argument.buffer(name, random(random));
        }
        throw new IllegalArgumentException(
                "launch file: buffer " + name + " has no file, zeros, poison or random");
    }

    private static byte[] random(Map<?, ?> fields) {
        String format = text(fields, "format");
        long elements = 1;
        for (Object extent : list(fields, "shape")) {
            elements = Math.multiplyExact(elements, whole(extent));
        }
        List<?> range = fields.get("range") instanceof List<?> given ? given : List.of(-1, 1);
        double least = number(range.get(0));
        double greatest = number(range.get(1));
        SplittableRandom source = new SplittableRandom(whole(fields.get("seed")));
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.toIntExact(elements * width(format)))
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (long i = 0; i < elements; i++) {
            double value = least + (greatest - least) * source.nextDouble();
            switch (format) {
                case "f64" -> bytes.putDouble(value);
                case "f32" -> bytes.putFloat((float) value);
                case "f16" -> bytes.putShort(Float.floatToFloat16((float) value));
                case "bf16" ->
                        bytes.putShort((short) (Float.floatToRawIntBits((float) value) >>> 16));
                case "s64", "u64" -> bytes.putLong((long) value);
                case "s32", "u32" -> bytes.putInt((int) (long) value);
                case "s16", "u16" -> bytes.putShort((short) value);
                default -> bytes.put((byte) (int) value);
            }
        }
        return bytes.array();
    }

    private static int width(String format) {
        return switch (format) {
            case "f64", "s64", "u64" -> 8;
            case "f32", "s32", "u32" -> 4;
            case "f16", "bf16", "s16", "u16" -> 2;
            case "s8", "u8" -> 1;
            default ->
                    throw new IllegalArgumentException(
                            "launch file: random values of format " + format);
        };
    }

    private static Extent extent(Map<?, ?> root, String field) {
        List<?> values = list(root, field);
        return new Extent(at(values, 0), at(values, 1), at(values, 2));
    }

    private static int at(List<?> values, int index) {
        return index < values.size() ? integer(values.get(index)) : 1;
    }

    private static String text(Map<?, ?> fields, String name) {
        if (fields.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("launch file: field " + name + " must be a text");
    }

    private static List<?> list(Map<?, ?> fields, String name) {
        if (fields.get(name) instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException("launch file: field " + name + " must be a list");
    }

    private static Map<?, ?> map(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new IllegalArgumentException("launch file: " + value + " must be an object");
    }

    private static int integer(@Nullable Object value) {
        return Math.toIntExact(whole(value));
    }

    private static long whole(@Nullable Object value) {
        return (long) number(value) == number(value) && value instanceof Number n
                ? n.longValue()
                : (long) number(value);
    }

    private static double number(@Nullable Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        throw new IllegalArgumentException("launch file: " + value + " must be a number");
    }
}
