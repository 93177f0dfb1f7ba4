package dev.heddle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Which module may see which: the arrows of CONTRIBUTING.md, read off the imports of the sources.
@DisplayName("Dependencies between modules point down")
final class ModuleBoundariesTest {
    private static final Map<String, Set<String>> MAY_SEE =
            Map.ofEntries(
                    Map.entry("formats", Set.of()),
                    Map.entry("files", Set.of("formats")),
                    Map.entry("layout", Set.of()),
                    Map.entry("isa", Set.of("formats", "layout")),
                    Map.entry("tensorcore", Set.of("formats", "layout", "isa")),
                    Map.entry("ptx", Set.of("formats", "layout", "isa")),
                    Map.entry("sparse", Set.of("formats", "files", "layout", "isa")),
                    Map.entry(
                            "vm",
                            Set.of(
                                    "formats",
                                    "files",
                                    "layout",
                                    "isa",
                                    "tensorcore",
                                    "ptx",
                                    "sparse")),
                    Map.entry(
                            "cuda",
                            Set.of("formats", "files", "layout", "isa", "tensorcore", "ptx", "vm")),
                    Map.entry(
                            "junit",
                            Set.of(
                                    "formats",
                                    "files",
                                    "layout",
                                    "isa",
                                    "tensorcore",
                                    "ptx",
                                    "vm",
                                    "cuda")),
                    Map.entry("programs", Set.of("ptx", "vm")),
                    Map.entry("explorer", Set.of("formats", "layout", "isa", "tensorcore")));

    private static final Pattern IMPORT =
            Pattern.compile("import (?:static )?dev\\.heddle\\.(\\w+)\\.");

    @Test
    void noModuleImportsWhatItMayNotSee() throws IOException {
        for (Map.Entry<String, Set<String>> module : MAY_SEE.entrySet()) {
            Set<String> seen = new TreeSet<>();
            for (Path source : sources(Path.of("..", module.getKey(), "src", "main", "java"))) {
                Matcher matcher = IMPORT.matcher(Files.readString(source));
                while (matcher.find()) {
                    seen.add(matcher.group(1));
                }
            }
            seen.remove(module.getKey());
            assertThat(module.getValue()).as(module.getKey()).containsAll(seen);
        }
    }

    private static List<Path> sources(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            List<Path> sources = tree.filter(path -> path.toString().endsWith(".java")).toList();
            assertThat(sources).as(folder.toString()).isNotEmpty();
            return sources;
        }
    }
}
