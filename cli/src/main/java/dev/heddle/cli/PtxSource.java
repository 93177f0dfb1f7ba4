package dev.heddle.cli;

import dev.heddle.programs.fatbin.DeviceImage;
import dev.heddle.programs.fatbin.Executable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A PTX module: a file, or one of those inside an executable.
///
/// @param name for messages
/// @param text the module
record PtxSource(String name, String text) {
    /// What messages call standard input.
    static final String STANDARD_INPUT = "<stdin>";

    /// The most that is read from standard input.
    private static final int LARGEST = 256 << 20;

    private static final Pattern ENTRY = Pattern.compile("[.]entry\\s+([\\w$%]+)");
    private static final Pattern TARGET = Pattern.compile("compute_(\\d+)[.]ptx$");

    /// All that standard input holds, a byte a character.
    static String standardInput() throws IOException {
        byte[] read = System.in.readNBytes(LARGEST + 1);
        if (read.length > LARGEST) {
            throw new UsageError("-: more than " + LARGEST + " bytes");
        }
        return new String(read, StandardCharsets.ISO_8859_1);
    }

    /// The modules of a file: itself, or what an ELF file holds; of `-`, standard input.
    ///
    /// @throws UsageError where it is an ELF file without PTX
    static List<PtxSource> of(Path file) throws IOException {
        if (file.toString().equals("-")) {
            return List.of(new PtxSource(STANDARD_INPUT, standardInput()));
        }
        return Executable.is(file)
                ? inside(file)
                : List.of(
                        new PtxSource(
                                file.toString(),
                                Files.readString(file, StandardCharsets.ISO_8859_1)));
    }

    /// Every PTX module inside an executable, shared object or object file.
    ///
    /// @throws UsageError where there is none
    static List<PtxSource> inside(Path file) throws IOException {
        List<PtxSource> modules = new ArrayList<>();
        for (DeviceImage image : Executable.images(file)) {
            if (image.kind() == DeviceImage.Kind.PTX) {
                String name =
                        "%s:%d.compute_%d.ptx"
                                .formatted(file, modules.size() + 1, image.capability());
                modules.add(new PtxSource(name, image.text()));
            }
        }
        if (modules.isEmpty()) {
            throw new UsageError(
                    file
                            + ": an ELF file without PTX: build it with -gencode"
                            + " arch=compute_80,code=compute_80");
        }
        return modules;
    }

    /// The module inside an executable that has all of some kernels; of several the one for the
    /// highest target.
    ///
    /// @param entries names of kernels, or parts of them; an empty one is any
    /// @param targets such as `compute_80`; empty for all
    /// @throws UsageError where there is none, or none for one target alone
    static PtxSource holding(Path file, List<String> entries, List<String> targets)
            throws IOException {
        List<PtxSource> modules =
                inside(file).stream().filter(module -> module.isFor(targets)).toList();
        List<PtxSource> found =
                modules.stream().filter(module -> module.has(entries, true)).toList();
        if (found.isEmpty()) {
            found = modules.stream().filter(module -> module.has(entries, false)).toList();
        }
        if (found.isEmpty()) {
            throw new UsageError(
                    "%s: none of the %d PTX modules inside has kernel %s; heddle check %s --run-on"
                                    .formatted(
                                            file, modules.size(), String.join(", ", entries), file)
                            + " cpu names those it has");
        }
        int highest = found.stream().mapToInt(PtxSource::capability).max().orElseThrow();
        List<PtxSource> best =
                found.stream().filter(module -> module.capability() == highest).toList();
        if (best.size() > 1) {
            throw new UsageError(
                    "%s: %d PTX modules inside have kernel %s; write its whole name"
                            .formatted(file, best.size(), String.join(", ", entries)));
        }
        return best.getFirst();
    }

    private boolean isFor(List<String> targets) {
        return targets.isEmpty()
                || targets.stream().anyMatch(target -> name.endsWith("." + target + ".ptx"));
    }

    private boolean has(List<String> entries, boolean exactly) {
        List<String> names = ENTRY.matcher(text).results().map(found -> found.group(1)).toList();
        return exactly
                ? names.containsAll(entries)
                : entries.stream()
                        .allMatch(entry -> names.stream().anyMatch(n -> n.contains(entry)));
    }

    private int capability() {
        Matcher target = TARGET.matcher(name);
        return target.find() ? Integer.parseInt(target.group(1)) : 0;
    }
}
