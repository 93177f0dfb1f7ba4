package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.shadow.Aside;
import dev.heddle.vm.shadow.AsyncOperation;
import dev.heddle.vm.shadow.AsyncOperation.Completion;
import dev.heddle.vm.shadow.AsyncOperation.Region;
import dev.heddle.vm.shadow.AsyncOrder;
import dev.heddle.vm.shadow.AsyncReads;
import dev.heddle.vm.shadow.ByteRanges;
import dev.heddle.vm.shadow.Footprint;
import dev.heddle.vm.shadow.HappensBefore;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.shadow.WholeRegions;
import dev.heddle.vm.state.AsyncGroups;
import dev.heddle.vm.state.Cta;

import java.util.Objects;

/// Looks at the asynchronous operations of a CTA: whether others still use the shared memory that
/// they write or have written the memory that they read, through which proxy; and keeps what they
/// touch until a thread has waited for them.
final class AsyncChecks {
    private final Cta cta;
    private final SharedShadow shadow;
    private final Sanitizer sanitizer;
    private final AsyncOrder operations = new AsyncOrder();
    private final FencedWrites fenced;
    private final FencedTargets targets;
    private final ClusterAsyncChecks cluster;
    private final AsideLaneChecks lanes;
    private final AsyncFaults faults;
    private final LastOperations writes;
    private final LastOperations sources;

    AsyncChecks(Cta cta, SharedShadow shadow, Sanitizer sanitizer) {
        this.sanitizer = sanitizer;
        this.cta = cta;
        this.shadow = shadow;
        fenced = new FencedWrites(cta, shadow);
        cluster = new ClusterAsyncChecks(cta, shadow, sanitizer);
        lanes = new AsideLaneChecks(cta, shadow, sanitizer, cluster);
        faults = new AsyncFaults(cta);
        writes = new LastOperations(cta, shadow.order());
        sources = new LastOperations(cta, shadow.order());
        targets = new FencedTargets(cta, cluster, fenced, faults);
    }

    /// Forgets everything.
    void clear() {
        operations.clear();
        fenced.clear();
        writes.clear();
        sources.clear();
    }

    /// An operation has begun.
    void began(AsyncOperation operation) {
        for (Region region : operation.writes()) {
            if (region.space() != Space.GLOBAL) {
                write(operation, region);
            }
        }
        read(operation);
        if (operation.completion() instanceof Completion.WgmmaGroup && checks(RuleGroup.ASYNC)) {
            for (int i = 0; i < Completion.WgmmaGroup.WARPS; i++) {
                sanitizer.warp(operation.thread() / 32 + i).registersInFlight().began(operation);
            }
        }
    }

    /// Those of what lanes do by `st.async` and `red.async`, as one.
    AsideLaneChecks lanes() {
        return lanes;
    }

    /// What stands for what an operation that is about to begin does in global memory.
    ///
    /// @param thread that begins it
    Aside aside(Site site, int thread, Completion completion) {
        int lane = operations.lane(completion, thread);
        if (completion instanceof Completion.Transaction transaction) {
            // It begins with what it writes to shared memory.
            SharedShadow counting = cta.cluster().cta(transaction.rank()).shadow();
            HappensBefore there = Objects.requireNonNull(counting).order();
            int aside = there.asyncThread(lane);
            int clock = there.async().next(lane);
            return new Aside(there.cta(), aside, clock, clock);
        }
        return begin(completion, lane, thread, site);
    }

    private Aside begin(Completion completion, int lane, int thread, Site site) {
        int clock = shadow.order().async().begin(lane);
        int group = operations.began(completion, thread, site, clock);
        return new Aside(shadow.order().cta(), shadow.order().asyncThread(lane), clock, group);
    }

    private boolean checks(RuleGroup group) {
        return cta.grid().checks(group);
    }

    // Writes.

    private void write(AsyncOperation operation, Region region) {
        Cta owner = cta.cluster().cta(region.rank());
        SharedShadow there = owner.shadow();
        if (there == null || region.bytes() == 0) {
            return;
        }
        if (checks(RuleGroup.ASYNC)) {
            int by = operation.thread();
            sanitizer.warp(by / 32).accesses().requireAlive(operation.site(), owner, 1 << by % 32);
            OverwrittenBarriers.tell(cta, operation, owner, region);
        }
        if (owner.looksAtOrder()) {
            boolean isInOrder;
            if (owner.rank() == cta.rank()) {
                isInOrder = isFree(operation, region);
                isInOrder &= !cluster.tellsOfOutside(operation, region, operation.thread(), true);
            } else {
                isInOrder = !cluster.tellsOfWrites(operation, region, owner, there);
            }
            if (isInOrder) {
                targets.require(operation, region, owner);
            }
        }
        if (operation.reduced() > 0
                && owner.rank() != cta.rank()
                && operation.completion() instanceof Completion.Transaction transaction) {
            cluster.reduced(operation, region, owner, there, transaction);
            return;
        }
        int lane = operations.lane(operation.completion(), operation.thread());
        int clock = there.order().async().begin(lane);
        int thread = there.order().asyncThread(lane);
        if (owner.rank() != cta.rank()) {
            cluster.begun(operation, there, new Aside(there.order().cta(), thread, clock, clock));
        } else if (operation.completion() instanceof Completion.Transaction) {
            writes.began(operation, thread, clock);
        }
        int from = (int) region.offset();
        there.wroteAside(
                from,
                (int) region.bytes(),
                Stamp.of(
                        clock,
                        operation.site().number(),
                        ClusterAsyncChecks.kind(operation),
                        thread));
        if (operation.reduced() > 0) {
            cluster.noteReduced(operation, region, there, thread);
        } else {
            there.order().strong().shared().overwrite(from, from + region.bytes());
        }
    }

