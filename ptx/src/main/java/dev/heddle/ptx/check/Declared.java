package dev.heddle.ptx.check;

import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.Variable;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/// The names of one scope: variables, ranges of registers and labels share them.
final class Declared {

    private final Map<String, SourcePosition> names = new HashMap<>();
    private final Map<String, Variable> ranges = new HashMap<>();

    /// Adds a variable, and gives where its name stood before, or null.
    @Nullable SourcePosition add(Variable variable) {
        if (variable.isRange()) {
            Variable before = ranges.putIfAbsent(variable.name(), variable);
            return before == null ? null : before.position();
        }
        SourcePosition before = add(variable.name(), variable.position());
        return before == null ? inRange(variable.name()) : before;
    }

    /// Adds a label, and gives where its name stood before, or null.
    @Nullable SourcePosition add(String name, SourcePosition position) {
        return names.putIfAbsent(name, position);
    }

    /// The range that declares a name too, or null.
    private @Nullable SourcePosition inRange(String name) {
        for (int i = name.length(); i > 1 && Character.isDigit(name.charAt(i - 1)); i--) {
            Variable range = ranges.get(name.substring(0, i - 1));
            if (range != null
                    && name.length() - i < 9
                    && Integer.parseInt(name.substring(i - 1)) < range.range()) {
                return range.position();
            }
        }
        return null;
    }
}
