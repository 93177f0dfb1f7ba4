package dev.heddle.ptx;

import java.util.List;

/// The results, parameters and directives of a function or a call prototype.
///
/// @param results return parameters; at most one from sm_20 on
/// @param parameters input parameters
/// @param directives `.maxntid 128, 1, 1` and kin, in order
public record Signature(
        List<Variable> results, List<Variable> parameters, List<Directive> directives) {

    public Signature {
        results = List.copyOf(results);
        parameters = List.copyOf(parameters);
        directives = List.copyOf(directives);
    }

    /// A directive between a function's header and its body (PTX ISA 11.4, 11.7).
    ///
    /// @param name without its dot
    /// @param values its integers
    /// @param texts its strings (`.pragma`)
    /// @param position where it is
    public record Directive(
            String name, List<Long> values, List<String> texts, SourcePosition position) {
        public Directive {
            values = List.copyOf(values);
            texts = List.copyOf(texts);
        }
    }
}