    /// Nobody else may use what is about to be written. Returns whether nobody does.
    private boolean isFree(AsyncOperation operation, Region region) {
        int end = (int) (region.offset() + region.bytes());
        long now = stamp(operation, operation.thread());
        if (cluster.isFree(operation, (int) region.offset(), end, shadow, operation.thread())) {
            return true;
        }
        for (int at = (int) region.offset(), extent; at < end; at += extent) {
            extent = shadow.extent(at, end);
            requireCopied(operation, at, Rule.CP_ASYNC_WRITE_BEFORE_WAIT);
            AsyncReads.Entry reader =
                    shadow.asyncReads().racing(at, at + extent, operation.thread());
            if (reader != null) {
                tell(faults.overwrites(operation, at, reader.thread(), reader.site(), "read"));
                return false;
            }
            long write = shadow.racingWrite(at, now);
            if (write != Stamp.NOBODY && !cluster.isSame(operation, at, cta, write)) {
                tell(
                        faults.overwrites(
                                operation, at, Stamp.thread(write), Stamp.site(write), "written"));
                return false;
            }
            int place = at;
            long read = shadow.racingRead(at, now, other -> isUsed(operation, place, other));
            if (read != Stamp.NOBODY) {
                tell(
                        faults.overwrites(
                                operation, at, Stamp.thread(read), Stamp.site(read), "read"));
                return false;
            }
        }
        return true;
    }

    private void tell(KernelFault fault) {
        cta.warps()[0].faults().tell(fault);
    }

    private boolean isUsed(AsyncOperation operation, int at, long read) {
        int thread = Stamp.thread(read);
        Definedness reader =
                !fenced.isAsync(thread) ? sanitizer.warp(thread / 32).definedness() : null;
        return reader == null
                || reader.isUsed(
                        Stamp.site(read),
                        Stamp.clock(read),
                        thread % 32,
                        () -> faults.overwrites(operation, at, thread, Stamp.site(read), "read"));
    }

    private long stamp(AsyncOperation operation, int thread) {
        return shadow.stamp(
                        thread / 32, operation.site().number(), ClusterAsyncChecks.kind(operation))
                + thread % 32;
    }

    /// A `cp.async` into a byte must have been waited for.
    private void requireCopied(AsyncOperation operation, int at, Rule rule) {
        int copier = shadow.copies().copier(at);
        if (copier < 0) {
            return;
        }
        int part = shadow.copies().part(at);
        AsyncGroups groups = cta.groups(copier);
        boolean isOver = groups.isOver(copier % 32, part);
        if (!isOver && checks(RuleGroup.ASYNC)) {
            tell(faults.underWay(rule, operation, at, copier, shadow.copies().site(at)));
        }
        shadow.copies().end(at, isOver ? groups.overAt(copier % 32, part) : 0);
    }

    // Reads.

    private void read(AsyncOperation operation) {
        if (operation.reads().isEmpty()) {
            return;
        }
        OverwrittenBarriers.tellRead(cta, operation);
        for (Footprint footprint : operation.reads()) {
            for (Footprint.Part part : footprint.parts()) {
                read(operation, part);
            }
        }
        Aside aside = begin(operation);
        int site = operation.site().number();
        for (Footprint footprint : operation.reads()) {
            shadow.asyncReads()
                    .add(
                            new AsyncReads.Entry(
                                    footprint.bytes(), aside.thread(), aside.clock(), site));
        }
    }

    /// What stands for an operation that reads, until it was waited for.
    private Aside begin(AsyncOperation operation) {
        Completion completion = operation.completion();
        if (completion instanceof Completion.Transaction elsewhere
                && elsewhere.rank() != cta.rank()) {
            Aside aside = cluster.begin(elsewhere);
            sources.began(operation, aside.thread(), aside.clock());
            return aside;
        }
        int thread = operation.thread();
        return begin(completion, operations.lane(completion, thread), thread, operation.site());
    }

