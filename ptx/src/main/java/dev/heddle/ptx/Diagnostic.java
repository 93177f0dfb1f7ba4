package dev.heddle.ptx;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Verdict;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// One finding about a module: what, where, by which rule, and what to do about it.
///
/// @param rule the rule that it breaks
/// @param position where the finding is
/// @param width how many characters of that line it covers, at least 1
/// @param message what was found and what is allowed
/// @param remedy what to change, empty where the message says it already
/// @param section the section of PTX ISA 9.1 that states the rule
/// @param notes other places that matter
/// @param fix what to write, where only one thing can be meant; else null
public record Diagnostic(
        Rule rule,
        SourcePosition position,
        int width,
        String message,
        String remedy,
        String section,
        List<Note> notes,
        @Nullable Edit fix) {

    public Diagnostic {
        notes = List.copyOf(notes);
    }

    /// A finding whose remedy is for people to choose.
    public Diagnostic(
            Rule rule,
            SourcePosition position,
            int width,
            String message,
            String remedy,
            String section,
            List<Note> notes) {
        this(rule, position, width, message, remedy, section, notes, null);
    }

    /// The same finding with what mends it, or with nothing.
    public Diagnostic with(@Nullable Edit edit) {
        return new Diagnostic(rule, position, width, message, remedy, section, notes, edit);
    }

    /// What it means for the module.
    public Verdict verdict() {
        return rule.verdict();
    }

    /// A second place: where the cause of a finding is.
    ///
    /// @param position the place
    /// @param message what happened there
    public record Note(SourcePosition position, String message) {}
}
