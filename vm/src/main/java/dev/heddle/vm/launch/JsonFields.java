package dev.heddle.vm.launch;

import dev.heddle.isa.Suggestion;
import dev.heddle.vm.ir.Extent;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// An object of a launch file, read field by field. Every complaint names the place and the field.
///
/// @param path such as `args[2].`, empty for the outermost object
/// @param place where the object begins: `launch.json:3:14`
/// @param fields by name
record JsonFields(String path, String place, Map<String, JsonValue> fields) {

    /// The outermost object of a text.
    static JsonFields parse(String text, String name) {
        return of("", JsonValue.parse(text, name));
    }

    /// A value that should be an object.
    ///
    /// @param path of the value, with a dot behind it unless it is the outermost
    @SuppressWarnings("unchecked")
    static JsonFields of(String path, JsonValue value) {
        if (value.value() instanceof Map<?, ?> map) {
            return new JsonFields(path, value.place(), (Map<String, JsonValue>) map);
        }
        String field = path.isEmpty() ? "" : "field " + path.substring(0, path.length() - 1) + " ";
        throw new LaunchFileException(
                value.place(),
                field.isEmpty()
                        ? "expected a JSON object, found " + value
                        : field + "is " + value + ": expected an object");
    }

    /// Complains about a field that is not among these: most likely a slip of the pen.
    void allow(Set<String> names) {
        fields.forEach(
                (name, value) -> {
                    if (!names.contains(name)) {
                        String expected = String.join(" ", new TreeSet<>(names));
                        String near =
                                Suggestion.nearest(name, names)
                                        .map(one -> "; did you mean " + one + "?")
                                        .orElse("");
                        throw new LaunchFileException(
                                value.place(),
                                "field %s%s is unknown: expected one of %s%s"
                                        .formatted(path, name, expected, near));
                    }
                });
    }

    /// What messages call this object.
    String name() {
        return path.substring(0, path.length() - 1);
    }

    boolean has(String name) {
        JsonValue value = fields.get(name);
        return value != null && !value.value().equals(JsonValue.NULL);
    }

    /// Where a field is, or else the object.
    String placeOf(String name) {
        JsonValue value = fields.get(name);
        return value == null ? place : value.place();
    }

    LaunchFileException bad(String name, String expected) {
        JsonValue value = fields.get(name);
        return new LaunchFileException(
                placeOf(name),
                value == null
                        ? "field %s%s is missing: expected %s".formatted(path, name, expected)
                        : "field %s%s is %s: expected %s".formatted(path, name, value, expected));
    }

    /// A complaint about a field in other words.
    LaunchFileException wrong(String name, @Nullable String message) {
        return new LaunchFileException(
                placeOf(name), "field %s%s: %s".formatted(path, name, message));
    }

    private @Nullable Object value(String name) {
        JsonValue value = fields.get(name);
        return value == null ? null : value.value();
    }

    String text(String name) {
        if (value(name) instanceof String text) {
            return text;
        }
        throw bad(name, "a text");
    }

    String text(String name, String otherwise) {
        return has(name) ? text(name) : otherwise;
    }

    /// A number or a text, as text.
    String word(String name) {
        Object value = value(name);
        if (value instanceof Number || value instanceof String) {
            return value.toString();
        }
        throw bad(name, "a number, or a text such as \"nan\" or \"0x3f80\"");
    }

    boolean truth(String name) {
        if (value(name) instanceof Boolean truth) {
            return truth;
        }
        throw bad(name, "true or false");
    }

    boolean isNumber(String name) {
        return value(name) instanceof Number;
    }

    boolean isList(String name) {
        return value(name) instanceof List;
    }

    /// A finite number.
    double number(String name) {
        if (value(name) instanceof Number number && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw bad(name, "a number");
    }

    /// A number that is at least 0.
    double magnitude(String name) {
        if (value(name) instanceof Number number
                && number.doubleValue() >= 0
                && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw bad(name, "a number of at least 0");
    }

    /// A whole number from `least` to `most`.
    long whole(String name, long least, long most) {
        return whole(name, value(name), least, most);
    }

    private long whole(String name, @Nullable Object value, long least, long most) {
        if (value instanceof Number number) {
            BigDecimal decimal = new BigDecimal(number.toString());
            // A number such as 1e999999999 is not written out.
            if (Math.abs((long) decimal.scale()) < 64
                    && decimal.stripTrailingZeros().scale() <= 0
                    && decimal.compareTo(BigDecimal.valueOf(least)) >= 0
                    && decimal.compareTo(BigDecimal.valueOf(most)) <= 0) {
                return decimal.longValueExact();
            }
        }
        throw bad(name, "a whole number from " + least + " to " + most);
    }

    int whole(String name, int least, int most) {
        return (int) whole(name, (long) least, (long) most);
    }

    List<JsonValue> list(String name) {
        if (value(name) instanceof List<?> list) {
            return list.stream().map(JsonValue.class::cast).toList();
        }
        throw bad(name, "a list");
    }

    /// A list of whole numbers.
    List<Long> wholes(String name, long least, long most) {
        List<Long> numbers = new ArrayList<>();
        for (JsonValue one : list(name)) {
            numbers.add(whole(name, one.value(), least, most));
        }
        return numbers;
    }

    /// A list of whole numbers that are at least 1.
    List<Integer> extents(String name) {
        return wholes(name, 1, Integer.MAX_VALUE).stream().map(Long::intValue).toList();
    }

    /// One to three extents.
    Extent extent(String name) {
        List<Integer> values = extents(name);
        if (values.isEmpty() || values.size() > 3) {
            throw bad(name, "one to three extents");
        }
        return new Extent(
                values.get(0),
                values.size() > 1 ? values.get(1) : 1,
                values.size() > 2 ? values.get(2) : 1);
    }

    /// The objects of a list; none where the field is missing.
    List<JsonFields> objects(String name) {
        if (!has(name)) {
            return List.of();
        }
        List<JsonFields> objects = new ArrayList<>();
        for (JsonValue one : list(name)) {
            // Not by a format string: the first %d reads all there is on locales.
            objects.add(of(path + name + '[' + objects.size() + "].", one));
        }
        return objects;
    }

    JsonFields object(String name) {
        return of(
                path + name + ".", fields.getOrDefault(name, new JsonValue(JsonValue.NULL, place)));
    }

    /// The same with fields of another object where this one has none.
    JsonFields orElse(JsonFields other, Set<String> names) {
        Map<String, JsonValue> all = new java.util.LinkedHashMap<>(fields);
        for (String name : names) {
            JsonValue value = other.fields.get(name);
            if (value != null) {
                all.putIfAbsent(name, value);
            }
        }
        return new JsonFields(path, place, all);
    }
}
