package dev.heddle.explorer;

import tools.jackson.jr.ob.JSON;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/// What the page is served.
///
/// @param status an HTTP status: 200, 404
/// @param type   a media type
/// @param body   the text
public record Answer(int status, String type, String body) {
    /// The media type of a problem (RFC 9457).
    private static final String NONE = "application/problem+json; charset=utf-8";

    static Answer json(Object value) {
        return new Answer(200, "application/json; charset=utf-8", JSON.std.asString(value));
    }

    /// A question that has no answer, and why. The request itself was in order: a status of 400
    /// would have the browser report each wrong input as a failure of the page.
    static Answer none(String message) {
        return new Answer(200, NONE, JSON.std.asString(Map.of("message", message)));
    }

    /// A request that is refused, and why.
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
