package dev.heddle.explorer;

import dev.heddle.isa.Form;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A file of the page.
///
/// @param name the name of the file
/// @param type its media type
/// @param text its content
record PageFile(String name, String type, String text) {
    /// The parts of the script, in the order in which they need one another.
    private static final List<String> SCRIPTS =
            List.of(
                    """
                    source state values tables colours runs sheet drawing picture registers lane
                    head chooser search sparse shared loading execution code saving tour page
                    """
                            .split("\\s"));

    /// Every file by the path it is served under. Nothing else is served.
    static Map<String, PageFile> all() {
        return all(Catalogue.START);
    }

    /// The same, for a page that opens on a form.
    static Map<String, PageFile> all(Form start) {
        Map<String, PageFile> files = new LinkedHashMap<>();
        PageFile index = index(start);
        files.put("/", index);
        files.put("/index.html", index);
        files.put(
                "/page.js",
                new PageFile("page.js", "text/javascript; charset=utf-8", joined(SCRIPTS)));
        files.put("/icon.svg", read("icon.svg", "image/svg+xml"));
        String style = read("page.css", "").text() + Palette.variables();
        files.put("/page.css", new PageFile("page.css", "text/css; charset=utf-8", style));
        return files;
    }

    /// What the script of an exported site has besides: the search, which a server does else.
    static String searchScript() {
        return joined(List.of("finding"));
    }

    private static PageFile index(Form start) {
        String text =
                read("index.html", "")
                        .text()
                        .replace("{start}", start.opcode())
                        .replace("{source}", start.aSource().word());
        return new PageFile("index.html", "text/html; charset=utf-8", text);
    }

    /// One script: a page that is read at once needs no ten requests.
    private static String joined(List<String> names) {
        StringBuilder text = new StringBuilder();
        names.forEach(name -> text.append(read(name + ".js", "").text()));
        return text.toString();
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
