package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/// The variables that a place in a module can name: one scope for each pair of braces, each inside
/// its parent.
///
/// A range (`%r<100>`) is one entry under its prefix; `%r17` finds it by taking digits off the end.
final class VariableScope {

    private final @Nullable VariableScope parent;
    private final Map<String, Variable> names = new HashMap<>();
    private final Map<String, Variable> ranges = new HashMap<>();

    VariableScope(@Nullable VariableScope parent) {
        this.parent = parent;
    }

    @Nullable VariableScope parent() {
        return parent;
    }

    /// Declares it, and gives what had the name in this scope before, or null.
    @Nullable Variable declare(Variable variable) {
        if (variable.isRange()) {
            return ranges.put(variable.name(), variable);
        }
        Variable before = local(variable.name());
        names.put(variable.name(), variable);
        return before;
    }

    /// The innermost variable of this name, or null.
    @Nullable Variable find(String name) {
        for (VariableScope scope = this; scope != null; scope = scope.parent) {
            Variable found = scope.local(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /// The variable of this name in this scope alone, or null.
    @Nullable Variable local(String name) {
        Variable found = names.get(name);
        if (found != null || ranges.isEmpty()) {
            return found;
        }
        long index = 0;
        long place = 1;
        for (int i = name.length() - 1; i > 0 && place <= 1_000_000_000L; i--) {
            char c = name.charAt(i);
            if (c < '0' || c > '9') {
                return null;
            }
            index += place * (c - '0');
            place *= 10;
            Variable range = ranges.get(name.substring(0, i));
            if (range != null && index < range.range()) {
                return range;
            }
        }
        return null;
    }
}
