package dev.heddle.cli;

import tools.jackson.jr.ob.JSON;

/// Values as JSON text: maps, lists, strings, numbers, booleans.
final class Json {
    private Json() {}

    /// One value on one line.
    static String line(Object value) {
        return JSON.std.asString(value);
    }
}
