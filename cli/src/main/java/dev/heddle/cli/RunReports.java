package dev.heddle.cli;

import dev.heddle.vm.report.FindingRecord;
import dev.heddle.vm.report.JunitXml;
import dev.heddle.vm.report.SarifLog;
import dev.heddle.vm.report.Suppressions;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The files that a run writes for other programs: `--sarif` and `--junit-xml`.
///
/// @param sarif findings of all launches
/// @param junit all launches as tests
/// @param suppressed findings that were passed over
/// @param known what is to be passed over
/// @param given the command line
record RunReports(
        SarifLog sarif,
        JunitXml junit,
        List<Suppressions.Suppressed> suppressed,
        Suppressions known,
        ParseResult given) {
    static final String SARIF = "--sarif";
    static final String JUNIT = "--junit-xml";

    static RunReports of(ParseResult given, Suppressions known) {
        return new RunReports(
                new SarifLog(), new JunitXml("heddle run"), new ArrayList<>(), known, given);
    }

    /// A launch that ran, on one machine or more.
    void add(List<Execution> executions) {
        Execution first = executions.getFirst();
        executions.forEach(one -> suppressed.addAll(one.result().outcome().found().suppressed()));
        sarif.add(first.result().outcome().findings().stream().map(FindingRecord::of).toList());
        sarif.add(first.result().outcome().warnings().stream().map(FindingRecord::of).toList());
        sarif.addSuppressed(first.result().outcome().found().suppressed());
        junit.add(
                new JunitXml.Case(
                        first.plan().name(),
                        first.plan().kernel().code().sourceName(),
                        first.result().outcome().report().nanoseconds() / 1e9,
                        first.result().verdict(),
                        first.result().complaints()));
    }

    /// A launch whose module no assembler takes.
    void add(String launch, Rejection rejection) {
        sarif.add(FindingRecord.of(rejection.invalid().report()));
        junit.add(new JunitXml.Case(launch, "", 0, Rejection.VERDICT, List.of(rejection.text())));
    }

    /// A launch that did not run.
    void add(String launch, String verdict, String why) {
        junit.add(new JunitXml.Case(launch, "", 0, verdict, List.of(why)));
    }

    /// Says which lines of the suppression file meant no finding.
    List<String> unused() {
        String file = Command.value(given, LaunchOptions.SUPPRESS);
        return known.unused(suppressed).stream()
                .map(
                        one ->
                                "%s:%d: not used: %s; no finding is like that"
                                        .formatted(file, one.line(), one.text()))
                .toList();
    }

    /// Writes what the command line asks for.
    ///
    /// @param code the exit code
    void write(int code) throws IOException {
        String sarifFile = Command.value(given, SARIF);
        if (sarifFile != null) {
            Files.writeString(
                    Path.of(sarifFile),
                    Json.line(sarif.object(code, code != UsageError.CODE)) + "\n");
        }
        String junitFile = Command.value(given, JUNIT);
        if (junitFile != null) {
            Files.writeString(Path.of(junitFile), junit.document());
        }
    }
}
