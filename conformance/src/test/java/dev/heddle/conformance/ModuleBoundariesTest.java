package dev.heddle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which module may name which: the arrows of CONTRIBUTING.md, read off the class files. Packages
/// of one module name one another in no circle either.
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
                    Map.entry(
                            "programs",
                            Set.of("formats", "files", "isa", "ptx", "tensorcore", "vm")),
                    Map.entry("explorer", Set.of("formats", "layout", "isa", "ptx", "tensorcore")));

    @Test
    void noModuleNamesWhatItMayNotSee() throws IOException {
        Map<String, Set<String>> seen = new TreeMap<>();
        PackageGraph.of(MAY_SEE.keySet())
                .names()
                .forEach(
                        (name, named) -> {
                            Set<String> modules =
                                    seen.computeIfAbsent(
                                            PackageGraph.module(name), _ -> new TreeSet<>());
                            named.forEach(other -> modules.add(PackageGraph.module(other)));
                        });
        assertThat(seen.keySet()).isEqualTo(MAY_SEE.keySet());
        seen.forEach(
                (module, others) -> {
                    others.remove(module);
                    assertThat(MAY_SEE.get(module)).as(module).containsAll(others);
                });
    }

    @Test
    void noPackagesNameOneAnotherInACircle() throws IOException {
        assertThat(PackageGraph.of(MAY_SEE.keySet()).circles()).isEmpty();
    }
}
