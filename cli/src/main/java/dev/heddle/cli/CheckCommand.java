package dev.heddle.cli;

import dev.heddle.programs.fatbin.DeviceImage;
import dev.heddle.programs.fatbin.Executable;
import dev.heddle.ptx.check.Check;
import dev.heddle.ptx.check.CheckReport;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
                flag("--json", "One JSON line a file: file, verdict accept|reject|undefined."));
        examples(
                spec,
                "  heddle check kernel.ptx",
                "  heddle check build/ --json",
                "  heddle check ./a.out",
                "",
                "Exit codes: 0 all accepted; 1 some are not; 2 wrong usage or input.");
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws IOException {
        List<Path> files = files(words(given));
        boolean json = has(given, "--json");
        int refused = 0;
        List<CheckReport> reports = new ArrayList<>();
        for (Path file : files) {
            reports.addAll(reports(file));
        }
        for (CheckReport report : reports) {
            if (report.verdict() != CheckReport.Verdict.ACCEPT) {
                refused++;
            }
            if (json) {
                out.println(report.json().strip());
            } else if (!report.findings().isEmpty()) {
                out.println(report.text().stripTrailing());
                out.println();
            }
        }
        if (!json) {
            out.println(
                    "%d of %d %s accepted"
                            .formatted(
                                    reports.size() - refused,
                                    reports.size(),
                                    reports.size() == files.size() ? "files" : "modules"));
        }
        return refused == 0 ? 0 : 1;
    }

    /// Of a PTX file, or of every PTX module inside an executable.
    private static List<CheckReport> reports(Path file) throws IOException {
        if (!Executable.is(file)) {
            return List.of(Check.file(file));
        }
        List<CheckReport> reports = new ArrayList<>();
        for (DeviceImage image : Executable.images(file)) {
            if (image.kind() == DeviceImage.Kind.PTX) {
                String name =
                        "%s:%d.compute_%d.ptx"
                                .formatted(file, reports.size() + 1, image.capability());
                reports.add(Check.text(image.text(), name));
            }
        }
        if (reports.isEmpty()) {
            throw new UsageError(
                    file
                            + ": an ELF file without PTX: build it with -gencode"
                            + " arch=compute_80,code=compute_80");
        }
        return reports;
    }

    private static List<Path> files(List<String> names) throws IOException {
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
