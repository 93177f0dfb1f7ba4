package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.ptx.instruction.InstructionKind.Memory;
import dev.heddle.ptx.instruction.InstructionKind.Proxy;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.Party;
import dev.heddle.vm.shadow.Aside;
import dev.heddle.vm.shadow.AsyncOperation;
import dev.heddle.vm.shadow.AsyncOperation.Completion;
import dev.heddle.vm.shadow.AsyncOperation.Region;
import dev.heddle.vm.shadow.AsyncOrder;
import dev.heddle.vm.shadow.AsyncReads;
import dev.heddle.vm.shadow.ClusterAccesses;
import dev.heddle.vm.shadow.CtaStarts;
import dev.heddle.vm.shadow.FencesBefore;
import dev.heddle.vm.shadow.HappensBefore;
import dev.heddle.vm.shadow.SharedElement;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.FindingFactory;
import dev.heddle.vm.state.Warp;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/// Looks for races between CTAs of a cluster where asynchronous operations take part: what
/// `st.async`, `red.async` and multicast copies write in another CTA against what its threads did,
/// and what operations of a CTA touch in its own memory against what others did there.
record ClusterAsyncChecks(Cta cta, SharedShadow shadow, Sanitizer sanitizer, AsyncFaults faults) {
    private static final int WORD = Integer.BYTES;

    ClusterAsyncChecks(Cta cta, SharedShadow shadow, Sanitizer sanitizer) {
        this(cta, shadow, sanitizer, new AsyncFaults(cta));
    }

    /// Whether an operation is an `st.async` that stores what a weak write has stored: that is
    /// noted.
    ///
    /// @param write the stamp of the other
    boolean isSame(AsyncOperation operation, int at, Cta owner, long write) {
        boolean isWeak = Stamp.kind(write) == Stamp.WEAK;
        return isWeak
                && isSame(
                        operation, at, (int) owner.index(), Stamp.thread(write), Stamp.site(write));
    }

    private boolean isSame(AsyncOperation operation, int at, int other, int thread, int site) {
        WarpChecks own = sanitizer.warp(operation.thread() / 32);
        boolean isSame =
                operation.site().kind() == InstructionKind.ASYNC_STORE
                        && own.accesses().asides().isSame(operation.thread() % 32);
        if (isSame) {
            FindingFactory said = cta.warps()[operation.thread() / 32].faults();
            Party party = said.party(other, thread, site);
            said.warn(
                    Rule.SAME_VALUE_STORES,
                    operation.site(),
                    party.site(),
                    () -> faults.same(operation, at, party));
        }
        return isSame;
    }

    /// What races with an operation, and what it did.
    private record Other(int cta, int thread, int site, String done) {}

    /// Looks at an operation that writes memory of another CTA, which nobody may still use. Returns
    /// whether somebody does.
    boolean tellsOfWrites(AsyncOperation operation, Region region, Cta owner, SharedShadow there) {
        int from = (int) region.offset();
        int end = (int) (region.offset() + region.bytes());
        int thread = operation.thread();
        int place = (int) owner.index();
        AsyncReads.Entry reader = there.asyncReads().racing(from, end, shadow.order(), thread);
        if (reader != null) {
            int at = Math.max(from, reader.bytes().from());
            Other other = new Other(place, reader.thread(), reader.site(), "read");
            return tell(operation, thread, owner, at, "writes", other);
        }
        boolean isFree = isFree(operation, from, end, there, thread);
        if (!isFree) {
            ClusterAccesses outside = there.outside();
            for (SharedElement each : elements(operation, region, true)) {
                long read = outside.readRacingInside(each, shadow.order(), thread);
                long inside =
                        read == Stamp.NOBODY
                                ? outside.writeRacingInside(
                                        each, shadow.order(), thread, write -> true)
                                : read;
                boolean isRead = read != Stamp.NOBODY;
                if (inside != Stamp.NOBODY
                        && (isRead || !isSame(operation, each.at(), owner, inside))) {
                    String done = isRead ? "read" : "written";
                    Other other = new Other(place, Stamp.thread(inside), Stamp.site(inside), done);
                    return tell(operation, thread, owner, each.at(), "writes", other);
                }
            }
        }
        return tellsOfOutside(operation, region, owner, there, thread, true);
    }

    /// Whether at first sight the threads of a CTA use no bytes of it that an operation writes.
    boolean isFree(AsyncOperation operation, int from, int end, SharedShadow there, int thread) {
        HappensBefore order = shadow.order();
        return operation.reduced() == 0
                ? there.wholeRegions().isFree(from, end, order, thread)
                : there.wholeRegions().mayUpdate(from, end, kind(operation), order, thread);
    }

