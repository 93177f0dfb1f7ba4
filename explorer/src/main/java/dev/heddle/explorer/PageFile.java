package dev.heddle.explorer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// A file of the page.
///
/// @param name the name of the file
/// @param type its media type
/// @param text its content
record PageFile(String name, String type, String text) {
    /// Every file by the path it is served under. Nothing else is served.
    static Map<String, PageFile> all() {
        Map<String, PageFile> files = new LinkedHashMap<>();
        PageFile index = read("index.html", "text/html; charset=utf-8");
        files.put("/", index);
        files.put("/index.html", index);
        for (String script :
                new String[] {
                    "source.js",
                    "state.js",
                    "values.js",
                    "figure.js",
                    "chooser.js",
                    "sparse.js",
                    "shared.js",
                    "execution.js",
                    "saving.js",
                    "page.js"
                }) {
            files.put("/" + script, read(script, "text/javascript; charset=utf-8"));
        }
        files.put("/icon.svg", read("icon.svg", "image/svg+xml"));
        files.put("/page.css", read("page.css", "text/css; charset=utf-8"));
        files.put(
                "/figure.css",
                new PageFile("figure.css", "text/css; charset=utf-8", Figure.styleSheet()));
        return files;
    }

    private static PageFile read(String name, String type) {
        try (InputStream in = PageFile.class.getResourceAsStream("page/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the page's " + name + " is not in the jar");
            }
            return new PageFile(name, type, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
