package dev.heddle.vm.races;

import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.races.SharingProgram.Operation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// The events of one execution, and base causality order between them (PTX ISA 8.8 and 8.9), word
/// for word.
final class CausalityOrder {
    /// A memory operation, a fence, or an end of a synchronization.
    ///
    /// @param line of the instruction
    /// @param sources by index, the event that each byte was written by before, or -1; of what is
    ///     written through the generic proxy none
    record Event(
            int line,
            int thread,
            Operation operation,
            boolean reads,
            boolean writes,
            MemoryOrder order,
            String scope,
            int at,
            int bytes,
            List<Integer> sources) {
        boolean isMemory() {
            return reads || writes;
        }

        boolean isStrong() {
            return order != MemoryOrder.WEAK;
        }

        boolean overlaps(Event other) {
            return isMemory()
                    && other.isMemory()
                    && at < other.at + other.bytes
                    && other.at < at + bytes;
        }

        boolean isSamePlace(Event other) {
            return isMemory() && other.isMemory() && at == other.at && bytes == other.bytes;
        }
    }

    private final SharingProgram.Shape shape;
    private final int memory;
    private final List<Event> events = new ArrayList<>();
    private final List<BitSet> before = new ArrayList<>();
    private final Map<Integer, Integer> last = new HashMap<>();

    /// @param memory the one whose objects are asked about: fences whose effect does not apply to
    ///     operations on them are none; [FenceEffect#ANYWHERE] for all
    CausalityOrder(SharingProgram.Shape shape, int memory) {
        this.shape = shape;
        this.memory = memory;
    }

    /// All so far, in the order in which they came.
    List<Event> events() {
        return events;
    }

    /// Whether one comes before another.
    boolean isBefore(int first, int second) {
        return before.get(second).get(first);
    }

    /// One comes before another, and what came before it need not.
    void precedesAlone(int first, int second) {
        before.get(second).set(first);
    }

    /// Adds an event that comes after what its thread did so far, and before nothing that it does.
    int addAside(Event event) {
        BitSet earlier = new BitSet();
        Integer previous = last.get(event.thread);
        if (previous != null) {
            earlier.or(before.get(previous));
            earlier.set(previous);
        }
        events.add(event);
        before.add(earlier);
        return events.size() - 1;
    }

    static Event plain(int line, int thread, Operation operation) {
        return new Event(
                line, thread, operation, false, false, MemoryOrder.WEAK, "", 0, 0, List.of());
    }

    int add(Event event) {
        int index = events.size();
        events.add(event);
        before.add(new BitSet());
        Integer previous = last.put(event.thread, index);
        if (previous != null) {
            precedes(previous, index);
        }
        return index;
    }

    /// Base causality order is kept closed: what comes before the first comes before the second.
    void precedes(int first, int second) {
        before.get(second).set(first);
        before.get(second).or(before.get(first));
    }

    /// Whether a place is of the shared memory of a thread's own CTA.
    boolean isOfMemory(int thread, int at) {
        return at / CausalityOracle.BYTES == (shape.isGrid() ? cta(thread) : 0);
    }

    int cta(int thread) {
        return thread / 32 / shape.warps();
    }

    /// 8.5.
    private boolean isWithin(int thread, int other, String scope) {
        return cta(thread) == cta(other)
                || switch (scope) {
                    case "cta" -> false;
                    case "cluster" -> {
                        int size = shape.cluster();
                        yield cta(thread) / size == cta(other) / size;
                    }
                    default -> true;
                };
    }

    /// Whether what releases and what acquires are in each other's scopes.
    boolean areWithin(Event a, Event b) {
        return areWithin(a.thread, scopeOf(a), b.thread, scopeOf(b));
    }

    /// Whether two are in each other's scopes.
    boolean areWithin(int thread, String scope, int other, String otherScope) {
        return isWithin(thread, other, scope) && isWithin(other, thread, otherScope);
    }

    /// 8.7: operations on the same bytes in each other's scopes.
    boolean isMorallyStrong(Event a, Event b) {
        return a.isStrong()
                && b.isStrong()
                && a.isSamePlace(b)
                && areWithin(a.thread, a.scope, b.thread, b.scope);
    }

