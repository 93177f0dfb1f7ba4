package dev.heddle.ptx.check;

import dev.heddle.ptx.Function;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.ModuleItem;
import dev.heddle.ptx.Statement;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The functions declared so far and the labels in sight.
final class Names {

    private final Map<String, Function> functions = new HashMap<>();
    private final Set<String> aliases = new HashSet<>();
    private final Deque<Map<String, Statement>> labels = new ArrayDeque<>();

    Names(Module module) {
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
        int least = Math.max(1, word.length() / 3) + 1;
        if (word.length() > 40) {
            return best;
        }
        for (String candidate : candidates) {
            if (Math.abs(candidate.length() - word.length()) < least) {
                int distance = distance(word, candidate);
                if (distance < least || (distance == least && candidate.compareTo(best) < 0)) {
                    least = distance;
                    best = candidate;
                }
            }
        }
        return best;
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
