package dev.heddle.ptx;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Verdict;

import java.util.List;

/// One finding about a module: what, where, by which rule, and what to do about it.
///
/// @param rule the rule that it breaks
/// @param position where the finding stands
/// @param width how many characters of that line it covers, at least 1
/// @param message what was found and what is allowed
/// @param remedy what to change, empty where the message says it already
/// @param section the section of PTX ISA 9.1 that states the rule
/// @param notes other places that matter
public record Diagnostic(
        Rule rule,
        Position position,
        int width,
        String message,
        String remedy,
        String section,
        List<Note> notes) {

    public Diagnostic {
        notes = List.copyOf(notes);
    }

    /// What it means for the module.
    public Verdict verdict() {
        return rule.verdict();
    }

    /// A second place: where the cause of a finding stands.
    ///
    /// @param position the place
    /// @param message what happened there
    public record Note(Position position, String message) {}
}
