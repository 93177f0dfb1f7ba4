package dev.heddle.vm.races;

import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.races.CausalityOrder.Event;
import dev.heddle.vm.races.SharingProgram.Operation;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// The bytes that threads share, with the event that wrote each: who accesses them becomes an event
/// that knows which writes it found.
final class SharedBytes {
    private final CausalityOrder order;
    private final int[] writers;

    SharedBytes(CausalityOrder order, int bytes) {
        this.order = order;
        writers = new int[bytes];
        Arrays.fill(writers, -1);
    }

    /// What a thread does itself.
    int access(int line, int thread, Operation.Memory access, int at) {
        int index =
                order.add(
                        new Event(
                                line,
                                thread,
                                access,
                                access.reads(),
                                access.writes(),
                                access.order(),
                                access.scope(),
                                at,
                                access.bytes(),
                                access.reads() ? writers(at, access.bytes()) : List.of()));
        if (access.writes()) {
            Arrays.fill(writers, at, at + access.bytes(), index);
        }
        return index;
    }

    /// An asynchronous write, or read: after what its thread did, before the wait, and nothing else
    /// (8.9.1.1).
    int aside(
            int line,
            int thread,
            Operation operation,
            int at,
            int bytes,
            boolean reads,
            boolean writes) {
        int copy =
                order.addAside(
                        new Event(
                                line,
                                thread,
                                operation,
                                reads,
                                writes,
                                reads && writes ? MemoryOrder.RELAXED : MemoryOrder.WEAK,
                                operation instanceof Operation.ReduceAsync ? "cluster" : "gpu",
                                at,
                                bytes,
                                writers(at, bytes)));
        if (writes) {
            Arrays.fill(writers, at, at + bytes, copy);
        }
        return copy;
    }

    /// What a bulk operation writes: all at once, or each element of a reduction by itself
    /// (9.7.9.25.4.2: relaxed, for the device).
    ///
    /// @param element bytes of one, or 0 for a copy
    List<Integer> bulk(int line, int thread, Operation operation, int at, int bytes, int element) {
        if (element == 0) {
            return List.of(aside(line, thread, operation, at, bytes, false, true));
        }
        return IntStream.range(0, bytes / element)
                .map(each -> at + element * each)
                .mapToObj(each -> aside(line, thread, operation, each, element, true, true))
                .toList();
    }

    private List<Integer> writers(int at, int bytes) {
        return Arrays.stream(writers, at, at + bytes).boxed().toList();
    }
}
