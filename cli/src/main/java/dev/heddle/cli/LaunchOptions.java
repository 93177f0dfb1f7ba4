package dev.heddle.cli;

import dev.heddle.formats.InputException;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Launch;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.launch.Contents;
import dev.heddle.vm.launch.Expectation;
import dev.heddle.vm.launch.LaunchFile;
import dev.heddle.vm.launch.Tolerance;
import dev.heddle.vm.report.Reporting;
import dev.heddle.vm.report.Suppressions;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The options of `heddle run` that say what a launch file says. They make the same records, so
/// that both mean the same.
final class LaunchOptions {
    static final String REPORT_ALL = "--report-all";
    static final String SUPPRESS = "--suppress";

    private static final List<String> OF_A_LAUNCH =
            List.of("--entry --grid --block --shared --cluster --cooperative --arg".split(" ", -1));

    private static final List<String> OF_FILES =
            List.of("--arg", "--buffer", "--variable", "--expect");

    private final ParseResult given;
    private final Suppressions known;
    private final Map<String, List<String>> files = new LinkedHashMap<>();

    LaunchOptions(ParseResult given) throws IOException {
        this.given = given;
        known = known(given);
        for (String option : OF_FILES) {
            List<String> texts = given.matchedOptionValue(option, List.of());
            files.put(option, Command.input(given).arguments(texts));
        }
    }

    /// The help of what every command that runs kernels takes: what to look for, and what to tell
    /// of it.
    static final String FINDINGS =
            """
            --check GROUPS  What undefined behaviour to look for: all (the default), none, or
                some of %s.
            --report-all  Go on after a finding as far as the kernel survives it, and tell each
                kind once, with how often it was found.
            --suppress FILE  Findings that are known: RULE [kernel=PATTERN] [at=FILE:LINE], one
                a line. They are counted, and not told.
            """
                    .formatted(String.join(",", RuleGroup.checks()));

    /// The findings that the command line says are known.
    Suppressions known() {
        return known;
    }

    private static Suppressions known(ParseResult given) throws IOException {
        String file = Command.value(given, SUPPRESS);
        return file == null
                ? Suppressions.NONE
                : Suppressions.parse(Files.readString(LaunchPlan.readable(Path.of(file))), file);
    }

    /// A launch that the options state alone.
    LaunchFile alone() {
        Launch.Shape shape =
                new Launch.Shape(required("--grid"), required("--block"), null, 0, false);
        return over(
                new LaunchFile(
                        "",
                        Map.of(),
                        List.of(new LaunchFile.Start("", "", shape, List.of(), Map.of())),
                        List.of(),
                        null,
                        Map.of(),
                        Launch.Conditions.usual(),
                        null));
    }

    private Extent required(String option) {
        Extent extent = extent(option);
        if (extent == null) {
            throw new UsageError("run: " + option + " X,Y,Z is missing (or --launch FILE)");
        }
        return extent;
    }

    /// A launch file to which the options add, or whose fields they replace.
    LaunchFile over(LaunchFile file) {
        Map<String, Contents> buffers = new LinkedHashMap<>(file.buffers());
        List<LaunchFile.Start> starts = starts(file, buffers);
        return new LaunchFile(
                file.ptx(),
                buffers,
                starts,
                expectations(file, buffers.keySet()),
                file.stdout(),
                saves(file, buffers.keySet()),
                conditions(file.conditions()),
                file.machine());
    }

