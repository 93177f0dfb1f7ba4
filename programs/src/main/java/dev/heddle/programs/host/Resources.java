package dev.heddle.programs.host;

import java.io.IOException;
import java.util.List;

/// The tables beside these classes.
public final class Resources {
    private Resources() {}

    /// The lines of a table, without comments.
    public static List<String> lines(String name) throws IOException {
        return NativeLibrary.resource(name)
                .lines()
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }
}
