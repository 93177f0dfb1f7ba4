package dev.heddle.cli;

import dev.heddle.programs.fatbin.Executable;
import dev.heddle.ptx.LoadLimit;
import dev.heddle.ptx.check.Check;
import dev.heddle.ptx.check.CheckReport;
import dev.heddle.vm.Launch;
import dev.heddle.vm.report.FindingRecord;
import dev.heddle.vm.report.SarifLog;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// `heddle check`: everything wrong with PTX files.
final class CheckCommand extends Command {
    private static final String STANDARD_INPUT = "-";

    CheckCommand() {
        super("check");
    }

    @Override
    void describe(CommandSpec spec) {
        spec.usageMessage()
                .description(
                        "Check PTX files: what an assembler would reject, and what the manual calls"
                            + " undefined and can be seen without running. Folders are searched for"
                            + " .ptx files; of an executable or object file that nvcc made, every"
                            + " PTX module inside is checked; - is standard input.");
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
        spec.addOption(
                option(RunReports.SARIF, "FILE", "Write the findings as SARIF 2.1.0.").build());
        spec.addOption(
                option("--timeout", "SECONDS", "The most one module may take (default: 60).")
                        .build());
        examples(
                spec,
                "  heddle check kernel.ptx",
                "  heddle check build/ --json",
                "  heddle check build/ --run-on cpu",
                "  heddle check ./a.out",
                "  nvcc -ptx -o - kernel.cu | heddle check -",
                "",
                "Exit codes: 0 all accepted, and all kernels run where --run-on asks; 1 not; 2"
                        + " wrong usage or input.");
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws IOException {
        Look look = new Look(onCpu(value(given, "--run-on")), timeout(given));
        Tally tally = new Tally();
        SarifLog sarif = new SarifLog();
        boolean json = has(given, "--json");
        for (String name : words(given)) {
            try {
                for (Path file : files(name)) {
                    for (Looked module : modules(file, look)) {
                        tally.count(module);
                        sarif.add(FindingRecord.of(module.report()));
                        module.print(json, out);
                    }
                }
            } catch (UsageError | LoadLimit.Exceeded | IOException e) {
                // The others are looked at all the same.
                tally.unread++;
                String message =
                        e instanceof IOException failure
                                ? InputFault.of(failure)
                                : String.valueOf(e.getMessage());
                if (json) {
                    out.println(Json.line(unread(name, message)));
                } else {
                    err.println("heddle: " + message);
                    err.flush();
                }
            }
        }
        String log = value(given, RunReports.SARIF);
        if (log != null) {
            Files.writeString(Path.of(log), Json.line(sarif.object()) + "\n");
        }
        if (!json && tally.modules > 0) {
            out.println(tally.line());
        }
        return tally.code();
    }

    private static Map<String, Object> unread(String name, String message) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("file", name);
        object.put("verdict", "unread");
        object.put("complaints", List.of(message));
        return object;
    }

    /// What came out of all files.
    private static final class Tally {
        private final Map<String, Integer> outcomes = new TreeMap<>();
        private int modules;
        private int refused;
        private int gaps;
        private int unread;

        void count(Looked module) {
            modules++;
            if (module.report().verdict() != CheckReport.Verdict.ACCEPT) {
                refused++;
            }
            RunOnCpu support = module.support();
            gaps += support == null ? 0 : support.gaps();
            module.report()
                    .findings()
                    .forEach(one -> outcomes.merge(one.verdict().words(), 1, Integer::sum));
        }

        /// `1 of 3 modules accepted; 7 invalid, 1 undefined behavior`.
        String line() {
            String accepted =
                    "%d of %d %s accepted"
                            .formatted(
                                    modules - refused,
                                    modules,
                                    modules == 1 ? "module" : "modules");
            List<String> parts = new ArrayList<>();
            outcomes.forEach((outcome, count) -> parts.add(count + " " + outcome));
            return parts.isEmpty() ? accepted : accepted + "; " + String.join(", ", parts);
        }

        int code() {
            return unread > 0 ? 2 : refused == 0 && gaps == 0 ? 0 : 1;
        }
    }

    private static boolean onCpu(@Nullable String machine) {
        if (machine != null && !machine.equals("cpu")) {
            throw new UsageError("--run-on " + machine + ": expected cpu");
        }
        return machine != null;
    }

    private static Duration timeout(ParseResult given) {
        String text = value(given, "--timeout");
        return text == null ? Launch.Bounds.DEFAULT.time() : LaunchOptions.timeout(text);
    }

    /// What is asked of each module.
    ///
    /// @param runs whether it would run
    /// @param time that it may take
    private record Look(boolean runs, Duration time) {
        Looked at(String text, String name) {
            return LoadLimit.within(
                    name,
                    time,
                    () ->
                            new Looked(
                                    Check.text(text, name), runs ? RunOnCpu.of(text, name) : null));
        }
    }

    /// What was found of a module.
    ///
    /// @param support what of it would run, or null where nobody asked
    private record Looked(CheckReport report, @Nullable RunOnCpu support) {
        void print(boolean json, PrintWriter out) {
            if (json) {
                out.println(support == null ? report.json().strip() : json(report, support));
                return;
            }
            if (!report.findings().isEmpty()) {
                out.println(report.text().stripTrailing());
                out.println();
            }
            if (support != null) {
                support.lines().forEach(out::println);
            }
        }

        private static String json(CheckReport report, RunOnCpu support) {
            Map<String, Object> object = new LinkedHashMap<>();
            ((Map<?, ?>) Json.parse(report.json()))
                    .forEach((field, value) -> object.put(String.valueOf(field), value));
            object.put("run_on", support.json());
            return Json.line(object);
        }
    }

    /// A PTX file, or every PTX module inside an executable.
    private static List<Looked> modules(Path file, Look look) throws IOException {
        if (file.toString().equals(STANDARD_INPUT)) {
            String text = new String(System.in.readAllBytes(), StandardCharsets.ISO_8859_1);
            return List.of(look.at(text, "<stdin>"));
        }
        if (!Executable.is(file)) {
            return List.of(look.at(Check.read(file), file.toString()));
        }
        List<Looked> modules = new ArrayList<>();
        for (PtxSource module : PtxSource.inside(file)) {
            modules.add(look.at(module.text(), module.name()));
        }
        return modules;
    }

    /// The files that a word names.
    private static List<Path> files(String name) throws IOException {
        Path path = Path.of(name);
        if (name.equals(STANDARD_INPUT)) {
            return List.of(path);
        }
        if (!Files.isDirectory(path)) {
            if (!Files.isReadable(path)) {
                throw new UsageError(InputFault.of(path));
            }
            return List.of(path);
        }
        try (Stream<Path> tree = Files.walk(path)) {
            List<Path> files =
                    tree.filter(file -> file.toString().endsWith(".ptx")).sorted().toList();
            if (files.isEmpty()) {
                throw new UsageError(name + ": no .ptx file in this folder");
            }
            return files;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
