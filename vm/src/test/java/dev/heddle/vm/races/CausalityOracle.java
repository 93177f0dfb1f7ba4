package dev.heddle.vm.races;

import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.races.CausalityOrder.Event;
import dev.heddle.vm.races.SharingProgram.Operation;
import dev.heddle.vm.races.SharingProgram.Slot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Says by chapter 8 of the manual which accesses of one execution race: all events, all relations
/// between them, word for word and as slow as that is.
///
/// In three points it says more than the manual. A strong access that comes before a strong write
/// of the same place is over where that is observed: the place has one order (8.10.1, 8.10.5). And
/// waits on mbarrier objects acquire what the arrivals of the phases that are over released
/// (9.7.13.15). What a bulk copy has overwritten is over for who has waited for the copy.
final class CausalityOracle {
    /// Bytes that are shared, of one CTA.
    static final int BYTES = 64;

    /// Where global memory begins, behind the shared memory of four CTAs.
    static final int GLOBAL = 4 * BYTES;

    private final SharingProgram program;
    private final Map<Integer, Integer> slots;
    private final CausalityOrder order;

    /// Where the places begin that bulk stores of one actor alone write.
    private static final int OWN = GLOBAL + BYTES;

    // Shared memory of CTAs, one after the other, and global memory.
    private final SharedBytes shared;
    private final List<Integer> sequential = new ArrayList<>();

    private final ClusterMeetings meetings;

    // By barrier number, and CTA: who has arrived and who waits.
    private final Map<Integer, List<Integer>> arrived = new HashMap<>();
    private final Map<Integer, List<Integer>> waiting = new HashMap<>();
    private final Map<Integer, Integer> count = new HashMap<>();

    // By CTA, the arrivals at its mbarrier object; two end a phase.
    private final Map<Integer, List<Integer>> arrivals = new HashMap<>();

    private final CopyGroups copies = new CopyGroups();
    private final BulkGroups groups = new BulkGroups();
    private final ObjectPhases phases = new ObjectPhases();

    // By thread, what its relaxed waits were told to be over.
    private final Map<Integer, List<Integer>> observed = new HashMap<>();
    private final List<Integer> proxyFences = new ArrayList<>();

