package dev.heddle.vm.ir;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.function.Function;

/// What is made of a program once and kept for its next launches, for some programs at a time: a
/// further one takes the place of the one that was first. Threads may share it.
///
/// @param <T> what is made
public final class PerProgram<T> {
    /// A program of CUDA has a module for each source file.
    private static final int KEPT = 64;

    private final IdentityHashMap<Program, T> made = new IdentityHashMap<>();
    private final Deque<Program> order = new ArrayDeque<>();
    private final Function<Program, T> maker;

    /// Nothing yet.
    public PerProgram(Function<Program, T> maker) {
        this.maker = maker;
    }

    /// What is made of a program, at the first call.
    public synchronized T of(Program program) {
        T known = made.get(program);
        if (known == null) {
            if (order.size() == KEPT) {
                made.remove(order.removeFirst());
            }
            known = maker.apply(program);
            made.put(program, known);
            order.addLast(program);
        }
        return known;
    }
}
