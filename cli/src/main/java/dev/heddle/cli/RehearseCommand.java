package dev.heddle.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/// Runs one of each look-up, a check or kernels, output thrown away: the launcher records what they
/// load, and what their methods are called with, into the caches that later calls start from. A
/// cache is loaded whole, so each is kept small: look-ups are rehearsed with answers in words.
final class RehearseCommand extends Command {
    private static final String CLASS = ".class";
    private static final String DENSE = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    private static final String SPARSE =
            "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";
    private static final String WARPGROUP = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16";
    private static final String SCALED =
            "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0";

    private static final List<List<String>> LOOK_UPS =
            List.of(
                    List.of("where", DENSE, "A", "--element", "9,10"),
                    List.of("where", DENSE, "B", "--lane", "5"),
                    List.of("where", SPARSE, "E", "--element", "3,20"),
                    List.of("where", DENSE, "A", "--lane", "32"),
                    List.of("explain", SPARSE),
                    List.of("explain", WARPGROUP, "--target", "sm_90a"),
                    List.of("explain", DENSE + " {%a}, {%b}, {%c}, {%d};"),
                    List.of("explain", "mma.sync.aligned.m16n8k16.row.col.f32.f61.f16.f32"),
                    List.of("layout", SPARSE, "E", "--as", "text"),
                    List.of("layout", SCALED, "SFA", "--as", "tsv"),
                    List.of("code", SPARSE),
                    List.of("code", SPARSE, "--as", "cute"),
                    List.of("forms", "--family", "mma.sp", "--target", "sm_90"));

    @Override
    String help() {
        return """


        WHAT ...  look-ups, check or run, and then launches to run
        """;
    }

    @Override
    void adjust(CommandSpec spec) {
        spec.usageMessage().hidden(true).description(new String[0]);
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws IOException {
        PrintWriter nowhere =
                new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        List<String> what = words(given);
        switch (what.getFirst()) {
            case "check" -> check(nowhere);
            case "run" -> {
                for (String launch : what.subList(1, what.size())) {
                    Main.run(nowhere, nowhere, "run", launch, "--check", "none");
                    Main.run(nowhere, nowhere, "run", launch);
                }
                Main.run(nowhere, nowhere, "exec", DENSE, "--random", "1");
                loadPrograms();
            }
            default ->
                    LOOK_UPS.forEach(
                            words -> Main.run(nowhere, nowhere, words.toArray(String[]::new)));
        }
        return 0;
    }

    /// Loads what answers the calls of CUDA programs. None is run: there may be no C compiler for
    /// the library that it loads.
    private static void loadPrograms() throws IOException {
        // The file system of archives is a module that a packaged runtime does not have.
        try (JarFile jar = new JarFile(System.getProperty("java.class.path"))) {
            jar.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.startsWith("dev/heddle/programs/"))
                    .filter(name -> name.endsWith(CLASS) && !name.endsWith("-info" + CLASS))
                    .map(name -> name.substring(0, name.length() - CLASS.length()))
                    .forEach(name -> load(name.replace('/', '.')));
        }
    }

    private static void load(String name) {
        try {
            Class.forName(name, false, RehearseCommand.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Checks a module with mistakes in it, as a file, in both kinds of output.
    private static void check(PrintWriter nowhere) throws IOException {
        Path file = Files.createTempFile("rehearsal", ".ptx");
        try (InputStream text = RehearseCommand.class.getResourceAsStream("rehearsal.ptx")) {
            Files.write(file, Objects.requireNonNull(text).readAllBytes());
            Main.run(nowhere, nowhere, "check", file.toString());
            Main.run(nowhere, nowhere, "check", file.toString(), "--json");
        } finally {
            Files.delete(file);
        }
    }
}
