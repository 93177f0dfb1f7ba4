package dev.heddle.cli;

import dev.heddle.programs.fatbin.DeviceImage;
import dev.heddle.programs.fatbin.Executable;
import dev.heddle.ptx.check.Check;
import dev.heddle.ptx.check.CheckReport;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// `heddle check`: everything wrong with PTX files.
final class CheckCommand extends Command {
    CheckCommand() {
        super("check");
    }

    @Override
    void describe(CommandSpec spec) {
        spec.usageMessage()
                .description(
                        "Check PTX files: what an assembler would reject, and what the manual calls"
                                + " undefined and can be seen without running. Folders are searched"
                                + " for .ptx files; of an executable or object file that nvcc"
                                + " made, every PTX module inside is checked.");
        spec.addPositional(parameters(0, "FILE|FOLDER", "What to check."));
        spec.addOption(
                flag(
                        "--json",
                        "One JSON line a file: file, verdict accept|reject|undefined, diagnostics;"
                                + " with --run-on also run_on."));
        spec.addOption(
                option(
                                "--run-on",
                                "cpu",
                                "Say of each kernel whether `heddle run` would run it, what it does"
                                        + " not run, and whose bits are assumed.")
                        .build());
        examples(
                spec,
                "  heddle check kernel.ptx",
                "  heddle check build/ --json",
                "  heddle check build/ --run-on cpu",
                "  heddle check ./a.out",
                "",
                "Exit codes: 0 all accepted, and all kernels run where --run-on asks; 1 not; 2"
                        + " wrong usage or input.");
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws IOException {
        List<Path> files = files(words(given));
        boolean json = has(given, "--json");
        boolean runs = onCpu(value(given, "--run-on"));
        int refused = 0;
        int gaps = 0;
        List<Looked> modules = new ArrayList<>();
        for (Path file : files) {
            modules.addAll(modules(file, runs));
        }
        for (Looked module : modules) {
            CheckReport report = module.report();
            RunOnCpu support = module.support();
            if (report.verdict() != CheckReport.Verdict.ACCEPT) {
                refused++;
            }
            gaps += support == null ? 0 : support.gaps();
            if (json) {
                out.println(support == null ? report.json().strip() : json(report, support));
            } else {
                if (!report.findings().isEmpty()) {
                    out.println(report.text().stripTrailing());
                    out.println();
                }
                if (support != null) {
                    support.lines().forEach(out::println);
                }
            }
        }
        if (!json) {
            out.println(
                    "%d of %d %s accepted"
                            .formatted(
                                    modules.size() - refused,
                                    modules.size(),
                                    modules.size() == files.size() ? "files" : "modules"));
        }
        return refused == 0 && gaps == 0 ? 0 : 1;
    }

    private static boolean onCpu(@Nullable String machine) {
        if (machine != null && !machine.equals("cpu")) {
            throw new UsageError("--run-on " + machine + ": expected cpu");
        }
        return machine != null;
    }

    private static String json(CheckReport report, RunOnCpu support) {
        Map<String, Object> object = new LinkedHashMap<>();
        ((Map<?, ?>) Json.parse(report.json()))
                .forEach((field, value) -> object.put(String.valueOf(field), value));
        object.put("run_on", support.json());
        return Json.line(object);
    }

    /// What was found of a module.
    ///
    /// @param support what of it would run, or null where nobody asked
    private record Looked(CheckReport report, @Nullable RunOnCpu support) {
        static Looked at(CheckReport report, String text, String name, boolean runs) {
            return new Looked(report, runs ? RunOnCpu.of(text, name) : null);
        }
    }

    /// A PTX file, or every PTX module inside an executable.
    private static List<Looked> modules(Path file, boolean runs) throws IOException {
        if (!Executable.is(file)) {
            CheckReport report = Check.file(file);
            String text = runs ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
            return List.of(Looked.at(report, text, file.toString(), runs));
        }
        List<Looked> modules = new ArrayList<>();
        for (DeviceImage image : Executable.images(file)) {
            if (image.kind() == DeviceImage.Kind.PTX) {
                String name =
                        "%s:%d.compute_%d.ptx"
                                .formatted(file, modules.size() + 1, image.capability());
                modules.add(Looked.at(Check.text(image.text(), name), image.text(), name, runs));
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

    private static List<Path> files(List<String> names) throws IOException {
        if (names.isEmpty()) {
            throw new UsageError("check: expected FILE.ptx, an executable or a folder");
        }
        List<Path> files = new ArrayList<>();
        for (String name : names) {
            Path path = Path.of(name);
            if (Files.isDirectory(path)) {
                try (Stream<Path> tree = Files.walk(path)) {
                    tree.filter(file -> file.toString().endsWith(".ptx"))
                            .sorted()
                            .forEach(files::add);
                }
            } else if (Files.isReadable(path)) {
                files.add(path);
            } else {
                throw new UsageError(name + ": no such file, or not readable");
            }
        }
        if (files.isEmpty()) {
            throw new UsageError(String.join(" ", names) + ": no .ptx files there");
        }
        return files;
    }
}
