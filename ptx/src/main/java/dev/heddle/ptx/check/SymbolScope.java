package dev.heddle.ptx.check;

import dev.heddle.isa.Suggestion;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.ModuleItem;
import dev.heddle.ptx.Statement;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// The functions declared so far and the labels in sight.
final class SymbolScope {

    private final Map<String, Function> functions = new HashMap<>();
    private final Set<String> aliases = new HashSet<>();
    private final Deque<Map<String, Statement>> labels = new ArrayDeque<>();

    SymbolScope(Module module) {
        for (ModuleItem item : module.items()) {
            if (item instanceof ModuleItem.Alias(String name, _, _)) {
                aliases.add(name);
            }
        }
    }

    void declare(Function function) {
        functions.put(function.name(), function);
    }

    @Nullable Function function(String name) {
        return functions.get(name);
    }

    boolean isFunction(String name) {
        return functions.containsKey(name) || aliases.contains(name);
    }

    void open(Map<String, Statement> scope) {
        labels.push(scope);
    }

    void close() {
        labels.pop();
    }

    /// The label or labelled directive of this name, or null.
    @Nullable Statement label(String name) {
        for (Map<String, Statement> scope : labels) {
            Statement found = scope.get(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /// The candidate nearest to a misspelt word, or an empty text where none is near.
    static String nearest(String word, Collection<String> candidates) {
        String best = "";
        int least = Math.max(2, word.length() / 2);
        if (word.length() > 40) {
            return best;
        }
        for (String candidate : candidates) {
            if (Math.abs(candidate.length() - word.length()) < least) {
                int distance = Suggestion.distance(word, candidate);
                if (distance < least || (distance == least && candidate.compareTo(best) < 0)) {
                    least = distance;
                    best = candidate;
                }
            }
        }
        return best;
    }
}
