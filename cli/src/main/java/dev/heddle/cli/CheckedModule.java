package dev.heddle.cli;

import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.check.CheckReport;
import dev.heddle.vm.report.FindingRecord;

import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What was found of a module.
///
/// @param report  what is wrong with it
/// @param fixed   what `--fix` put right before
/// @param support what of it would run, or null where nobody asked
record CheckedModule(CheckReport report, List<Diagnostic> fixed, @Nullable RunOnCpu support) {
    CheckedModule {
        fixed = List.copyOf(fixed);
    }

    /// For people.
    void print(PrintWriter out) {
        for (Diagnostic one : fixed) {
            out.println(one.position() + ": fixed: " + one.message() + ": " + ModuleFix.done(one));
        }
        if (!fixed.isEmpty()) {
            out.println();
        }
        if (!report.findings().isEmpty()) {
            out.println(report.text().stripTrailing());
            out.println();
        }
        if (support != null) {
            support.lines().forEach(out::println);
        }
    }

    /// One line of JSON.
    ///
    /// @param fixes whether it was to be mended
    String json(boolean fixes) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("file", report.source().file());
        object.put("verdict", report.verdict().word());
        object.put("findings", json(report.findings()));
        if (fixes) {
            object.put("fixed", json(fixed));
        }
        if (support != null) {
            object.put("run_on", support.json());
        }
        return Json.line(object);
    }

    private List<Map<String, Object>> json(List<Diagnostic> some) {
        return FindingRecord.of(report, some).stream().map(FindingRecord::json).toList();
    }
}
