package dev.heddle.cli;

import dev.heddle.isa.rule.Verdict;
import dev.heddle.ptx.check.InvalidModule;
import dev.heddle.vm.report.FindingRecord;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What is said of a launch whose module no assembler takes: the checker's own messages, and that
/// nothing ran.
///
/// @param invalid what was found in the module
record Rejection(InvalidModule invalid) {
    static final String VERDICT = Verdict.INVALID.words();

    /// For people.
    String text() {
        return invalid.report().text().stripTrailing()
                + "\n\n"
                + VERDICT
                + ": an assembler rejects this module, so nothing of it was run";
    }

    /// For programs, with the fields of a launch that ran.
    ///
    /// @param launch its name
    Map<String, Object> json(String launch) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("launch", launch);
        object.put("ok", false);
        object.put("verdict", VERDICT);
        object.put("complaints", List.of(String.valueOf(invalid.getMessage())));
        object.put(
                "findings",
                FindingRecord.of(invalid.report()).stream().map(FindingRecord::json).toList());
        return object;
    }
}
