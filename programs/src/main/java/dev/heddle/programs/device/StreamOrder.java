package dev.heddle.programs.device;

import dev.heddle.programs.host.Shortcut;
import dev.heddle.vm.ir.GridDependencies.Dependency;
import dev.heddle.vm.memory.Footprint;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/// What a program can rely on of the order of its work (CUDA Programming Guide, 4.3): operations
/// of one stream, waits for events, the legacy default stream, and what the host waited for before
/// it gave the next. Whatever else happened to be done first is not in order.
///
/// All threads of the host count as one: what one of them waited for, the others may know of.
final class StreamOrder {
    /// What is kept of all operations together; the oldest are forgotten first.
    private static final int MOST_RUNS = 1 << 20;

    private final IntSupplier allocations;
    private final Shortcut shortcut;
    private final Deque<Operation> underWay = new ArrayDeque<>();
    private final Deque<Accessed> kept = new ArrayDeque<>();
    private StreamClock host = StreamClock.NOTHING;
    private long keptRuns;
    private boolean isSideBySide;
    private boolean isUnknown;
    private boolean isBusy;

    /// @param allocations how many the program has made so far
    /// @param shortcut forbidden while there is work that others may have to wait for
    StreamOrder(IntSupplier allocations, Shortcut shortcut) {
        this.allocations = allocations;
        this.shortcut = shortcut;
    }

    /// What an operation accessed.
    ///
    /// @param origin what it is, in words
    /// @param dependency what its kernel says of the launches before and behind it
    record Accessed(
            Operation operation,
            Supplier<Origin> origin,
            Dependency dependency,
            List<Footprint> footprints) {
        private int runs() {
            return footprints.stream().mapToInt(each -> each.runs().size()).sum();
        }
    }

    /// From here on, work may be done side by side.
    synchronized void follow() {
        isSideBySide = true;
        shortcut.follow(isFollowed());
    }

    /// Streams order themselves by words in memory: no more is looked for.
    synchronized void stopFollowing() {
        isUnknown = true;
        kept.clear();
        shortcut.follow(isFollowed());
    }

    /// Whether what operations access matters.
    synchronized boolean isFollowed() {
        return isSideBySide && !isUnknown;
    }

    /// The host gives a stream work.
    ///
    /// @param before streams whose work so far it waits for, this one among them
    synchronized Operation begin(Stream stream, Collection<Stream> before) {
        StreamClock behind = at(before);
        long number = stream.clock().of(stream) + 1;
        stream.setClock(behind.with(stream, number));
        Operation operation =
                new Operation(stream, number, behind, host.of(stream), allocations.getAsInt());
        underWay.add(operation);
        if (!isBusy) {
            isBusy = true;
            shortcut.forbid();
        }
        return operation;
    }

    /// An operation is done.
    synchronized void finish(Operation operation) {
        underWay.remove(operation);
        forget();
    }

    /// What is done once streams are: the clock of an event that is recorded there.
    synchronized StreamClock at(Collection<Stream> streams) {
        StreamClock all = host;
        for (Stream each : streams) {
            all = all.join(each.clock());
        }
        return all;
    }

    /// A stream waits for an event.
    ///
    /// @param before streams whose work so far it waits for, too, this one among them
    synchronized void await(Stream stream, Collection<Stream> before, StreamClock event) {
        stream.setClock(at(before).join(event));
    }

    /// The host knows that something is done.
    synchronized void hostKnows(StreamClock done) {
        host = host.join(done);
        forget();
    }

    /// Forgets what all that comes is behind.
    private void forget() {
        if (!kept.isEmpty()) {
            kept.removeIf(this::isBehindAll);
            keptRuns = kept.stream().mapToLong(Accessed::runs).sum();
        }
        if (kept.isEmpty() && underWay.isEmpty()) {
            host = StreamClock.NOTHING;
            if (isBusy) {
                isBusy = false;
                shortcut.unforbid();
            }
        }
    }

    private boolean isBehindAll(Accessed each) {
        return host.of(each.operation.stream()) >= each.operation.number()
                && underWay.stream().noneMatch(each.operation::isUnorderedWith);
    }

    /// What the operation in front of one has accessed, where that may still run as it begins.
    synchronized @Nullable Accessed overlapping(Accessed accessed) {
        return kept.stream()
                .filter(each -> each.dependency.startsNext())
                .filter(each -> accessed.operation.mayOverlap(each.operation))
                .findAny()
                .orElse(null);
    }

    /// Keeps what an operation accessed, for those to come.
    ///
    /// @return what was accessed by operations that are not in order with it
    synchronized List<Accessed> add(Accessed accessed) {
        List<Accessed> unordered =
                kept.stream()
                        .filter(each -> each.operation.isUnorderedWith(accessed.operation))
                        .toList();
        kept.addLast(accessed);
        keptRuns += accessed.runs();
        while (keptRuns > MOST_RUNS) {
            keptRuns -= kept.removeFirst().runs();
        }
        return unordered;
    }
}
