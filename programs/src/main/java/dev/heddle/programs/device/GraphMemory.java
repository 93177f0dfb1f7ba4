package dev.heddle.programs.device;

import dev.heddle.vm.memory.Buffer;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// How much memory graphs have taken: from the first time that a node allocates it until it is free
/// and the program has what is free given back.
public final class GraphMemory {
    private final Map<Long, Long> taken = new HashMap<>();
    private final Set<Long> free = new HashSet<>();
    private long most;

    synchronized void take(Buffer buffer) {
        taken.put(buffer.address(), buffer.bytes());
        free.remove(buffer.address());
        most = Math.max(most, bytes());
    }

    synchronized void free(Buffer buffer) {
        free.add(buffer.address());
    }

    /// Gives back what is free.
    public synchronized void trim() {
        taken.keySet().removeAll(free);
        free.clear();
    }

    /// Bytes that graphs have.
    public synchronized long bytes() {
        return taken.values().stream().mapToLong(Long::longValue).sum();
    }

    /// The most that they had since [#forgetMost].
    public synchronized long most() {
        return most;
    }

    /// Counts anew.
    public synchronized void forgetMost() {
        most = bytes();
    }
}
