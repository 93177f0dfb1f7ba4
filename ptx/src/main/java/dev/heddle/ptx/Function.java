package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A kernel (`.entry`) or a device function (`.func`) (PTX ISA 11.2).
///
/// @param linkage who may see it
/// @param kind kernel or device function
/// @param name its name
/// @param signature results, parameters and directives
/// @param attributes `.attribute(...)` as written, one text each
/// @param body its statements, or null for a declaration
/// @param position where its name is
public record Function(
        Linkage linkage,
        Kind kind,
        String name,
        Signature signature,
        List<String> attributes,
        Statement.@Nullable Block body,
        SourcePosition position)
        implements ModuleItem {

    public Function {
        attributes = List.copyOf(attributes);
    }

    /// What may start a function.
    public enum Kind {
        /// A kernel, started by a launch.
        ENTRY,
        /// A device function, started by `call`.
        FUNC
    }

    /// Its input parameters.
    public List<Variable> parameters() {
        return signature.parameters();
    }

    /// Its return parameters.
    public List<Variable> results() {
        return signature.results();
    }

    /// Whether it is a kernel.
    public boolean isEntry() {
        return kind == Kind.ENTRY;
    }
}
