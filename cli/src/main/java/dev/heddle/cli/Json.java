package dev.heddle.cli;

import dev.heddle.formats.InputException;

import tools.jackson.jr.ob.JSON;

/// Values as JSON text: maps, lists, strings, numbers, booleans.
final class Json {
    private Json() {}

    /// One value on one line.
    static String line(Object value) {
        return JSON.std.asString(value);
    }

    /// The value of a text.
    ///
    /// @throws InputException where it is no JSON; the message says where
    static Object parse(String text) {
        try {
            return JSON.std.anyFrom(text);
        } catch (RuntimeException e) {
            String message = String.valueOf(e.getMessage());
            throw new InputException(message.lines().findFirst().orElse(""), e);
        }
    }
}
