package dev.heddle.vm.launch;

import org.jspecify.annotations.Nullable;

import tools.jackson.jr.ob.JSON;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// An object of a launch file, read field by field. Every complaint names the place.
///
/// @param place such as `args[2].`, empty for the outermost object
/// @param fields as parsed
record JsonFields(String place, Map<?, ?> fields) {

    /// The outermost object of a text.
    static JsonFields parse(String text) {
        Object root;
        try {
            root = JSON.std.anyFrom(text);
        } catch (RuntimeException e) {
            String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new IllegalArgumentException("no JSON: " + message, e);
        }
        if (root instanceof Map<?, ?> map) {
            return new JsonFields("", map);
        }
        throw new IllegalArgumentException("expected a JSON object");
    }

    /// Complains about a field that is not among these: most likely a slip of the pen.
    void allow(Set<String> names) {
        for (Object name : fields.keySet()) {
            if (!names.contains(String.valueOf(name))) {
                throw new IllegalArgumentException(
                        "field %s%s: expected one of %s"
                                .formatted(place, name, String.join(" ", new TreeSet<>(names))));
            }
        }
    }

    boolean has(String name) {
        return fields.get(name) != null;
    }

    IllegalArgumentException bad(String name, String expected) {
        Object value = fields.get(name);
        return new IllegalArgumentException(
                value == null
                        ? "field %s%s is missing: expected %s".formatted(place, name, expected)
                        : "field %s%s is %s: expected %s".formatted(place, name, value, expected));
    }

    String text(String name) {
        if (fields.get(name) instanceof String text) {
            return text;
        }
        throw bad(name, "a text");
    }

    String text(String name, String otherwise) {
        return has(name) ? text(name) : otherwise;
    }

    /// A number or a text, as text.
    String word(String name) {
        Object value = fields.get(name);
        if (value instanceof Number || value instanceof String) {
            return value.toString();
        }
        throw bad(name, "a number");
    }

    double number(String name) {
        if (fields.get(name) instanceof Number number) {
            return number.doubleValue();
        }
        throw bad(name, "a number");
    }

    /// A whole number from `least` to `most`.
    long whole(String name, long least, long most) {
        if (fields.get(name) instanceof Number number
                && number.doubleValue() == Math.rint(number.doubleValue())
                && number.longValue() >= least
                && number.longValue() <= most) {
            return number.longValue();
        }
        throw bad(name, "a whole number from " + least + " to " + most);
    }

    int whole(String name, int least, int most) {
        return (int) whole(name, (long) least, (long) most);
    }

    List<?> list(String name) {
        if (fields.get(name) instanceof List<?> list) {
            return list;
        }
        throw bad(name, "a list");
    }

    /// A list of whole numbers that are at least 1.
    List<Integer> extents(String name) {
        return list(name).stream().map(value -> extent(name, value)).toList();
    }

    private int extent(String name, @Nullable Object value) {
        if (value instanceof Number number
                && number.doubleValue() == number.intValue()
                && number.intValue() >= 1) {
            return number.intValue();
        }
        throw bad(name, "whole numbers of at least 1");
    }

    /// The objects of a list.
    List<JsonFields> objects(String name) {
        List<?> list = list(name);
        return java.util.stream.IntStream.range(0, list.size())
                .mapToObj(i -> object("%s%s[%d].".formatted(place, name, i), list.get(i)))
                .toList();
    }

    JsonFields object(String name) {
        return object(place + name + ".", fields.get(name));
    }

    private static JsonFields object(String place, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return new JsonFields(place, map);
        }
        throw new IllegalArgumentException(
                "field %s is %s: expected an object"
                        .formatted(place.substring(0, place.length() - 1), value));
    }
}
