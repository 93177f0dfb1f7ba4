package dev.heddle.vm.launch;

import java.util.List;
import java.util.Map;

/// A value of a JSON text that remembers where it stands, for messages.
///
/// @param value a `Map<String, JsonValue>`, a `List<JsonValue>`, a text, a [JsonNumber], a boolean,
///     or [#NULL]
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