    private List<LaunchFile.Start> starts(LaunchFile file, Map<String, Contents> buffers) {
        for (String text : texts("--buffer")) {
            if (!text.contains("=")) {
                throw new UsageError("--buffer " + text + ": expected NAME=...");
            }
            ArgumentText.of("--buffer", text).define(buffers);
        }
        LaunchFile.Start first = file.starts().getFirst();
        Map<String, Contents> variables = new LinkedHashMap<>(first.variables());
        for (String text : texts("--variable")) {
            String[] parts = pair("--variable", text);
            variables.put(parts[0], ArgumentText.variable(text, parts[1]));
        }
        List<LaunchFile.Start> starts = new ArrayList<>(file.starts());
        if (starts.size() > 1) {
            for (String option : OF_A_LAUNCH) {
                if (given.hasMatchedOption(option)) {
                    throw new UsageError(
                            "%s: the launch file has %d launches; say it there"
                                    .formatted(option, starts.size()));
                }
            }
        }
        String entry = Command.value(given, "--entry");
        starts.set(
                0,
                new LaunchFile.Start(
                        first.place(),
                        entry == null ? first.entry() : entry,
                        shape(first.shape()),
                        arguments(first, buffers),
                        variables));
        return starts;
    }

    private Launch.Shape shape(Launch.Shape own) {
        Extent grid = extent("--grid");
        Extent block = extent("--block");
        Extent cluster = extent("--cluster");
        long shared = whole("--shared", 0, 1 << 20, own.dynamicShared());
        return new Launch.Shape(
                grid == null ? own.grid() : grid,
                block == null ? own.block() : block,
                cluster == null ? own.cluster() : cluster,
                (int) shared,
                own.cooperative() || Command.has(given, "--cooperative"));
    }

    private List<Argument> arguments(LaunchFile.Start own, Map<String, Contents> buffers) {
        List<Argument> arguments = new ArrayList<>();
        for (String text : texts("--arg")) {
            arguments.add(ArgumentText.of("--arg", text).define(buffers));
        }
        if (arguments.isEmpty()) {
            return own.arguments();
        }
        if (!own.arguments().isEmpty()) {
            throw new UsageError("--arg: the launch file has the arguments already");
        }
        return arguments;
    }

    private @Nullable Extent extent(String option) {
        String text = Command.value(given, option);
        if (text == null) {
            return null;
        }
        int[] extents = Numbers.parse(option, text, 1, 3);
        for (int extent : extents) {
            if (extent < 1) {
                throw new UsageError(
                        option + " " + text + ": expected whole numbers of at least 1");
            }
        }
        return new Extent(
                extents[0],
                extents.length > 1 ? extents[1] : 1,
                extents.length > 2 ? extents[2] : 1);
    }

    private long whole(String option, long least, long most, long otherwise) {
        String text = Command.value(given, option);
        if (text == null) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new UsageError(
                "%s %s: expected a whole number from %d to %d"
                        .formatted(option, text, least, most));
    }

    // Conditions.

    private Launch.Conditions conditions(Launch.Conditions own) {
        Launch.Bounds limits = own.limits();
        limits =
                limits.withSteps(
                        whole(
                                "--max-instructions",
                                1,
                                Launch.Bounds.DEFAULT.steps(),
                                limits.steps()));
        String timeout = Command.value(given, "--timeout");
        if (timeout != null) {
            limits = limits.withTime(timeout(timeout));
        }
        String checks = Command.value(given, "--check");
        return new Launch.Conditions(
                limits,
                checks == null ? own.checks() : checks(checks),
                (int) whole("--threads", 1, 1024, own.threads()),
                new Reporting(
                        Command.has(given, REPORT_ALL)
                                ? Reporting.Scope.ALL
                                : own.reporting().scope(),
                        known));
    }

