package dev.heddle.ptx;

import java.util.List;

/// What parsing gives: the module as far as it could be read, and everything wrong with its form.
///
/// @param module the module
/// @param diagnostics all syntax errors, in order of place
/// @param source the text that was read
public record Parsed(Module module, List<Diagnostic> diagnostics, SourceText source) {

    public Parsed {
        diagnostics = List.copyOf(diagnostics);
    }

    /// Whether the text could be read without any error.
    public boolean isClean() {
        return diagnostics.isEmpty();
    }
}