    /// @param slots by line
    /// @param memory the one whose accesses it is asked about
    CausalityOracle(SharingProgram program, Map<Integer, Integer> slots, int memory) {
        this.program = program;
        this.slots = slots;
        order = new CausalityOrder(program.shape(), memory);
        meetings = new ClusterMeetings(program.shape(), order);
        shared = new SharedBytes(order, OWN + 16 * program.shape().actors());
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
            case Operation.ClusterBarrier _, Operation.ClusterArrive _, Operation.ClusterWait _ ->
                    meetings.come(line, warp, threads(warp, lanes), slot.operation());
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
                    here.add(order.add(CausalityOrder.plain(line, thread, barrier)));
                }
                for (int thread : threads(warp, lanes)) {
                    int end = order.add(CausalityOrder.plain(line, thread, barrier));
                    here.forEach(each -> order.precedes(each, end));
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

    /// The CTA of a rank in a thread's cluster whose memory is meant.
    private int owner(int thread, int rank) {
        int size = program.shape().cluster();
        return program.shape().distributed()
                ? order.cta(thread) / size * size + rank
                : order.cta(thread);
    }

    /// Where a thread's own shared memory has a place.
    private int shared(int thread, int at) {
        return at + BYTES * owner(thread);
    }

    private int owner(int thread) {
        return owner(thread, order.cta(thread) % program.shape().cluster());
    }

    private Consumer<Integer> precedes(int end) {
        return each -> order.precedes(each, end);
    }

    private void barrier(int line, int called, int warp, int lanes, int expected, boolean waits) {
        int number = 16 * (warp / program.shape().warps()) + called;
        Operation operation = new Operation.CtaBarrier();
        for (int thread : threads(warp, lanes)) {
            arrived.computeIfAbsent(number, n -> new ArrayList<>())
                    .add(order.add(CausalityOrder.plain(line, thread, operation)));
            if (waits) {
                waiting.computeIfAbsent(number, n -> new ArrayList<>()).add(thread);
            }
        }
        if (count.merge(number, Integer.bitCount(lanes), Integer::sum) < expected) {
            return;
        }
        for (int thread : waiting.getOrDefault(number, List.of())) {
            int end = order.add(CausalityOrder.plain(line, thread, operation));
            arrived.get(number).forEach(each -> order.precedes(each, end));
        }
        count.remove(number);
        arrived.remove(number);
        waiting.remove(number);
    }

    private void step(int line, int thread, Operation operation) {
        switch (operation) {
            case Operation.Memory access -> access(line, thread, access);
            case Operation.Fence(MemoryOrder kind, _, _) -> {
                int fence = order.add(CausalityOrder.plain(line, thread, operation));
                // 8.9.4, 1: fence.sc operations are in one order, here that of the execution.
                if (kind == MemoryOrder.SC) {
                    for (int earlier : sequential) {
                        if (order.areWithin(
                                order.events().get(earlier), order.events().get(fence))) {
                            order.precedes(earlier, fence);
                        }
                    }
                    sequential.add(fence);
                }
                acquire(thread, fence);
            }
            case Operation.Arrive(int rank) ->
                    arrivals.computeIfAbsent(owner(thread, rank), o -> new ArrayList<>())
                            .add(order.add(CausalityOrder.plain(line, thread, operation)));
            case Operation.TestWait(int parity) -> {
                int wait = order.add(CausalityOrder.plain(line, thread, operation));
                List<Integer> all = arrivals.getOrDefault(owner(thread), List.of());
                int phases = all.size() / 2;
                if (phases % 2 != parity) {
                    all.subList(0, 2 * phases).forEach(precedes(wait));
                }
            }
            case Operation.Copy copy -> {
                int target = shared(thread, copy.at(thread % 32));
                if (program.shape().writesSources()) {
                    int source = GLOBAL + copy.from(2 * (thread / 32) + thread % 32);
                    copies.add(thread, shared.aside(line, thread, copy, source, 4, true, false));
                }
                copies.add(thread, shared.aside(line, thread, copy, target, 4, false, true));
                if (copy.commits()) {
                    copies.commit(thread);
                }
            }
            case Operation.HandCopies(int object, boolean counts) -> {
                // Asynchronous to its thread: the copies alone come before the arrival (8.9.1.1).
                int place = object(owner(thread), object);
                copies.begun(thread).forEach(each -> phases.add(place, each));
                if (counts) {
                    phases.arrive(place);
                }
            }
            case Operation.ArriveAt(int rank, int object, boolean isRelaxed) -> {
                int place = object(owner(thread, rank), object);
                int arrival = order.add(CausalityOrder.plain(line, thread, operation));
                if (isRelaxed) {
                    order.releasedBy(arrival).forEach(each -> phases.add(place, each));
                } else {
                    phases.add(place, arrival);
                }
                phases.arrive(place);
            }
            case Operation.ProxyFence _ -> {
                int fence = order.add(CausalityOrder.plain(line, thread, operation));
                proxyFences.add(fence);
                acquire(thread, fence);
            }
            case Operation.Expect(int object, int bytes) -> {
                int place = object(owner(thread), object);
                phases.count(
                        place, order.add(CausalityOrder.plain(line, thread, operation)), bytes);
                phases.arrive(place);
            }
            case Operation.BulkLoad(int at, int object, int from) -> {
                int place = object(owner(thread), object);
                int read = shared.aside(line, thread, operation, GLOBAL + from, 16, true, false);
                phases.add(place, read);
                int target = shared(thread, at);
                phases.count(
                        place, shared.aside(line, thread, operation, target, 16, false, true), -16);
            }
            case Operation.StoreAsync(int rank, int at, int object, _) -> {
                int there = owner(thread, rank);
                int place = at + BYTES * there;
                phases.count(
                        object(there, object),
                        shared.aside(line, thread, operation, place, 4, false, true),
                        -4);
            }
            case Operation.ReduceAsync(int rank, int at, int object, _) -> {
                int there = owner(thread, rank);
                int place = at + BYTES * there;
                phases.count(
                        object(there, object),
                        shared.aside(line, thread, operation, place, 4, true, true),
                        -4);
            }
            case Operation.Multicast(int ranks, int at, int object) -> {
                for (int rank = 0; rank < program.shape().cluster(); rank++) {
                    if ((ranks >>> rank & 1) != 0) {
                        int there = owner(thread, rank);
                        int place = at + BYTES * there;
                        phases.count(
                                object(there, object),
                                shared.aside(line, thread, operation, place, 16, false, true),
                                -16);
                    }
                }
            }
            case Operation.BulkSend send -> {
                int there = owner(thread, send.rank());
                int place = object(there, send.object());
                int source = shared(thread, send.from());
                phases.add(place, shared.aside(line, thread, send, source, 16, true, false));
                int target = send.at() + BYTES * there;
                List<Integer> written = shared.bulk(line, thread, send, target, 16, send.element());
                written.forEach(each -> phases.count(place, each, -16 / written.size()));
            }
            case Operation.Await(int object, int parity, boolean isRelaxed) -> {
                int wait = order.add(CausalityOrder.plain(line, thread, operation));
                List<Integer> over = phases.over(object(owner(thread), object), parity);
                if (isRelaxed) {
                    observed.computeIfAbsent(thread, _ -> new ArrayList<>()).addAll(over);
                } else {
                    over.forEach(each -> isOver(each, wait));
                }
            }
            case Operation.BulkStore store -> {
                int source = shared(thread, store.at());
                groups.add(
                        thread, shared.aside(line, thread, store, source, 16, true, false), false);
                int to =
                        store.to() == Operation.BulkStore.OWN
                                ? OWN + 16 * (2 * (thread / 32) + thread % 32)
                                : GLOBAL + store.to();
                shared.bulk(line, thread, store, to, 16, store.reduces() ? 4 : 0)
                        .forEach(each -> groups.add(thread, each, true));
                if (store.commits()) {
                    groups.commit(thread);
                }
            }
            case Operation.BulkWait(boolean read) -> {
                int wait = order.add(CausalityOrder.plain(line, thread, operation));
                groups.awaited(thread, read).forEach(precedes(wait));
            }
            case Operation.CopyWait _ -> {
                copies.commit(thread);
                awaitCopies(line, thread, operation, 0);
            }
            case Operation.CopyGroupWait(int pending) ->
                    awaitCopies(line, thread, operation, pending);
            case Operation.CtaBarrier _,
                    Operation.ClusterBarrier _,
                    Operation.ClusterArrive _,
                    Operation.ClusterWait _,
                    Operation.HandOver _,
                    Operation.WarpBarrier _,
                    Operation.Yield _ -> {}
        }
    }

    /// A fence acquires, too, what relaxed waits of its thread have observed.
    private void acquire(int thread, int fence) {
        if (order.isAcquiringFence(fence)) {
            order.acquiredByFence(fence);
            observed.getOrDefault(thread, List.of()).forEach(each -> isOver(each, fence));
        }
    }

    private void awaitCopies(int line, int thread, Operation operation, int pending) {
        int wait = order.add(CausalityOrder.plain(line, thread, operation));
        copies.awaited(thread, pending).forEach(precedes(wait));
    }

    private static int object(int owner, int object) {
        return SharingProgram.OBJECTS * owner + object;
    }

    /// The transaction of a bulk copy hands over what it wrote, and nothing that its thread did
    /// before; so does the arrival of `cp.async.mbarrier.arrive` (8.9.1.1). That of `st.async` and
    /// `red.async` releases (9.7.9.12, 9.7.13.7).
    private void isOver(int event, int wait) {
        Event over = order.events().get(event);
        switch (over.operation()) {
            case Operation.Copy _,
                    Operation.BulkLoad _,
                    Operation.Multicast _,
                    Operation.BulkSend _ ->
                    order.precedesAlone(event, wait);
            default -> {
                if (order.areWithin(over, order.events().get(wait))) {
                    order.precedes(event, wait);
                }
            }
        }
    }

    private void access(int line, int thread, Operation.Memory access) {
        boolean isGlobal = program.shape().isGlobal() || access.rank() == SharingProgram.GLOBAL;
        int at = access.at() + (isGlobal ? GLOBAL : BYTES * owner(thread, access.rank()));
        int index = shared.access(line, thread, access, at);
        // 8.8, acquire patterns 1 and 2.
        if (access.reads() && access.returns() && CausalityOrder.acquires(access.order())) {
            order.synchronizeWithReleases(index, index);
            for (int i = 0; i < index; i++) {
                Event earlier = order.events().get(i);
                if (earlier.thread() == thread
                        && earlier.reads()
                        && CausalityOrder.isAcquirable(earlier)
                        && earlier.isStrong()
                        && earlier.isSamePlace(order.events().get(index))) {
                    order.synchronizeWithReleases(i, index);
                }
            }
        }
    }

    /// The instructions that race with something before them, in their order.
    Stream<CausalityRaces.Race> races() {
        return new CausalityRaces(order, groups, proxyFences).races();
    }
}
