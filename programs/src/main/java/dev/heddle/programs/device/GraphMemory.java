package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.vm.memory.Buffer;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How much memory graphs have, in steps: for what their nodes allocated and did not free, and for
/// what they freed until the program has that given back. The next graph takes it from there.
public final class GraphMemory {
    /// Measured on an H100: 1 MiB takes so much.
    private static final long STEP = 32L << 20;

    private final Map<Long, Long> live = new HashMap<>();
    private long bytes;
    private long most;

    /// What graphs allocate that were launched, and that nobody has asked to free since.
    private final Set<Long> unfreed = new HashSet<>();

    /// A graph is to be launched.
    ///
    /// @param frees whether what it allocated before is freed first
    /// @throws CudaException where some of that is not freed yet
    public synchronized void launch(Graph graph, boolean frees) {
        Set<Long> allocated = addresses(graph, Graph.Kind.MEM_ALLOC).collect(Collectors.toSet());
        refuseIf(!frees && allocated.stream().anyMatch(unfreed::contains), ErrorCode.INVALID_VALUE);
        unfreed.addAll(allocated);
        addresses(graph, Graph.Kind.MEM_FREE).forEach(unfreed::remove);
    }

    private static Stream<Long> addresses(Graph graph, Graph.Kind kind) {
        return graph.nodes().stream()
                .map(Graph.Node::work)
                .flatMap(
                        work ->
                                work instanceof Work.OfMemory node
                                        ? Stream.of(node)
                                                .filter(each -> each.kind() == kind)
                                                .map(each -> each.memory().address())
                                        : work.graphs().stream()
                                                .flatMap(inner -> addresses(inner, kind)));
    }

    /// The host frees what a graph may have allocated.
    public synchronized void freedByHost(long address) {
        unfreed.remove(address);
    }

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
