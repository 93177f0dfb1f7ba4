package dev.heddle.vm.races;

import dev.heddle.vm.races.CausalityOrder.Event;
import dev.heddle.vm.races.SharingProgram.Operation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Which accesses of one execution race (PTX ISA 8.7.1, 8.9.5).
final class CausalityRaces {
    private final CausalityOrder order;
    private final List<Event> events;
    private final BulkGroups groups;
    private final List<Integer> proxyFences;

    /// @param proxyFences which of the events are
    CausalityRaces(CausalityOrder order, BulkGroups groups, List<Integer> proxyFences) {
        this.order = order;
        this.groups = groups;
        events = order.events();
        this.proxyFences = proxyFences;
    }

    /// An instruction of a warp that races. Its lanes come in no order that counts: each that races
    /// may be named.
    ///
    /// @param line where it is
    /// @param others by its threads that race, those that they race with
    record Race(int line, Map<Integer, Set<Integer>> others) {}

    /// The instructions that race with something before them, in their order; again for each lane
    /// that does.
    Stream<Race> races() {
        return IntStream.range(0, events.size())
                .filter(second -> !racesWith(second).isEmpty())
                .mapToObj(this::race);
    }

    private Race race(int second) {
        Event event = events.get(second);
        Map<Integer, Set<Integer>> others = new HashMap<>();
        for (int each = second; each < events.size(); each++) {
            Event lane = events.get(each);
            if (isOfOneInstruction(event, lane)) {
                others.computeIfAbsent(lane.thread(), t -> new HashSet<>()).addAll(racesWith(each));
            }
        }
        others.values().removeIf(Set::isEmpty);
        return new Race(event.line(), others);
    }

    /// The threads that an access races with: of those before it, and other lanes of its own
    /// instruction.
    private Set<Integer> racesWith(int access) {
        Event event = events.get(access);
        Set<Integer> others = new HashSet<>();
        if (!order.asksAbout(event.at())) {
            return others;
        }
        for (int each = 0; each < events.size(); each++) {
            Event other = events.get(each);
            if (each < access
                    ? race(each, access) || isUnfenced(each, access)
                    : each > access && isOfOneInstruction(event, other) && race(access, each)) {
                others.add(other.thread());
            }
        }
        return others;
    }

    /// Weak stores of one value are a note. Each byte of what is stored is the value and the actor.
    private static boolean areEqualStores(Event a, Event b) {
        return a.operation() instanceof Operation.Memory one
                && b.operation() instanceof Operation.Memory other
                && !a.reads()
                && !b.reads()
                && !a.isStrong()
                && !b.isStrong()
                && one.value() + actor(a) == other.value() + actor(b);
    }

    private static int actor(Event event) {
        return 2 * (event.thread() / 32) + event.thread() % 32;
    }

    private static boolean isOfOneInstruction(Event event, Event other) {
        return other.line() == event.line() && other.thread() / 32 == event.thread() / 32;
    }

    /// 8.7.1.
    private boolean race(int first, int second) {
        Event a = events.get(first);
        Event b = events.get(second);
        boolean morallyStrong = order.isMorallyStrong(a, b);
        return a.overlaps(b)
                && (a.writes() || b.writes())
                && !morallyStrong
                && !areEqualStores(a, b)
                && !order.isBefore(first, second)
                && !groups.areInOrder(first, second, a.line() == b.line())
                && !isObservedBefore(first, second)
                && !isObservedBy(first, second)
                && !isCopiedOver(first, second);
    }

    /// 8.9.5, 9.7.9.25.2: what is read or overwritten through the async proxy comes behind each
    /// store of the generic proxy there, whichever was the last, by a path with a proxy fence,
    /// which begins at the store or at what has observed it. That of `cp.async` is taken leniently,
    /// as the machine does.
    private boolean isUnfenced(int write, int use) {
        Event user = events.get(use);
        Event writer = events.get(write);
        return isOfAsyncProxy(user)
                && writer.overlaps(user)
                && writer.writes()
                && isToBeFenced(writer)
                && (order.isBefore(write, use) || isObservedBefore(write, use))
                && !isCopiedOver(write, use)
                && proxyFences.stream()
                        .noneMatch(
                                fence ->
                                        order.fencesProxiesAt(events.get(fence), writer.at())
                                                && order.isBefore(fence, use)
                                                && (order.isBefore(write, fence)
                                                        || isObservedBefore(write, fence)));
    }

    /// Whether asynchronous writes have replaced all that two share. What a copy has overwritten is
    /// over for who has waited for it, though it hands over nothing else that its thread did.
    private boolean isCopiedOver(int first, int use) {
        Event a = events.get(first);
        Event b = events.get(use);
        return IntStream.range(
                        Math.max(a.at(), b.at()), Math.min(a.at() + a.bytes(), b.at() + b.bytes()))
                .allMatch(
                        at ->
                                IntStream.range(first + 1, use)
                                        .anyMatch(each -> isCopiedOver(at, first, each, use)));
    }

    private boolean isCopiedOver(int at, int first, int each, int use) {
        Event copy = events.get(each);
        return copy.writes()
                && !copy.reads()
                && !(copy.operation() instanceof Operation.Memory)
                && copy.at() <= at
                && at < copy.at() + copy.bytes()
                && order.isBefore(first, each)
                && order.isBefore(each, use);
    }

    /// Those of the generic proxy, but for `cp.async`.
    private static boolean isToBeFenced(Event event) {
        return switch (event.operation()) {
            case Operation.Memory _, Operation.StoreAsync _, Operation.ReduceAsync _ -> true;
            default -> false;
        };
    }

    private static boolean isOfAsyncProxy(Event event) {
        return switch (event.operation()) {
            case Operation.BulkLoad _,
                    Operation.Multicast _,
                    Operation.BulkStore _,
                    Operation.BulkSend _ ->
                    true;
            default -> false;
        };
    }

    /// 8.9.5, causality order, 2.
    private boolean isObservedBefore(int write, int access) {
        return IntStream.range(0, access)
                .anyMatch(z -> order.isBefore(z, access) && isObservedBy(write, z));
    }

    private boolean isObservedBy(int write, int read) {
        if (!events.get(read).reads()) {
            return false;
        }
        Event written = events.get(write);
        for (int each : order.observed(read)) {
            if (each == write
                    || order.isBefore(write, each)
                            && written.isStrong()
                            && events.get(each).isSamePlace(written)) {
                return true;
            }
        }
        return false;
    }
}
