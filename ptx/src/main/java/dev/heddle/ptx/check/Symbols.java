package dev.heddle.ptx.check;

import dev.heddle.ptx.Function;
import dev.heddle.ptx.Variable;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// What initialisers may name: the module's variables and functions declared so far.
final class Symbols {

    private final Map<String, Variable> variables = new HashMap<>();
    private final Set<String> functions = new HashSet<>();

    void add(Variable variable) {
        variables.put(variable.name(), variable);
    }

    void add(Function function) {
        functions.add(function.name());
    }

    @Nullable Variable variable(String name) {
        return variables.get(name);
    }

    boolean isFunction(String name) {
        return functions.contains(name);
    }
}
