package dev.heddle.programs.device;

import dev.heddle.vm.memory.Buffer;

import java.util.HashMap;
import java.util.Map;

/// How much memory graphs have, in steps: for what their nodes allocated and did not free, and for
/// what they freed until the program has that given back. The next graph takes it from there.
public final class GraphMemory {
    /// Measured on an H100: 1 MiB takes so much.
    private static final long STEP = 32L << 20;

    private final Map<Long, Long> live = new HashMap<>();
    private long bytes;
    private long most;

    synchronized void take(Buffer buffer) {
        live.put(buffer.address(), buffer.bytes());
        bytes = Math.max(bytes, needed());
        most = Math.max(most, bytes);
    }

    synchronized void free(Buffer buffer) {
        live.remove(buffer.address());
    }

    private long needed() {
        long sum = live.values().stream().mapToLong(Long::longValue).sum();
        return Math.ceilDiv(sum, STEP) * STEP;
    }

    /// Gives back what is free.
    public synchronized void trim() {
        bytes = needed();
    }

    /// Bytes that graphs have.
    public synchronized long bytes() {
        return bytes;
    }

    /// The most that they had since [#forgetMost].
    public synchronized long most() {
        return most;
    }

    /// Counts anew.
    public synchronized void forgetMost() {
        most = bytes;
    }
}
