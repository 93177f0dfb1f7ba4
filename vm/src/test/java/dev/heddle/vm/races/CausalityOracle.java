package dev.heddle.vm.races;

import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.races.SharingProgram.Operation;
import dev.heddle.vm.races.SharingProgram.Slot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Says by chapter 8 of the manual which accesses of one execution race: all events, all relations
/// between them, word for word and as slow as that is.
///
/// In two points it says more than the manual. A strong access that comes before a strong write of
/// the same place is over where that is observed: the place has one order (8.10.1, 8.10.5). And
/// waits on mbarrier objects acquire what the arrivals of the phases that are over released
/// (9.7.13.15).
final class CausalityOracle {
    /// A memory operation, a fence, or an end of a synchronization.
    ///
    /// @param line of the instruction
    /// @param reads by index, the event that each byte read was written by, or -1
    private record Event(
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

    /// An instruction of a warp that races. Its lanes come in no order that counts: each that races
    /// may be named.
    ///
    /// @param line where it is
    /// @param others by its threads that race, those that they race with
    record Race(int line, Map<Integer, Set<Integer>> others) {}

    /// Bytes that are shared, of one CTA.
    private static final int BYTES = 32;

    private final SharingProgram program;
    private final Map<Integer, Integer> slots;
    private final List<Event> events = new ArrayList<>();
    private final List<BitSet> before = new ArrayList<>();
    private final Map<Integer, Integer> last = new HashMap<>();

    // What wrote each byte: of CTAs that share their shared memory, one after the other.
    private final int[] memory = new int[4 * BYTES];
    private final List<Integer> sequential = new ArrayList<>();

    // By cluster: arrivals of the phase, those of the last, and who waits; threads between arrival
    // and wait, and those whose phase is over.
    private final Map<Integer, List<Integer>> clusters = new HashMap<>();
    private final Map<Integer, List<Integer>> ends = new HashMap<>();
    private final Map<Integer, List<Integer>> awaiting = new HashMap<>();
    private final Set<Integer> atCluster = new HashSet<>();
    private final Set<Integer> met = new HashSet<>();

    // By barrier number, and CTA: who has arrived and who waits.
    private final Map<Integer, List<Integer>> arrived = new HashMap<>();
    private final Map<Integer, List<Integer>> waiting = new HashMap<>();
    private final Map<Integer, Integer> count = new HashMap<>();

    // By CTA, the arrivals at its mbarrier object; two end a phase.
    private final Map<Integer, List<Integer>> arrivals = new HashMap<>();

    // Copies that their thread has not waited for, and bulk copies out of shared memory.
    private final Map<Integer, List<Integer>> copies = new HashMap<>();
    private final Map<Integer, List<Integer>> stores = new HashMap<>();

    // By actor, what its object's phases that are over brought along: arrivals and copies; and
    // those
    // of the phase.
    private final Map<Integer, List<Integer>> phases = new HashMap<>();
    private final Map<Integer, List<Integer>> phase = new HashMap<>();
    private final Map<Integer, Integer> phasesOver = new HashMap<>();
    private final List<Integer> proxyFences = new ArrayList<>();

    /// @param slots by line
    CausalityOracle(SharingProgram program, Map<Integer, Integer> slots) {
        this.program = program;
        this.slots = slots;
        Arrays.fill(memory, -1);
    }

    // The execution.

    /// Lanes of a warp run what stands on a line.
    ///
    /// @param warp among those of the grid, 32 threads each
    void run(int line, int warp, int lanes) {
        Integer index = slots.get(line);
        if (index == null) {
            return;
        }
        Slot slot = program.slots().get(index);
        switch (slot.operation()) {
            case Operation.CtaBarrier _ ->
                    barrier(line, 0, warp, lanes, 32 * program.shape().warps(), true);
            case Operation.ClusterBarrier barrier -> meet(line, warp, lanes, barrier);
            case Operation.HandOver(int number, _, int to, boolean both) ->
                    barrier(
                            line,
                            number,
                            warp,
                            lanes,
                            64,
                            both || warp % program.shape().warps() == to);
            case Operation.WarpBarrier barrier -> {
                List<Integer> here = new ArrayList<>();
                for (int thread : threads(warp, lanes)) {
                    here.add(add(plain(line, thread, barrier)));
                }
                for (int thread : threads(warp, lanes)) {
                    int end = add(plain(line, thread, barrier));
                    here.forEach(each -> precedes(each, end));
                }
            }
            default -> {
                for (int thread : threads(warp, lanes)) {
                    step(line, thread, slot.operation());
                }
            }
        }
    }

    private static List<Integer> threads(int warp, int lanes) {
        List<Integer> threads = new ArrayList<>();
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                threads.add(32 * warp + lane);
            }
        }
        return threads;
    }

    private static Event plain(int line, int thread, Operation operation) {
        return new Event(
                line, thread, operation, false, false, MemoryOrder.WEAK, "", 0, 0, List.of());
    }

    private int add(Event event) {
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
    private void precedes(int first, int second) {
        before.get(second).set(first);
        before.get(second).or(before.get(first));
    }

    private int cta(int thread) {
        return thread / 32 / program.shape().warps();
    }

    /// The CTA of a rank in a thread's cluster whose memory is meant; 0 where there is one memory.
    private int owner(int thread, int rank) {
        SharingProgram.Shape shape = program.shape();
        int size = shape.cluster();
        return shape.distributed() ? cta(thread) / size * size + rank : 0;
    }

    private int owner(int thread) {
        return owner(thread, cta(thread) % program.shape().cluster());
    }

    /// 8.5.
    private boolean isWithin(int thread, int other, String scope) {
        return cta(thread) == cta(other)
                || switch (scope) {
                    case "cta" -> false;
                    case "cluster" -> {
                        int size = program.shape().cluster();
                        yield cta(thread) / size == cta(other) / size;
                    }
                    default -> true;
                };
    }

    /// Whether two are in each other's scopes.
    private boolean areWithin(int thread, String scope, int other, String otherScope) {
        return isWithin(thread, other, scope) && isWithin(other, thread, otherScope);
    }

    /// 8.7: operations on the same bytes in each other's scopes.
    private boolean isMorallyStrong(Event a, Event b) {
        return a.isStrong()
                && b.isStrong()
                && a.isSamePlace(b)
                && areWithin(a.thread, a.scope, b.thread, b.scope);
    }

    /// The scope of what releases or acquires.
    private static String scopeOf(Event event) {
        return event.operation instanceof Operation.Fence(_, String scope) ? scope : event.scope;
    }

    /// 8.9.4, 3. Each thread comes here twice: to arrive, and to wait.
    private void meet(int line, int warp, int lanes, Operation operation) {
        int cluster = warp / program.shape().warps() / program.shape().cluster();
        int expected = 32 * program.shape().warps() * program.shape().cluster();
        List<Integer> before = clusters.computeIfAbsent(cluster, c -> new ArrayList<>());
        for (int thread : threads(warp, lanes)) {
            if (atCluster.add(thread)) {
                before.add(add(plain(line, thread, operation)));
            } else if (met.contains(thread)) {
                met.remove(thread);
                atCluster.remove(thread);
                ends.get(cluster).forEach(precedes(add(plain(line, thread, operation))));
            } else {
                awaiting.computeIfAbsent(cluster, c -> new ArrayList<>()).add(thread);
            }
        }
        if (before.size() < expected) {
            return;
        }
        List<Integer> waited = awaiting.getOrDefault(cluster, List.of());
        for (int thread : waited) {
            atCluster.remove(thread);
            before.forEach(precedes(add(plain(line, thread, operation))));
        }
        int first = cluster * program.shape().cluster() * program.shape().warps() * 32;
        for (int thread = first; thread < first + expected; thread++) {
            if (!waited.contains(thread)) {
                met.add(thread);
            }
        }
        awaiting.remove(cluster);
        ends.put(cluster, List.copyOf(before));
        before.clear();
    }

    private Consumer<Integer> precedes(int end) {
        return each -> precedes(each, end);
    }

    private void barrier(int line, int called, int warp, int lanes, int expected, boolean waits) {
        int number = 16 * (warp / program.shape().warps()) + called;
        Operation operation = new Operation.CtaBarrier();
        for (int thread : threads(warp, lanes)) {
            arrived.computeIfAbsent(number, n -> new ArrayList<>())
                    .add(add(plain(line, thread, operation)));
            if (waits) {
                waiting.computeIfAbsent(number, n -> new ArrayList<>()).add(thread);
            }
        }
        if (count.merge(number, Integer.bitCount(lanes), Integer::sum) < expected) {
            return;
        }
        for (int thread : waiting.getOrDefault(number, List.of())) {
            int end = add(plain(line, thread, operation));
            arrived.get(number).forEach(each -> precedes(each, end));
        }
        count.remove(number);
        arrived.remove(number);
        waiting.remove(number);
    }

    private void step(int line, int thread, Operation operation) {
        switch (operation) {
            case Operation.Memory access -> access(line, thread, access);
            case Operation.Fence(MemoryOrder order, String scope) -> {
                int fence = add(plain(line, thread, operation));
                // 8.9.4, 1: fence.sc operations are in one order, here that of the execution.
                if (order == MemoryOrder.SC) {
                    for (int earlier : sequential) {
                        Event other = events.get(earlier);
                        if (areWithin(thread, scope, other.thread, scopeOf(other))) {
                            precedes(earlier, fence);
                        }
                    }
                    sequential.add(fence);
                }
                if (acquires(order)) {
                    acquiredByFence(fence);
                }
            }
            case Operation.Arrive(int rank) ->
                    arrivals.computeIfAbsent(owner(thread, rank), o -> new ArrayList<>())
                            .add(add(plain(line, thread, operation)));
            case Operation.TestWait(int parity) -> {
                int wait = add(plain(line, thread, operation));
                List<Integer> all = arrivals.getOrDefault(owner(thread), List.of());
                int phases = all.size() / 2;
                if (phases % 2 != parity) {
                    all.subList(0, 2 * phases).forEach(precedes(wait));
                }
            }
            case Operation.Copy(int at) ->
                    copies.computeIfAbsent(thread, t -> new ArrayList<>())
                            .add(aside(line, thread, operation, at, 4, false));
            case Operation.ProxyFence _ -> proxyFences.add(add(plain(line, thread, operation)));
            case Operation.Expect(int object) ->
                    phase.computeIfAbsent(object, o -> new ArrayList<>())
                            .add(add(plain(line, thread, operation)));
            case Operation.BulkLoad(int at, int object) -> {
                List<Integer> over = phases.computeIfAbsent(object, o -> new ArrayList<>());
                over.add(aside(line, thread, operation, at, 16, false));
                over.addAll(phase.remove(object));
                phasesOver.merge(object, 1, Integer::sum);
            }
            case Operation.Await(int object, int parity) -> {
                int wait = add(plain(line, thread, operation));
                if (phasesOver.getOrDefault(object, 0) % 2 != parity) {
                    phases.getOrDefault(object, List.of()).forEach(precedes(wait));
                }
            }
            case Operation.BulkStore(int at) ->
                    stores.computeIfAbsent(thread, t -> new ArrayList<>())
                            .add(aside(line, thread, operation, at, 16, true));
            case Operation.BulkWait _ -> {
                int wait = add(plain(line, thread, operation));
                stores.getOrDefault(thread, List.of()).forEach(precedes(wait));
                stores.remove(thread);
            }
            case Operation.CopyWait _ -> {
                int wait = add(plain(line, thread, operation));
                copies.getOrDefault(thread, List.of()).forEach(each -> precedes(each, wait));
                copies.remove(thread);
            }
            case Operation.CtaBarrier _,
                    Operation.ClusterBarrier _,
                    Operation.HandOver _,
                    Operation.WarpBarrier _,
                    Operation.Yield _ -> {}
        }
    }

    /// An asynchronous write, or read: after what its thread did, before the wait, and nothing else
    /// (8.9.1.1).
    private int aside(int line, int thread, Operation operation, int at, int bytes, boolean reads) {
        int copy = events.size();
        List<Integer> sources =
                reads ? Arrays.stream(memory, at, at + bytes).boxed().toList() : List.of();
        events.add(
                new Event(
                        line,
                        thread,
                        operation,
                        reads,
                        !reads,
                        MemoryOrder.WEAK,
                        "",
                        at,
                        bytes,
                        sources));
        BitSet earlier = new BitSet();
        Integer previous = last.get(thread);
        if (previous != null) {
            earlier.or(before.get(previous));
            earlier.set(previous);
        }
        before.add(earlier);
        if (!reads) {
            Arrays.fill(memory, at, at + bytes, copy);
        }
        return copy;
    }

    private void access(int line, int thread, Operation.Memory access) {
        int at = access.at() + BYTES * owner(thread, access.rank());
        List<Integer> sources =
                access.reads()
                        ? Arrays.stream(memory, at, at + access.bytes()).boxed().toList()
                        : List.of();
        int index =
                add(
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
                                sources));
        // 8.8, acquire patterns 1 and 2.
        if (access.reads() && access.returns() && acquires(access.order())) {
            synchronizeWithReleases(index, index);
            for (int i = 0; i < index; i++) {
                Event earlier = events.get(i);
                if (earlier.thread == thread
                        && earlier.reads
                        && isAcquirable(earlier)
                        && earlier.isStrong()
                        && earlier.isSamePlace(events.get(index))) {
                    synchronizeWithReleases(i, index);
                }
            }
        }
        if (access.writes()) {
            Arrays.fill(memory, at, at + access.bytes(), index);
        }
    }

    private static boolean acquires(MemoryOrder order) {
        return order == MemoryOrder.ACQUIRE
                || order == MemoryOrder.ACQ_REL
                || order == MemoryOrder.SC;
    }

    private static boolean releases(MemoryOrder order) {
        return order == MemoryOrder.RELEASE
                || order == MemoryOrder.ACQ_REL
                || order == MemoryOrder.SC;
    }

    /// 8.11.1: the read of `red` forms no acquire pattern.
    private static boolean isAcquirable(Event read) {
        return read.operation instanceof Operation.Memory memory && memory.returns();
    }

    /// 8.8, acquire pattern 3: a strong read followed by a fence.
    private void acquiredByFence(int fence) {
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
    private void synchronizeWithReleases(int read, int end) {
        for (int write : observed(read)) {
            Event written = events.get(write);
            for (int first = 0; first <= write; first++) {
                Event release = events.get(first);
                if (release.thread != written.thread) {
                    continue;
                }
                boolean begins =
                        switch (release.operation) {
                            case Operation.Fence(MemoryOrder order, _) -> releases(order);
                            case Operation.Memory _ ->
                                    release.writes
                                            && releases(release.order)
                                            && release.isSamePlace(written);
                            default -> false;
                        };
                if (begins
                        && first != end
                        && areWithin(
                                release.thread,
                                scopeOf(release),
                                events.get(end).thread,
                                scopeOf(events.get(end)))) {
                    precedes(first, end);
                }
            }
        }
    }

    /// 8.9.2: the writes that precede a read in observation order.
    private Set<Integer> observed(int read) {
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

    // The verdict.

    /// The first instruction that races with something before it, or null.
    @org.jspecify.annotations.Nullable
    Race race() {
        for (int second = 0; second < events.size(); second++) {
            if (!racesWith(second).isEmpty()) {
                Event event = events.get(second);
                Map<Integer, Set<Integer>> others = new HashMap<>();
                for (int each = second; each < events.size(); each++) {
                    Event lane = events.get(each);
                    if (isOfOneInstruction(event, lane)) {
                        others.computeIfAbsent(lane.thread, t -> new HashSet<>())
                                .addAll(racesWith(each));
                    }
                }
                others.values().removeIf(Set::isEmpty);
                return new Race(event.line, others);
            }
        }
        return null;
    }

    /// The threads that an access races with: of those before it, and other lanes of its own
    /// instruction.
    private Set<Integer> racesWith(int access) {
        Event event = events.get(access);
        Set<Integer> others = new HashSet<>();
        for (int each = 0; each < events.size(); each++) {
            Event other = events.get(each);
            if (each < access
                    ? race(each, access) || isUnfenced(each, access)
                    : each > access && isOfOneInstruction(event, other) && race(access, each)) {
                others.add(other.thread);
            }
        }
        return others;
    }

    /// Weak stores of one value are a note. Each byte of what is stored is the value and the actor.
    private static boolean areEqualStores(Event a, Event b) {
        return a.operation instanceof Operation.Memory one
                && b.operation instanceof Operation.Memory other
                && !a.reads
                && !b.reads
                && !a.isStrong()
                && !b.isStrong()
                && one.value() + actor(a) == other.value() + actor(b);
    }

    private static int actor(Event event) {
        return 2 * (event.thread / 32) + event.thread % 32;
    }

    private static boolean isOfOneInstruction(Event event, Event other) {
        return other.line == event.line && other.thread / 32 == event.thread / 32;
    }

    /// 8.7.1.
    private boolean race(int first, int second) {
        Event a = events.get(first);
        Event b = events.get(second);
        boolean morallyStrong = isMorallyStrong(a, b);
        return a.overlaps(b)
                && (a.writes || b.writes)
                && !morallyStrong
                && !areEqualStores(a, b)
                && !before.get(second).get(first)
                && !isObservedBefore(first, second);
    }

    /// 9.7.9.25.4.1 and 8.9.5: what an ordinary store wrote is read through the async proxy, and no
    /// proxy fence stands on the way. That of `cp.async` is taken leniently, as the machine does.
    private boolean isUnfenced(int write, int read) {
        Event reader = events.get(read);
        return reader.operation instanceof Operation.BulkStore
                && reader.sources.contains(write)
                && events.get(write).operation instanceof Operation.Memory
                && proxyFences.stream()
                        .noneMatch(
                                fence ->
                                        before.get(fence).get(write)
                                                && before.get(read).get(fence));
    }

    /// 8.9.5, causality order, 2.
    private boolean isObservedBefore(int write, int access) {
        Event written = events.get(write);
        for (int z = 0; z <= access; z++) {
            if (!events.get(z).reads || z != access && !before.get(access).get(z)) {
                continue;
            }
            for (int each : observed(z)) {
                Event seen = events.get(each);
                if (each == write
                        || before.get(each).get(write)
                                && written.isStrong()
                                && seen.isSamePlace(written)) {
                    return true;
                }
            }
        }
        return false;
    }
}
