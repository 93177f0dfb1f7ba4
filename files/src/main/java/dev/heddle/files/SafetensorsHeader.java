package dev.heddle.files;

import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Packing;
import dev.heddle.formats.Tensor;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.jr.ob.JSON;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads the JSON header of a `.safetensors` file and checks it against the data.
final class SafetensorsHeader {
    /// The key of free text about the file, which is no tensor.
    static final String METADATA = "__metadata__";

    private static final long MAX_LENGTH = 32 << 20;

    private SafetensorsHeader() {}

    /// @throws InputException if a header of so many bytes is not read
    static void checkLength(long length) {
        if (length < 2 || length > MAX_LENGTH) {
            throw new InputException(
                    "header of %s bytes: expected 2 to %d"
                            .formatted(Long.toUnsignedString(length), MAX_LENGTH));
        }
    }

    /// The tensors that a header names, in its order.
    ///
    /// @throws InputException if it is malformed, or its tensors do not fill the data
    ///     without gap or overlap
    static Map<String, SafetensorsEntry> parse(byte[] header, long dataLength) {
        Map<String, SafetensorsEntry> entries = new LinkedHashMap<>();
        object("header", json(header))
                .forEach(
                        (name, value) -> {
                            if (!name.equals(METADATA)) {
                                entries.put(name, entry(name, value));
                            }
                        });
        checkCover(entries, dataLength);
        return entries;
    }

    /// The free text about the file: string values of `__metadata__`, in its order.
    ///
    /// @throws InputException if it is anything else
    static Map<String, String> metadata(byte[] header) {
        Object value = object("header", json(header)).get(METADATA);
        Map<String, String> metadata = new LinkedHashMap<>();
        if (value != null) {
            for (Map.Entry<String, Object> one : object(METADATA, value).entrySet()) {
                if (!(one.getValue() instanceof String text)) {
                    String key = TensorFileException.quoted(one.getKey());
                    throw new InputException(
                            "%s: expected a string at %s".formatted(METADATA, key));
                }
                metadata.put(one.getKey(), text);
            }
        }
        return metadata;
    }

    private static Object json(byte[] header) {
        if (header[0] != '{') {
            throw new InputException(
                    "header starts with 0x%02x: expected {".formatted(header[0] & 0xFF));
        }
        try (JsonParser parser = JSON.std.createParser(header)) {
            Object json = JSON.std.anyFrom(parser);
            if (parser.nextToken() != null) {
                throw new InputException("header is no JSON: text after its last brace");
            }
            return json;
        } catch (JacksonException e) {
            throw new InputException(
                    "header is no JSON: " + TensorFileException.quoted(e.getOriginalMessage()), e);
        }
    }

    private static SafetensorsEntry entry(String name, @Nullable Object value) {
        String what = "tensor " + TensorFileException.quoted(name);
        Map<String, Object> fields = object(what, value);
        if (!(fields.get("dtype") instanceof String dtype)) {
            throw new InputException(what + ": expected a dtype, a string");
        }
        try {
            Format format = SafetensorsType.format(dtype);
            List<Integer> shape = shape(fields.get("shape"));
            List<Long> offsets = offsets(fields.get("data_offsets"));
            SafetensorsEntry entry =
                    new SafetensorsEntry(dtype, shape, offsets.get(0), offsets.get(1));
            checkSize(format, entry);
            return entry;
        } catch (InputException e) {
            throw new InputException(what + ": " + e.getMessage(), e);
        }
    }

    private static void checkSize(Format format, SafetensorsEntry entry) {
        long elements = Tensor.elements(entry.shape());
        if (elements > Long.MAX_VALUE / Long.SIZE) {
            throw new InputException("shape %s: too many elements".formatted(entry.shape()));
        }
        int width = format == IntegerFormat.B1 ? Byte.SIZE : Packing.dense(format).containerBits();
        long expected = Math.ceilDiv(elements * width, Byte.SIZE);
        if (elements * width % Byte.SIZE != 0) {
            throw new InputException(
                    "%d elements of %s do not fill whole bytes".formatted(elements, entry.dtype()));
        }
        if (entry.byteLength() != expected) {
            throw new InputException(
                    "shape %s of %s takes %d bytes, data_offsets %d to %d hold %d"
                            .formatted(
                                    entry.shape(),
                                    entry.dtype(),
                                    expected,
                                    entry.begin(),
                                    entry.end(),
                                    entry.byteLength()));
        }
    }

    private static void checkCover(Map<String, SafetensorsEntry> entries, long dataLength) {
        List<SafetensorsEntry> sorted = new ArrayList<>(entries.values());
        sorted.sort(
                Comparator.comparingLong(SafetensorsEntry::begin)
                        .thenComparingLong(SafetensorsEntry::end));
        long end = 0;
        for (SafetensorsEntry entry : sorted) {
            if (entry.begin() != end) {
                throw new InputException(
                        "a tensor starts at byte %d of the data: expected %d, where the one before ends"
                                .formatted(entry.begin(), end));
            }
            end = entry.end();
        }
        if (end != dataLength) {
            throw new InputException(
                    "%s: the tensors take %d bytes after the header, found %d"
                            .formatted(
                                    dataLength < end ? "truncated" : "too long", end, dataLength));
        }
    }

    private static Map<String, Object> object(String what, @Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new InputException(what + ": expected a JSON object");
        }
        Map<String, Object> object = new LinkedHashMap<>();
        map.forEach((key, field) -> object.put(String.valueOf(key), field));
        return object;
    }

    private static List<Integer> shape(@Nullable Object value) {
        List<Integer> shape = new ArrayList<>();
        for (long dimension : numbers("shape", value)) {
            if (dimension > Integer.MAX_VALUE) {
                throw new InputException(
                        "dimension %d: expected at most %d"
                                .formatted(dimension, Integer.MAX_VALUE));
            }
            shape.add((int) dimension);
        }
        return shape;
    }

    private static List<Long> offsets(@Nullable Object value) {
        List<Long> offsets = numbers("data_offsets", value);
        if (offsets.size() != 2 || offsets.get(0) > offsets.get(1)) {
            throw new InputException(
                    "data_offsets: expected two numbers, the first not above the second");
        }
        return offsets;
    }

    private static List<Long> numbers(String key, @Nullable Object value) {
        if (!(value instanceof List<?> list)) {
            throw new InputException(key + ": expected a list of numbers");
        }
        List<Long> numbers = new ArrayList<>();
        for (Object element : list) {
            if (!(element instanceof Integer || element instanceof Long)
                    || ((Number) element).longValue() < 0) {
                throw new InputException(
                        "%s: expected integers of at least 0, found %s"
                                .formatted(
                                        key, TensorFileException.quoted(String.valueOf(element))));
            }
            numbers.add(((Number) element).longValue());
        }
        return numbers;
    }
}
