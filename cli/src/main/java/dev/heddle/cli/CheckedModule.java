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
        if (support == null && !fixes) {
            return report.json().strip();
        }
        Map<String, Object> object = new LinkedHashMap<>();
        ((Map<?, ?>) Json.parse(report.json()))
                .forEach((field, value) -> object.put(String.valueOf(field), value));
        if (fixes) {
            object.put(
                    "fixed",
                    FindingRecord.of(report, fixed).stream().map(FindingRecord::json).toList());
        }
        if (support != null) {
            object.put("run_on", support.json());
        }
        return Json.line(object);
    }
}