    private void read(AsyncOperation operation, Footprint.Part part) {
        boolean isAlone = shadow.outside().isEmpty();
        int[] readers = threads(operation, part.warp());
        WholeRegions whole = shadow.wholeRegions();
        ByteRanges bytes = part.bytes();
        int end = bytes.to(bytes.count() - 1);
        if (isAlone && fenced.mayRead(bytes.from(), end, shadow.onlyWrite(bytes.from()), readers)) {
            return;
        }
        long judged = Stamp.NOBODY;
        // Behind the bytes that the write judged last wrote, with those between rows.
        int reach = 0;
        for (int i = 0; i < bytes.count(); i++) {
            if (bytes.to(i) > reach) {
                judged = read(operation, bytes.from(i), bytes.to(i), readers, judged);
                reach = isAlone ? whole.endOf(judged, bytes.from(i), end) : reach;
            }
        }
    }

    /// Looks at bytes. Those that one weak write wrote are judged alike, once.
    ///
    /// @param before a weak write that is in order with what was read, and fenced; or nobody's
    /// @return such a write
    private long read(AsyncOperation operation, int from, int end, int[] readers, long before) {
        long judged = before;
        boolean told = false;
        for (int at = from, extent; at < end; at += extent) {
            extent = shadow.span(at, end);
            requireCopied(operation, at, Rule.CP_ASYNC_READ_BEFORE_WAIT);
            long last = shadow.onlyWrite(at);
            if (last == Stamp.NOBODY) {
                requireWritten(operation, at);
            }
            boolean isJudged =
                    last == judged && Stamp.kind(last) == Stamp.WEAK
                            || fenced.isOverAside(last, readers);
            boolean isByLanes = !told && !isJudged && fenced.mayRead(last, readers);
            if (!told && !isJudged && !isByLanes) {
                for (int i = 0; i < readers.length && !told; i++) {
                    told = tellsOfWrite(operation, at, readers[i]);
                }
            }
            judged = isByLanes ? judged : last;
            extent = extent > 1 ? shadow.wholeRegions().alike(at, end, isByLanes) : extent;
        }
        if (shadow.outside().isEmpty()) {
            return told ? Stamp.NOBODY : judged;
        }
        Region region = new Region(Space.SHARED, cta.rank(), from, end - from);
        for (int i = 0; i < readers.length && !told && cta.looksAtOrder(); i++) {
            told = cluster.tellsOfOutside(operation, region, readers[i], false);
        }
        return told ? Stamp.NOBODY : judged;
    }

    /// A product uses what it reads: where values are followed, they go on into its results. Copies
    /// were asked about as they moved their bytes.
    private void requireWritten(AsyncOperation operation, int at) {
        int thread = operation.thread();
        if (operation.completion() instanceof Completion.WgmmaGroup
                && sanitizer.warp(thread / 32).definedness() == null
                && checks(RuleGroup.DEFINEDNESS)) {
            Site site = operation.site();
            cta.warps()[thread / 32]
                    .faults()
                    .tell(
                            Rule.UNINITIALIZED_READ,
                            site,
                            null,
                            () -> faults.unwritten(site, thread, at));
        }
    }

    /// The threads in whose place in the order of events an operation touches these bytes: the one
    /// that began it, or the first of each warp of a warpgroup whose part of a product does.
    private static int[] threads(AsyncOperation operation, int warp) {
        int first = operation.thread();
        if (!(operation.completion() instanceof Completion.WgmmaGroup)) {
            return new int[] {first};
        }
        return warp == Footprint.Part.ALL
                ? new int[] {first, first + 32, first + 64, first + 96}
                : new int[] {first + 32 * warp};
    }

    /// What is read must be in order, and fenced. Returns whether it is not.
    ///
    /// @param reader the thread that the operation reads it for
    private boolean tellsOfWrite(AsyncOperation operation, int at, int reader) {
        // Weak, that of a reduction as well: its elements are strong where it writes.
        long now = shadow.stamp(reader / 32, operation.site().number()) + reader % 32;
        long write = shadow.racingWriteForRead(at, now);
        if (write != Stamp.NOBODY && cta.looksAtOrder()) {
            tell(faults.unordered(operation, at, reader, write));
            return true;
        }
        long unfenced =
                cluster.unfencedWrite(
                        shadow, fenced::needsFence, at, reader, cluster.fencesBefore(reader, cta));
        if (unfenced != Stamp.NOBODY && cta.looksAtOrder()) {
            tell(faults.unfenced(operation, at, reader, unfenced, null));
        }
        return unfenced != Stamp.NOBODY;
    }

    /// A thread, or a warp, has waited for its groups up to this one.
    void waited(int thread, Completion retired) {
        int clock = operations.waited(retired, thread);
        int lane = operations.lane(retired, thread);
        if (retired instanceof Completion.WgmmaGroup group) {
            sanitizer.warp(thread / 32).registersInFlight().waited(group.group());
        }
        if (clock > 0) {
            int threads = retired instanceof Completion.WgmmaGroup ? 32 : 1;
            shadow.order().learnAsync(thread, threads, lane, clock);
        }
    }

    /// All threads have ended.
    void ended() {
        if (checks(RuleGroup.ASYNC)) {
            UnawaitedReads.tell(cta, operations);
            UnawaitedReads.tell(cta, shadow.order(), sources);
            UnawaitedWrites.tell(cta, writes);
            OverwrittenBarriers.tell(cta, shadow);
        }
    }
}
