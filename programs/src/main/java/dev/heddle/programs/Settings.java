package dev.heddle.programs;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/// How `heddle cuda` was called.
///
/// @param target the device, such as `sm_90`
/// @param checked whether what is undefined is looked for
/// @param seconds the most that one launch may take
/// @param report where to write what ran and what was found, as JSON; or null
/// @param launches the folder for launch files; or null
public record Settings(
        String target,
        boolean checked,
        int seconds,
        @Nullable Path report,
        @Nullable Path launches) {
    private static final String PREFIX = "heddle.cuda.";

    /// As the command handed them over.
    static Settings ofProperties() {
        return new Settings(
                System.getProperty(PREFIX + "device", "sm_90"),
                !System.getProperty(PREFIX + "check", "all").equals("none"),
                Integer.getInteger(PREFIX + "timeout", 600),
                path("report"),
                path("launches"));
    }

    private static @Nullable Path path(String name) {
        String value = System.getProperty(PREFIX + name);
        return value == null ? null : Path.of(value);
    }
}
