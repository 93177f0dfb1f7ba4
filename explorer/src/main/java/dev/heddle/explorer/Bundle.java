package dev.heddle.explorer;

import tools.jackson.jr.ob.JSON;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/// Documents of an exported site that have much in common: equal parts are written once, and the
/// whole is compressed.
///
/// The JSON is `parts`, a list, and `documents`, in which a number stands for a part; a field whose
/// parts are shared one by one is an object of such numbers.
final class Bundle {
    private final Map<String, Integer> indices = new LinkedHashMap<>();
    private final List<Object> parts = new ArrayList<>();
    private final Map<String, Object> documents = new LinkedHashMap<>();

    void add(String name, Map<String, Object> document) {
        Map<String, Object> references = new LinkedHashMap<>();
        document.forEach(
                (field, value) -> {
                    if (value instanceof Map<?, ?> map && !map.isEmpty()) {
                        Map<String, Object> inner = new LinkedHashMap<>();
                        map.forEach((key, each) -> inner.put(String.valueOf(key), part(each)));
                        references.put(field, inner);
                    } else {
                        references.put(field, part(value));
                    }
                });
        documents.put(name, references);
    }

    private int part(Object value) {
        return indices.computeIfAbsent(
                JSON.std.asString(value),
                _ -> {
                    parts.add(value);
                    return parts.size() - 1;
                });
    }

    /// A script that hands the bundle to the page.
    String script(String name) throws IOException {
        byte[] json =
                JSON.std
                        .asString(Map.of("parts", parts, "documents", documents))
                        .getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(json);
        }
        return "heddle.receive(\"%s\",\"%s\");\n"
                .formatted(name, Base64.getEncoder().encodeToString(bytes.toByteArray()));
    }
}
