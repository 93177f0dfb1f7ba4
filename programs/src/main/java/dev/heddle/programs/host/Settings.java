package dev.heddle.programs.host;

import dev.heddle.formats.InputException;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.report.Reporting;
import dev.heddle.vm.report.Suppressions;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/// How `heddle cuda` was called.
///
/// @param target the device, such as `sm_90`
/// @param multiprocessors of the device; 0 for as many as it has unasked
/// @param checks what is looked for while kernels run
/// @param reporting what becomes of findings
/// @param seconds the most that one launch may take
/// @param reports where to tell programs what ran and what was found
/// @param leaks whether to tell what was never freed
/// @param saved the folder for launch files of all launches, or null
public record Settings(
        String target,
        int multiprocessors,
        Set<RuleGroup> checks,
        Reporting reporting,
        int seconds,
        Reports reports,
        boolean leaks,
        @Nullable Path saved) {
    private static final String PREFIX = "heddle.cuda.";

    /// Where to tell other programs what ran and what was found.
    ///
    /// @param json whether standard error has JSON, an object a line, in place of text
    /// @param report for the last of these objects; or null
    /// @param sarif for the findings as SARIF; or null
    /// @param junit for the kernels as tests of JUnit XML; or null
    public record Reports(
            boolean json, @Nullable Path report, @Nullable Path sarif, @Nullable Path junit) {}

    /// Whether the first finding ends a launch, and nothing runs on the device any more.
    public boolean stopsAtFirst() {
        return reporting.scope() == Reporting.Scope.FIRST;
    }

    /// As the command handed them over.
    public static Settings ofProperties() {
        return new Settings(
                System.getProperty(PREFIX + "device", "sm_90"),
                Integer.getInteger(PREFIX + "multiprocessors", 0),
                RuleGroup.checks(System.getProperty(PREFIX + "check", "all")),
                new Reporting(
                        Boolean.getBoolean(PREFIX + "report-all")
                                ? Reporting.Scope.ALL
                                : Reporting.Scope.FIRST,
                        suppressions(path("suppress"))),
                Integer.getInteger(PREFIX + "timeout", 600),
                new Reports(
                        Boolean.getBoolean(PREFIX + "json"),
                        path("report"),
                        path("sarif"),
                        path("junit-xml")),
                Boolean.getBoolean(PREFIX + "leaks"),
                path("save-launches"));
    }

    /// The findings that a file says are known.
    ///
    /// @throws InputException where it cannot be read, or a line is wrong
    public static Suppressions suppressions(@Nullable Path file) {
        if (file == null) {
            return Suppressions.NONE;
        }
        try {
            return Suppressions.parse(Files.readString(file), file.toString());
        } catch (IOException e) {
            throw new InputException(file + ": cannot be read", e);
        }
    }

    /// A file or folder; `%p` in its name becomes the number of the process, for a command that
    /// starts several programs.
    private static @Nullable Path path(String name) {
        String value = System.getProperty(PREFIX + name);
        return value == null
                ? null
                : Path.of(value.replace("%p", Long.toString(ProcessHandle.current().pid())));
    }
}
