package dev.heddle.vm;

import org.jspecify.annotations.Nullable;

import tools.jackson.jr.ob.JSON;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/// A JSON Schema, as much of it as the schemas here use.
///
/// @param document the schema
public record JsonSchema(Map<?, ?> document) {
    /// A schema from its text.
    public static JsonSchema of(String text) {
        return new JsonSchema(JSON.std.mapFrom(text));
    }

    /// The first thing in a value that does not conform, or null.
    public @Nullable String complaint(@Nullable Object value) {
        return complaint(document, value, "");
    }

    private static Object get(Object map, String name) {
        return Objects.requireNonNull(((Map<?, ?>) map).get(name), name);
    }

    private @Nullable String complaint(Map<?, ?> schema, @Nullable Object value, String at) {
        if (schema.get("$ref") instanceof String ref) {
            Object definition = document;
            for (String part : ref.substring("#/".length()).split("/", -1)) {
                definition = get(definition, part);
            }
            return complaint((Map<?, ?>) definition, value, at);
        }
        if (!ways(schema, "anyOf", value, at) || !ways(schema, "oneOf", value, at)) {
            return at + ": fits none of the ways";
        }
        if (schema.get("enum") instanceof List<?> values && !values.contains(value)) {
            return at + ": " + value + " is not one of " + values;
        }
        if (schema.get("type") != null && !fits(get(schema, "type"), value)) {
            return at + ": " + value + " is no " + schema.get("type");
        }
        return switch (value) {
            case Map<?, ?> map -> object(schema, map, at);
            case List<?> list -> list(schema, list, at);
            case Number number -> number(schema, number.doubleValue(), at);
            case String text -> text(schema, text, at);
            case null, default -> null;
        };
    }

    private boolean ways(Map<?, ?> schema, String which, @Nullable Object value, String at) {
        if (!(schema.get(which) instanceof List<?> ways)) {
            return true;
        }
        long fitting =
                ways.stream().filter(way -> complaint((Map<?, ?>) way, value, at) == null).count();
        return which.equals("oneOf") ? fitting == 1 : fitting > 0;
    }

    private static boolean fits(Object type, @Nullable Object value) {
        if (type instanceof List<?> types) {
            return types.stream().anyMatch(one -> fits(one, value));
        }
        return switch ((String) type) {
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            case "string" -> value instanceof String;
            case "boolean" -> value instanceof Boolean;
            case "integer" ->
                    value instanceof Number n && n.doubleValue() == Math.rint(n.doubleValue());
            case "null" -> value == null;
            default -> value instanceof Number;
        };
    }

    private static @Nullable String text(Map<?, ?> schema, String text, String at) {
        boolean matches =
                !(schema.get("pattern") instanceof String pattern)
                        || Pattern.compile(pattern).matcher(text).find();
        boolean address =
                !(schema.get("format") instanceof String format)
                        || switch (format) {
                            case "uri" -> URI.create(text).isAbsolute();
                            case "uri-reference" -> !URI.create(text).toString().isEmpty();
                            default -> true;
                        };
        return matches && address ? null : at + ": " + text;
    }

    private static @Nullable String number(Map<?, ?> schema, double value, String at) {
        boolean small =
                schema.get("minimum") instanceof Number least && value < least.doubleValue();
        boolean large = schema.get("maximum") instanceof Number most && value > most.doubleValue();
        return small || large ? at + ": " + value : null;
    }

    private @Nullable String list(Map<?, ?> schema, List<?> list, String at) {
        if (schema.get("minItems") instanceof Number least && list.size() < least.intValue()
                || schema.get("maxItems") instanceof Number most && list.size() > most.intValue()) {
            return at + ": " + list.size() + " items";
        }
        if (Boolean.TRUE.equals(schema.get("uniqueItems"))
                && new HashSet<>(list).size() < list.size()) {
            return at + ": two items alike";
        }
        for (int i = 0; i < list.size(); i++) {
            if (schema.get("items") instanceof Map<?, ?> items) {
                String wrong = complaint(items, list.get(i), at + "[" + i + "]");
                if (wrong != null) {
                    return wrong;
                }
            }
        }
        return null;
    }

    private @Nullable String object(Map<?, ?> schema, Map<?, ?> map, String at) {
        List<?> required = schema.get("required") instanceof List<?> names ? names : List.of();
        if (!map.keySet().containsAll(required)
                || schema.get("minProperties") instanceof Number least
                        && map.size() < least.intValue()
                || schema.get("maxProperties") instanceof Number most
                        && map.size() > most.intValue()) {
            return at + ": fields " + map.keySet() + ", required " + required;
        }
        for (Map.Entry<?, ?> field : map.entrySet()) {
            Object known =
                    schema.get("properties") instanceof Map<?, ?> properties
                            ? properties.get(field.getKey())
                            : null;
            Object allowed = known == null ? schema.get("additionalProperties") : known;
            String place = at + "." + field.getKey();
            if (Boolean.FALSE.equals(allowed)) {
                return place + " is unknown";
            }
            String wrong =
                    allowed instanceof Map<?, ?> sub && field.getValue() != null
                            ? complaint(sub, field.getValue(), place)
                            : null;
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }
}
