package dev.heddle.ptx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The PTX files that tests read: those of this module and the kernels under `corpus/`.
public final class Corpus {

    private static final Path RESOURCES = Path.of("src/test/resources/dev/heddle/ptx");

    private Corpus() {}

    /// All of them, sorted; the folder `corpus` of the property `heddle.corpus` where it is set.
    public static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        files.add(RESOURCES.resolve("everything.ptx"));
        Path corpus = Path.of(System.getProperty("heddle.corpus", "../corpus"));
        if (Files.isDirectory(corpus)) {
            try (Stream<Path> found = Files.walk(corpus)) {
                found.filter(file -> file.toString().endsWith(".ptx")).sorted().forEach(files::add);
            }
        }
        return files;
    }
}
