package dev.heddle.vm.launch;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A value of a JSON text that remembers where it stands, for messages.
///
/// @param value a `Map<String, JsonValue>`, a `List<JsonValue>`, a text, a number, a boolean, or
///     [#NULL]
/// @param place such as `launch.json:3:14`
record JsonValue(Object value, String place) {
    /// Stands for `null`.
    static final Object NULL =
            new Object() {
                @Override
                public String toString() {
                    return "null";
                }
            };

    private static final int DEEPEST = 64;

    /// The value that a text holds.
    ///
    /// @param name of the file, for messages
    /// @throws LaunchFileException where the text is no JSON
    static JsonValue parse(String text, String name) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            parser.nextToken();
            JsonValue value = value(parser, name, 0);
            if (parser.nextToken() != null) {
                throw new LaunchFileException(
                        place(parser, name), "no JSON: something follows the object");
            }
            return value;
        } catch (JacksonException e) {
            TokenStreamLocation at = e.getLocation();
            throw new LaunchFileException(place(at, name), "no JSON: " + reason(e));
        }
    }

    /// What the parser says, without where the innermost object began, which it keeps to itself.
    private static String reason(JacksonException e) {
        String message =
                String.valueOf(e.getOriginalMessage()).replaceAll(" \\(code [0-9]+\\)", "");
        int marker = message.indexOf(" (start marker");
        return marker < 0 ? message : message.substring(0, marker);
    }

    private static String place(JsonParser parser, String name) {
        return place(parser.currentTokenLocation(), name);
    }

    // For every value of the file, so not by a format string.
    private static String place(TokenStreamLocation at, String name) {
        return name + ':' + at.getLineNr() + ':' + Math.max(1, at.getColumnNr());
    }

    private static JsonValue value(JsonParser parser, String name, int depth) {
        String place = place(parser, name);
        if (depth > DEEPEST) {
            throw new LaunchFileException(place, "no launch file: nested too deeply");
        }
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new LaunchFileException(place, "no JSON: the file is empty");
        }
        Object value =
                switch (token) {
                    case START_OBJECT -> object(parser, name, depth);
                    case START_ARRAY -> {
                        List<JsonValue> list = new ArrayList<>();
                        while (parser.nextToken() != JsonToken.END_ARRAY) {
                            list.add(value(parser, name, depth + 1));
                        }
                        yield list;
                    }
                    case VALUE_STRING -> parser.getString();
                    case VALUE_NUMBER_INT -> parser.getBigIntegerValue();
                    case VALUE_NUMBER_FLOAT -> decimal(parser, place);
                    case VALUE_TRUE -> true;
                    case VALUE_FALSE -> false;
                    default -> NULL;
                };
        return new JsonValue(value, place);
    }

    private static BigDecimal decimal(JsonParser parser, String place) {
        try {
            return parser.getDecimalValue();
        } catch (NumberFormatException e) {
            throw new LaunchFileException(
                    place, "no launch file: a number with an exponent beyond 2147483647");
        }
    }

    private static Map<String, JsonValue> object(JsonParser parser, String name, int depth) {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String field = parser.currentName();
            String place = place(parser, name);
            parser.nextToken();
            if (fields.put(field, value(parser, name, depth + 1)) != null) {
                throw new LaunchFileException(place, "field " + field + " is there twice");
            }
        }
        return fields;
    }

    /// As messages show it: texts in quotes, objects and lists by their kind.
    @Override
    public String toString() {
        return switch (value) {
            case Map<?, ?> _ -> "an object";
            case List<?> list -> list.toString();
            case String text ->
                    '"' + (text.length() > 60 ? text.substring(0, 60) + "..." : text) + '"';
            default -> value.toString();
        };
    }
}
