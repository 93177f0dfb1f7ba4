package dev.heddle.explorer;

import tools.jackson.jr.ob.JSON;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/// What the page is served.
///
/// @param status an HTTP status: 200, 400, 404
/// @param type   a media type
/// @param body   the text
public record Answer(int status, String type, String body) {
    static Answer json(Object value) {
        return new Answer(200, "application/json; charset=utf-8", JSON.std.asString(value));
    }

    /// A message for whoever asked.
    static Answer refusal(int status, String message) {
        return new Answer(
                status,
                "application/json; charset=utf-8",
                JSON.std.asString(Map.of("message", message)));
    }

    byte[] bytes() {
        return body.getBytes(StandardCharsets.UTF_8);
    }
}