    /// What `--timeout` gives.
    static Duration timeout(String text) {
        try {
            double seconds = Double.parseDouble(text);
            if (seconds > 0 && seconds <= Launch.Bounds.MOST_SECONDS) {
                return Duration.ofNanos((long) (seconds * 1e9));
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new UsageError("--timeout " + text + ": expected a number of seconds above 0");
    }

    /// What `--check` gives.
    static Set<RuleGroup> checks(String text) {
        try {
            return RuleGroup.checks(text);
        } catch (InputException e) {
            throw new UsageError("--check " + e.getMessage());
        }
    }

    // Files.

    private Map<String, LaunchFile.Save> saves(LaunchFile file, Set<String> buffers) {
        Map<String, LaunchFile.Save> saves = new LinkedHashMap<>();
        boolean anywhere = Command.has(given, "--save-anywhere");
        file.saves()
                .forEach(
                        (buffer, save) ->
                                saves.put(
                                        buffer,
                                        new LaunchFile.Save(save.place(), save.file(), anywhere)));
        List<String> named = new ArrayList<>();
        for (String text : texts("--save")) {
            String[] parts = pair("--save", text);
            if (named.contains(parts[0])) {
                throw new UsageError("--save " + text + ": expected each buffer once");
            }
            named.add(parts[0]);
            requireBuffer("--save " + text, parts[0], buffers);
            saves.put(
                    parts[0],
                    new LaunchFile.Save("--save " + text, ArgumentText.absolute(parts[1]), true));
        }
        return saves;
    }

    private static void requireBuffer(String option, String name, Set<String> buffers) {
        if (!buffers.contains(name)) {
            throw new UsageError(
                    "%s: no buffer %s; the launch has %s"
                            .formatted(
                                    option,
                                    name,
                                    buffers.isEmpty() ? "none" : String.join(" ", buffers)));
        }
    }

    private List<Expectation> expectations(LaunchFile file, Set<String> buffers) {
        Map<String, Tolerance> tolerances = new LinkedHashMap<>();
        for (String text : texts("--within")) {
            String[] parts = pair("--within", text);
            tolerances.merge(parts[0], tolerance(text, parts[1]), (a, b) -> both(text, a, b));
        }
        List<Expectation> expectations = new ArrayList<>(file.expectations());
        for (String text : texts("--expect")) {
            String[] parts = pair("--expect", text);
            requireBuffer("--expect " + text, parts[0], buffers);
            Tolerance tolerance = tolerances.remove(parts[0]);
            expectations.add(
                    new Expectation(
                            "--expect " + text,
                            parts[0],
                            ArgumentText.absolute(parts[1]),
                            Optional.empty(),
                            tolerance == null ? new Tolerance.Exact() : tolerance));
        }
        if (!tolerances.isEmpty()) {
            String name = tolerances.keySet().iterator().next();
            throw new UsageError(
                    "--within " + name + "=...: there is no --expect " + name + "=FILE");
        }
        return expectations;
    }

    private static Tolerance tolerance(String text, String what) {
        String[] parts = what.split(":", 2);
        try {
            double bound = parts.length == 2 ? Double.parseDouble(parts[1]) : -1;
            if (bound >= 0 && Double.isFinite(bound)) {
                Tolerance found =
                        switch (parts[0]) {
                            case "ulps" -> new Tolerance.Ulps(bound);
                            case "relative" -> new Tolerance.Near(bound, 0);
                            case "absolute" -> new Tolerance.Near(0, bound);
                            default -> null;
                        };
                if (found != null) {
                    return found;
                }
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new UsageError(
                "--within " + text + ": expected NAME=ulps:N, NAME=relative:X or NAME=absolute:X");
    }

    private static Tolerance both(String text, Tolerance one, Tolerance other) {
        if (one instanceof Tolerance.Near(double relative, double absolute)
                && other instanceof Tolerance.Near(double otherRelative, double otherAbsolute)
                && Math.min(relative, otherRelative) == 0
                && Math.min(absolute, otherAbsolute) == 0) {
            return new Tolerance.Near(
                    Math.max(relative, otherRelative), Math.max(absolute, otherAbsolute));
        }
        throw new UsageError(
                "--within " + text + ": only one relative and one absolute go together");
    }

    private static String[] pair(String option, String text) {
        String[] parts = text.split("=", 2);
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw new UsageError(option + " " + text + ": expected NAME=...");
        }
        return parts;
    }

    private List<String> texts(String option) {
        List<String> named = files.get(option);
        return named == null ? given.matchedOptionValue(option, List.of()) : named;
    }
}