    /// The kind of what an operation writes. Reductions are relaxed, each element for itself (PTX
    /// ISA 9.7.9.25.4.2): those of elements of one size do not race with each other.
    static int kind(AsyncOperation operation) {
        int reduced = operation.reduced();
        return reduced > 0 ? Stamp.kindOf(reduced, Scope.CLUSTER) : Stamp.WEAK;
    }

    /// Looks at an operation of the CTA that touches bytes of its own memory, which no thread of
    /// another CTA may still use. Returns whether one does.
    ///
    /// @param thread that it touches them for
    boolean tellsOfOutside(AsyncOperation operation, Region region, int thread, boolean writes) {
        return tellsOfOutside(operation, region, cta, shadow, thread, writes);
    }

    private boolean tellsOfOutside(
            AsyncOperation operation,
            Region region,
            Cta owner,
            SharedShadow there,
            int thread,
            boolean writes) {
        ClusterAccesses outside = there.outside();
        if (outside.isEmpty()) {
            return false;
        }
        SharedElement all =
                new SharedElement((int) region.offset(), (int) region.bytes(), writes, Stamp.WEAK);
        // Weak accesses race where those of a kind may not: that says nothing of what is reduced.
        boolean isInOrder =
                writes && operation.reduced() > 0
                        ? outside.areStrongWith(all.at(), all.end(), kind(operation))
                        : outside.racing(all, shadow.order(), thread) == null;
        for (SharedElement each :
                isInOrder ? List.<SharedElement>of() : elements(operation, region, writes)) {
            ClusterAccesses.Entry entry =
                    outside.racing(
                            each,
                            shadow.order(),
                            thread,
                            other -> writes && isSame(operation, each.at(), other));
            if (entry != null) {
                String done = entry.what().write() ? "written" : "read";
                Other other = new Other(entry.cta(), entry.thread(), entry.site(), done);
                return tell(
                        operation, thread, owner, each.at(), writes ? "writes" : "reads", other);
            }
        }
        if (tellsOfFence(operation, all, owner, outside, thread)) {
            return true;
        }
        if (writes && operation.reduced() == 0) {
            outside.settle(all, shadow.order(), thread);
        }
        return false;
    }

    /// Looks whether a bulk operation touches what another CTA wrote through the generic proxy, and
    /// no proxy fence stands between (PTX ISA 9.7.9.25.2).
    private boolean tellsOfFence(
            AsyncOperation operation,
            SharedElement whole,
            Cta owner,
            ClusterAccesses outside,
            int thread) {
        InstructionKind kind = operation.site().kind();
        boolean isProduct = operation.completion() instanceof AsyncOperation.Completion.WgmmaGroup;
        if (kind.proxy() != Proxy.ASYNC
                || kind.memory() != Memory.COPIES && !isProduct
                || !cta.grid().checks(RuleGroup.ASYNC)) {
            return false;
        }
        ClusterAccesses.Entry unfenced =
                outside.writes()
                        .unfenced(
                                whole,
                                write -> FencedWrites.needsFence(cta.grid(), write),
                                shadow.order(),
                                thread,
                                fencesBefore(thread, owner));
        if (unfenced != null) {
            Party writer =
                    cta.warps()[operation.thread() / 32]
                            .faults()
                            .party(unfenced.cta(), unfenced.thread(), unfenced.site());
            int at = Math.max(whole.at(), unfenced.what().at());
            cta.warps()[0]
                    .faults()
                    .tell(faults.unfenced(operation, at, thread, writer, whole.write()));
        }
        return unfenced != null;
    }

    /// A write by threads of the CTA that has the memory which an operation of this CTA touches,
    /// with no proxy fence between; or NOBODY.
    ///
    /// @param wanted which writes are asked for
    long unfencedWrite(
            SharedShadow there, LongPredicate wanted, int at, int thread, FencesBefore fences) {
        return there.unfencedWrite(at, wanted, shadow.order(), thread, fences);
    }

    /// Proxy fences for the memory of some CTA that come before what a thread of this CTA does.
    FencesBefore fencesBefore(int thread, Cta owner) {
        return new ClusterFences(cta, shadow.order(), thread, owner);
    }

    private boolean isSame(AsyncOperation operation, int at, ClusterAccesses.Entry other) {
        return other.what().write()
                && other.what().kind() == Stamp.WEAK
                && isSame(operation, at, other.cta(), other.thread(), other.site());
    }

