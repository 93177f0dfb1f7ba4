package dev.heddle.programs.device;

import dev.heddle.files.FileReplacement;
import dev.heddle.formats.Counted;
import dev.heddle.programs.device.RefusedCalls.Refused;
import dev.heddle.programs.host.HostCall;
import dev.heddle.programs.host.Settings;
import dev.heddle.ptx.Demangler;
import dev.heddle.vm.report.FindingRecord;
import dev.heddle.vm.report.JunitXml;
import dev.heddle.vm.report.SarifLog;
import dev.heddle.vm.report.Suppression;

import org.jspecify.annotations.Nullable;

import tools.jackson.jr.ob.JSON;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/// What is told when a program ends: on standard error, and in the files that were asked for.
///
/// @param settings how it was called
/// @param status the program's own exit code
/// @param report what ran
/// @param findings what was found
/// @param live what was never freed
/// @param refused calls whose errors nobody asked for
/// @param calls which call of the host is before an address
record ProgramReport(
        Settings settings,
        int status,
        RunReport report,
        ProgramFindings findings,
        List<Memory.Allocation> live,
        List<Refused> refused,
        LongFunction<HostCall> calls) {
    private String text(Refused call) {
        String caller = calls.apply(call.from()).toString();
        return "%s%s was refused, %s, and the program did not ask for the error"
                .formatted(call.function(), caller.isEmpty() ? "" : " by " + caller, call.error());
    }

    private Map<String, Object> fields(Refused call) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("function", call.function());
        fields.put("error", call.error());
        fields.put("called_by", calls.apply(call.from()).toString());
        return fields;
    }

    /// The exit code of the process.
    int code() {
        return status == 0 && !isFine() ? 1 : status;
    }

    private boolean isFine() {
        return findings.all().isEmpty()
                && refused.stream().noneMatch(Refused::isLaunch)
                && (!settings.leaks() || live.isEmpty());
    }

    void tell() {
        Settings.Reports to = settings.reports();
        if (to.json()) {
            System.err.println(JSON.std.asString(json()));
        } else {
            lines().forEach(System.err::println);
        }
        write(to.report(), () -> JSON.std.asString(json()) + "\n");
        write(to.sarif(), () -> JSON.std.asString(sarif()) + "\n");
        write(to.junit(), this::junit);
    }

    private static void write(@Nullable Path file, Supplier<String> text) {
        if (file == null) {
            return;
        }
        try {
            byte[] bytes = text.get().getBytes(StandardCharsets.UTF_8);
            FileReplacement.write(file, out -> out.write(bytes));
        } catch (IOException e) {
            System.err.println("heddle: " + e.getMessage());
        }
    }

    /// For people.
    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        long known = findings.passed().stream().mapToLong(one -> one.finding().count()).sum();
        if (known > 0) {
            lines.add("heddle: suppressed: " + Counted.of(known, "finding"));
        }
        if (findings.omitted() > 0) {
            lines.add(
                    "heddle: %,d findings of other kinds are not told"
                            .formatted(findings.omitted()));
        }
        for (Suppression unused : unused()) {
            lines.add(
                    "heddle: suppression of line %d is not used: %s"
                            .formatted(unused.line(), unused.text()));
        }
        refused.forEach(each -> lines.add("heddle: " + text(each)));
        if (settings.leaks()) {
            live.forEach(each -> lines.add("heddle: " + leak(each)));
        }
        return lines;
    }

    private List<Suppression> unused() {
        return settings.reporting().known().unused(findings.passed());
    }

    private static String leak(Memory.Allocation each) {
        return "leak: %s, %s at 0x%x, was never freed"
                .formatted(
                        each.buffer().name(),
                        Counted.bytes(each.buffer().bytes()),
                        each.buffer().address());
    }

    /// For programs, with the names of `heddle run --json`.
    private Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("program", program());
        object.put("process", ProcessHandle.current().pid());
        object.put("device", settings.target());
        object.put("ok", code() == 0);
        object.put("verdict", code() == 0 ? "ok" : "failed");
        object.put("exit_code", code());
        object.put("findings", findings.all().stream().map(ProgramFindings.Found::json).toList());
        object.put(
                "warnings", findings.warnings().stream().map(ProgramFindings.Found::json).toList());
        object.put(
                "suppressed", findings.passed().stream().map(FindingRecord::suppressed).toList());
        object.put("omitted", findings.omitted());
        object.put("unused_suppressions", unused().stream().map(Suppression::text).toList());
        object.put("refused", refused.stream().map(this::fields).toList());
        object.put("leaks", live.stream().map(ProgramReport::fields).toList());
        report.into(object);
        return object;
    }

    private static Map<String, Object> fields(Memory.Allocation each) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("buffer", each.buffer().name());
        fields.put("bytes", each.buffer().bytes());
        fields.put("address", "0x%x".formatted(each.buffer().address()));
        return fields;
    }

    private Map<String, Object> sarif() {
        SarifLog log = new SarifLog();
        log.add(findings.all().stream().map(ProgramFindings.Found::recorded).toList());
        log.add(findings.warnings().stream().map(ProgramFindings.Found::recorded).toList());
        log.addSuppressed(findings.passed());
        return log.object(code(), true);
    }

    /// The program is a test, and each of its kernels.
    private String junit() {
        JunitXml xml = new JunitXml("heddle cuda");
        String program = program();
        List<String> complaints = new ArrayList<>();
        if (status != 0) {
            complaints.add("exit code " + status);
        }
        refused.stream().filter(Refused::isLaunch).map(this::text).forEach(complaints::add);
        if (settings.leaks()) {
            live.forEach(each -> complaints.add(leak(each)));
        }
        xml.add(test(program, program, 0, complaints));
        report.kernels()
                .forEach(
                        (kernel, totals) ->
                                xml.add(
                                        test(
                                                Demangler.nameOf(kernel),
                                                program,
                                                totals.seconds(),
                                                found(kernel))));
        return xml.document();
    }

    private static JunitXml.Case test(
            String name, String program, double seconds, List<String> complaints) {
        return new JunitXml.Case(
                name, program, seconds, complaints.isEmpty() ? "ok" : "failed", complaints);
    }

    private List<String> found(String kernel) {
        return findings.all().stream()
                .filter(each -> each.origin().kernel().equals(kernel))
                .map(ProgramFindings.Found::text)
                .toList();
    }

    private static String program() {
        return ProcessHandle.current().info().command().orElse("");
    }
}
