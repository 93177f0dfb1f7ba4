package dev.heddle.cli;

import dev.heddle.formats.Counted;
import dev.heddle.programs.fatbin.Executable;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.LoadLimit;
import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.Check;
import dev.heddle.ptx.check.CheckReport;
import dev.heddle.ptx.check.Mended;
import dev.heddle.vm.Launch;
import dev.heddle.vm.report.FindingRecord;
import dev.heddle.vm.report.SarifLog;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
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
    static final String STANDARD_INPUT = "-";

    private static final String FIX = "--fix";
    private static final String DIFF = "--diff";

    @Override
    String help() {
        return """
        Check PTX files: what an assembler would reject, and what the manual calls undefined
            and can be seen without running. Folders are searched for .ptx files; of an
            executable or object file that nvcc made, every PTX module inside is checked; -
            is standard input.

        FILE|FOLDER ...  What to check.
        --json  One JSON line a file: file, verdict accept|reject|undefined, findings; with
            --run-on also run_on.
        --run-on cpu  Say of each kernel whether `heddle run` would run it, what it does not
            run, and whose bits are assumed.
        --sarif FILE  Write the findings as SARIF 2.1.0.
        --fix  Put right what can only be meant otherwise (a misspelt qualifier, a missing
            .aligned or ;), in the file; of -, on standard output.
        --diff  With --fix: print what would change, and change nothing.
        --timeout SECONDS  The most one module may take (default: 60).

        Examples:
          heddle check kernel.ptx
          heddle check build/ --json
          heddle check build/ --run-on cpu
          heddle check ./a.out
          nvcc -ptx -o - kernel.cu | heddle check -
          heddle check kernel.ptx --fix --diff

        Exit codes: 0 all accepted, and all kernels run where --run-on asks; 1 not; 2 wrong usage \
        or input.
        """;
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws IOException {
        ModuleFix fix = fix(given);
        Look look = new Look(onCpu(value(given, "--run-on")), timeout(given), fix);
        Tally tally = new Tally();
        boolean json = has(given, "--json");
        boolean text = fix != null && (fix.diff() || words(given).contains(STANDARD_INPUT));
        if (json && text) {
            throw new UsageError("--json: standard output is for the text that --fix mends");
        }
        PrintWriter said = text ? err : out;
        for (String name : words(given)) {
            try {
                for (Path file : files(name)) {
                    for (CheckedModule module : modules(file, look, out)) {
                        tally.count(module);
                        if (json) {
                            out.println(module.json(fix != null));
                        } else {
                            module.print(said);
                        }
                    }
                }
            } catch (UsageError | LoadLimit.Exceeded | IOException e) {
                // The others are looked at all the same.
                tally.unread++;
                PrintWriter told = json ? out : err;
                told.println(json ? Json.line(unread(name, why(e))) : "heddle: " + why(e));
                told.flush();
            }
        }
        String log = value(given, RunReports.SARIF);
        if (log != null) {
            Files.writeString(Path.of(log), Json.line(tally.log()) + "\n");
        }
        if (!json && tally.modules > 0) {
            said.println(tally.line());
        }
        return tally.code();
    }

    private static String why(Exception e) {
        return e instanceof IOException failure
                ? InputFault.of(failure)
                : String.valueOf(e.getMessage());
    }

    private static @Nullable ModuleFix fix(ParseResult given) {
        boolean diff = has(given, DIFF);
        if (diff && !has(given, FIX)) {
            throw new UsageError(DIFF + ": only with " + FIX);
        }
        return has(given, FIX) ? new ModuleFix(diff) : null;
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
        private final SarifLog sarif = new SarifLog();
        private int modules;
        private int refused;
        private int gaps;
        private int unread;
        private int fixed;
        private int fixable;

        void count(CheckedModule module) {
            modules++;
            sarif.add(FindingRecord.of(module.report()));
            fixed += module.fixed().size();
            fixable += module.report().fixable().size();
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
                    "%d of %s accepted".formatted(modules - refused, Counted.of(modules, "module"));
            List<String> parts = new ArrayList<>();
            if (fixed > 0) {
                parts.add(fixed + " fixed");
            }
            outcomes.forEach((outcome, count) -> parts.add(count + " " + outcome));
            if (fixable > 0) {
                parts.add("--fix mends " + fixable);
            }
            return parts.isEmpty() ? accepted : accepted + "; " + String.join(", ", parts);
        }

        Map<String, Object> log() {
            return sarif.object(code(), unread == 0);
        }

        int code() {
            return unread > 0 ? UsageError.CODE : refused == 0 && gaps == 0 ? 0 : 1;
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
    /// @param fix  what becomes of what can be mended, or null where it is only named
    private record Look(boolean runs, Duration time, @Nullable ModuleFix fix) {
        CheckedModule at(String text, String name) {
            return LoadLimit.within(name, time, () -> checked(text, name, List.of()));
        }

        /// Mends it first.
        CheckedModule mended(ModuleFix how, String given, String text, String name, PrintWriter out)
                throws IOException {
            Mended mended = LoadLimit.within(name, time, () -> Mended.of(text, name));
            how.deliver(given, text, mended, out);
            return LoadLimit.within(
                    name,
                    time,
                    () ->
                            how.diff()
                                    ? checked(text, name, List.of())
                                    : checked(mended.text(), name, mended.applied()));
        }

        private CheckedModule checked(String text, String name, List<Diagnostic> fixed) {
            Parsed parsed = Ptx.parse(text, name);
            return new CheckedModule(
                    Check.parsed(parsed), fixed, runs ? RunOnCpu.of(parsed, name) : null);
        }
    }

    /// A PTX file, or every PTX module inside an executable.
    private static List<CheckedModule> modules(Path file, Look look, PrintWriter out)
            throws IOException {
        boolean input = file.toString().equals(STANDARD_INPUT);
        ModuleFix fix = look.fix();
        if (input || !Executable.is(file)) {
            String text = input ? PtxSource.standardInput() : Check.read(file);
            String name = input ? PtxSource.STANDARD_INPUT : file.toString();
            return List.of(
                    fix == null
                            ? look.at(text, name)
                            : look.mended(fix, file.toString(), text, name, out));
        }
        if (fix != null) {
            throw new UsageError(
                    file + ": --fix mends PTX files; the modules of this one are compiled in");
        }
        List<CheckedModule> modules = new ArrayList<>();
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
