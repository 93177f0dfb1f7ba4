package dev.heddle.vm.ir;

import java.util.IdentityHashMap;
import java.util.function.Function;

/// What is made of a program once and kept for its next launches, for some programs at a time.
/// Threads may share it.
///
/// @param <T> what is made
public final class PerProgram<T> {
    private static final int KEPT = 16;

    private final IdentityHashMap<Program, T> made = new IdentityHashMap<>();
    private final Function<Program, T> maker;

    /// Nothing yet.
    public PerProgram(Function<Program, T> maker) {
        this.maker = maker;
    }

    /// What is made of a program, at the first call.
    public synchronized T of(Program program) {
        if (made.size() >= KEPT && !made.containsKey(program)) {
            made.clear();
        }
        return made.computeIfAbsent(program, maker);
    }
}
