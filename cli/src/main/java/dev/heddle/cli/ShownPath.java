package dev.heddle.cli;

import java.nio.file.Path;
import java.util.regex.Pattern;

/// Names of files in messages, as whoever reads them typed them.
final class ShownPath {
    private static final Pattern KEPT =
            Pattern.compile("\\S*/heddle-input\\d+/stdin[.](npy|safetensors|bin)");

    private ShownPath() {}

    /// A message in which files below the working folder go without it, and what was kept of
    /// standard input goes by its name.
    static String in(String message) {
        String below = Path.of("").toAbsolutePath() + "/";
        String shown =
                message.contains(below)
                        ? message.replaceAll("(?<![^\\s:=(\"'])" + Pattern.quote(below), "")
                        : message;
        return shown.contains("/heddle-input")
                ? KEPT.matcher(shown).replaceAll(PtxSource.STANDARD_INPUT)
                : shown;
    }
}