    /// The scope of what releases or acquires.
    static String scopeOf(Event event) {
        return event.operation instanceof Operation.Fencing fence ? fence.scope() : event.scope;
    }

    /// The memory that a place is in.
    static int memoryOf(int at) {
        return at < CausalityOracle.GLOBAL ? at / CausalityOracle.BYTES : SharingProgram.GLOBAL;
    }

    /// Whether accesses to a place are asked about.
    boolean asksAbout(int at) {
        return memory == FenceEffect.ANYWHERE || memory == memoryOf(at);
    }

    /// Whether a fence counts for the memory that is asked about.
    private boolean applies(Operation.Fencing fence, int thread) {
        return fence.effect().appliesTo(shape, cta(thread), memory);
    }

    /// Whether an event is a fence that acquires.
    boolean isAcquiringFence(int index) {
        Event event = events.get(index);
        return event.operation instanceof Operation.Fencing fence
                && acquires(fence.order())
                && applies(fence, event.thread);
    }

    /// 8.8, release pattern 3: the fences before a relaxed arrival that release by it.
    List<Integer> releasedBy(int arrival) {
        int thread = events.get(arrival).thread;
        return IntStream.range(0, arrival)
                .filter(each -> events.get(each).thread == thread)
                .filter(each -> isReleasingFence(events.get(each)))
                .boxed()
                .toList();
    }

    /// Whether an event is a fence that releases.
    private boolean isReleasingFence(Event event) {
        return event.operation instanceof Operation.Fencing fence
                && releases(fence.order())
                && applies(fence, event.thread);
    }

    /// Whether a proxy fence is one for a place: of the two directions for objects anywhere, of
    /// one for those that its effect applies to.
    boolean fencesProxiesAt(Event event, int at) {
        return event.operation instanceof Operation.ProxyFence fence
                && fence.effect().appliesTo(shape, cta(event.thread), memoryOf(at));
    }

    static boolean acquires(MemoryOrder order) {
        return order == MemoryOrder.ACQUIRE
                || order == MemoryOrder.ACQ_REL
                || order == MemoryOrder.SC;
    }

    static boolean releases(MemoryOrder order) {
        return order == MemoryOrder.RELEASE
                || order == MemoryOrder.ACQ_REL
                || order == MemoryOrder.SC;
    }

    /// 8.11.1: the read of `red` forms no acquire pattern.
    static boolean isAcquirable(Event read) {
        return read.operation instanceof Operation.Memory memory && memory.returns();
    }

    /// 8.8, acquire pattern 3: a strong read followed by a fence.
    void acquiredByFence(int fence) {
        for (int i = 0; i < fence; i++) {
            Event read = events.get(i);
            if (read.thread == events.get(fence).thread
                    && read.reads
                    && read.isStrong()
                    && isAcquirable(read)) {
                synchronizeWithReleases(i, fence);
            }
        }
    }

    /// 8.9.4, 4: every release pattern with a write that the read observes comes before the end of
    /// the acquire pattern.
    void synchronizeWithReleases(int read, int end) {
        for (int write : observed(read)) {
            Event written = events.get(write);
            for (int first = 0; first <= write; first++) {
                Event release = events.get(first);
                if (release.thread != written.thread) {
                    continue;
                }
                boolean begins =
                        isReleasingFence(release)
                                || release.operation instanceof Operation.Memory
                                        && release.writes
                                        && releases(release.order)
                                        && release.isSamePlace(written);
                if (begins && first != end && areWithin(release, events.get(end))) {
                    precedes(first, end);
                }
            }
        }
    }

    /// 8.9.2: the writes that precede a read in observation order.
    Set<Integer> observed(int read) {
        Set<Integer> found = new HashSet<>();
        int at = read;
        while (at >= 0 && events.get(at).reads) {
            Event reader = events.get(at);
            int source = reader.sources.getFirst();
            for (int each : reader.sources) {
                if (each != source) {
                    return found;
                }
            }
            if (source < 0) {
                return found;
            }
            Event writer = events.get(source);
            if (!isMorallyStrong(reader, writer)) {
                return found;
            }
            found.add(source);
            at = source;
        }
        return found;
    }
}