    /// An operation writes the memory of another CTA, which must stay until it is over.
    void begun(AsyncOperation operation, SharedShadow there, Aside aside) {
        int site = operation.site().number();
        CtaStarts.told(there.order());
        there.outside()
                .begun(
                        new ClusterAccesses.Accessor(
                                shadow.order().cta(), operation.thread(), site),
                        aside);
    }

    /// A reduction in the memory of another CTA was made: a thread of this CTA stands for it, as
    /// its scope is that of who began it.
    void reduced(
            AsyncOperation operation,
            Region region,
            Cta owner,
            SharedShadow there,
            Completion.Transaction transaction) {
        int site = operation.site().number();
        Aside standIn = begin(transaction);
        int aside = standIn.thread();
        begun(operation, there, standIn);
        int kind = kind(operation);
        int bytes = operation.reduced();
        for (long at = region.offset(); at < region.offset() + region.bytes(); at += bytes) {
            SharedElement each = new SharedElement((int) at, bytes, true, kind);
            there.outside().add(each, shadow.order(), aside, site);
            there.outside().wrote(each);
        }
        noteReduced(operation, region, there, aside);
    }

    /// A thread of this CTA stands for an operation that an mbarrier of another CTA counts, and is
    /// handed over to who waits for the phase.
    Aside begin(Completion.Transaction transaction) {
        int distance = Math.floorMod(transaction.rank() - cta.rank(), cta.cluster().size());
        int lane = AsyncOrder.lane(transaction, distance);
        int clock = shadow.order().async().begin(lane);
        int thread = shadow.order().asyncThread(lane);
        SharedShadow counting = cta.cluster().cta(transaction.rank()).shadow();
        if (counting != null) {
            shadow.order()
                    .strong()
                    .phases()
                    .arriveAside(counting.order().strong().shared(), transaction.offset(), thread);
        }
        return new Aside(shadow.order().cta(), thread, clock, clock);
    }

    /// Each element of a reduction may be observed, and observes what was there.
    ///
    /// @param aside the thread of this CTA that stands for it
    void noteReduced(AsyncOperation operation, Region region, SharedShadow there, int aside) {
        int thread = operation.thread();
        shadow.order()
                .strong()
                .reduce(
                        there.order().strong().shared(),
                        region.offset(),
                        operation.reduced(),
                        region.offset() + region.bytes(),
                        thread / 32,
                        1 << thread % 32,
                        aside,
                        Scope.CLUSTER);
        shadow.order().tick(thread / 32);
    }

    /// The elements of a reduction are relaxed operations for the cluster, each of its own (PTX ISA
    /// 9.7.13.7).
    private static List<SharedElement> elements(
            AsyncOperation operation, Region region, boolean writes) {
        int bytes = operation.reduced() > 0 ? operation.reduced() : WORD;
        boolean isStrong = writes && operation.reduced() > 0;
        int kind = isStrong ? Stamp.kindOf(bytes, Scope.CLUSTER) : Stamp.WEAK;
        List<SharedElement> all = new ArrayList<>();
        long end = region.offset() + region.bytes();
        for (long at = region.offset(); at < end; at += bytes) {
            all.add(new SharedElement((int) at, bytes, writes, kind));
        }
        return all;
    }

    /// Tells of a race.
    private boolean tell(
            AsyncOperation operation, int thread, Cta owner, int at, String touches, Other other) {
        Warp warp = cta.warps()[thread / 32];
        Party party = warp.faults().party(other.cta, other.thread, other.site);
        boolean isAsync = other.thread >= shadow.order().asyncThread(0);
        SymbolNames names = new SymbolNames(warp);
        boolean isWhole = operation.completion() instanceof AsyncOperation.Completion.WgmmaGroup;
        KernelFault fault =
                warp.faults()
                        .undefined(
                                Rule.DATA_RACE,
                                operation.site(),
                                isWhole ? -1 : 1 << thread % 32,
                                "%s %s shared address 0x%x%s%s, which %s has %s: nothing orders that before"
                                        .formatted(
                                                operation.site().mnemonic(),
                                                touches,
                                                at,
                                                names.inVariable(Space.SHARED, at, 0),
                                                names.ofOther(owner),
                                                isAsync ? "another asynchronous operation" : party,
                                                other.done),
                                isAsync
                                        ? new Finding.Note(party.site(), other.done + " here")
                                        : party.note(other.done));
        cta.warps()[0].faults().tell(fault);
        return true;
    }
}
