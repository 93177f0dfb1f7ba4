package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.Party;
import dev.heddle.vm.shadow.AsyncReads;
import dev.heddle.vm.shadow.ClusterAccesses;
import dev.heddle.vm.shadow.HappensBefore;
import dev.heddle.vm.shadow.Locations;
import dev.heddle.vm.shadow.SharedElement;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.shadow.StrongAccesses;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Supplier;

/// Looks for races between CTAs of a cluster in the shared memory of one of them (PTX ISA 8.7.1).
record ClusterChecks(Warp warp, SharedFaults faults, @Nullable Definedness definedness) {
    /// @param owner the CTA that has the memory
    void remote(RemoteAccess remote, Cta owner, int lanes) {
        SharedShadow own = warp.cta().shadow();
        SharedShadow there = owner.shadow();
        if (own == null || there == null || !warp.cta().grid().looksAtOrder()) {
            return;
        }
        HappensBefore order = own.order();
        int rest = keepInOrder(remote, order, there, lanes);
        while (rest != 0) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int at = remote.offset(lane);
            for (int i = at; i < at + remote.bytes(); i += remote.access().bytes()) {
                element(remote, owner, order, there, i, lane);
            }
            rest = keepInOrder(remote, order, there, rest & rest - 1);
        }
    }

    /// Keeps lanes' accesses up to the first that needs a closer look. Returns the lanes that are
    /// left.
    private int keepInOrder(
            RemoteAccess remote, HappensBefore order, SharedShadow there, int lanes) {
        if (lanes == 0 || remote.access().isStrong() && !remote.isRelaxedUpdate()) {
            return lanes;
        }
        int left = there.outside().addInOrder(remote.elements(warp.index()), order, lanes);
        for (int rest = remote.access().isStrong() ? lanes & ~left : 0;
                rest != 0;
                rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            noteRead(remote, remote.offset(lane), order, there, lane);
            noteWrite(remote, remote.offset(lane), order, there, lane);
        }
        return left;
    }

    private void keep(
            RemoteAccess remote,
            SharedElement element,
            HappensBefore order,
            SharedShadow there,
            int lane) {
        there.outside().add(element, order, warp.thread(lane), remote.site().number());
        if (element.write()) {
            there.outside().wrote(element);
        }
    }

    /// Operations on an mbarrier object of another CTA, which must have been made.
    void object(Site site, Access access, Cta owner, long[] offsets, int lanes) {
        SharedShadow own = warp.cta().shadow();
        SharedShadow there = owner.shadow();
        if (own == null || there == null || !owner.looksAtOrder()) {
            return;
        }
        RemoteAccess remote =
                RemoteAccess.of(site, access, AccessKind.LOAD, offsets, access.bytes());
        boolean knowSame = own.order().knowSame(warp.index());
        long last = -1;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int at = (int) offsets[lane];
            if (knowSame && at == last) {
                continue;
            }
            if (isMadeBefore(own, there, at, lane)) {
                last = at;
            } else {
                look(remote, owner, element(access, at, false), own.order(), there, lane);
            }
        }
    }

    /// Whether at first sight an object was made before what a lane does, and no other CTA has
    /// accessed its memory otherwise.
    private boolean isMadeBefore(SharedShadow own, SharedShadow there, int at, int lane) {
        HappensBefore order = own.order();
        return there.outside().isAlone(at)
                && there.wholeRegions()
                        .areWrittenBefore(at, at + Long.BYTES, order, warp.thread(lane));
    }

    private void element(
            RemoteAccess remote,
            Cta owner,
            HappensBefore order,
            SharedShadow there,
            int at,
            int lane) {
        SharedElement element = element(remote, at);
        noteRead(remote, at, order, there, lane);
        if (remote.kind() != AccessKind.ATOMIC
                || !there.outside().mayUpdate(element, order, warp.thread(lane))) {
            look(remote, owner, element, order, there, lane);
        }
        keep(remote, element, order, there, lane);
        noteWrite(remote, at, order, there, lane);
    }

    /// What a strong access reads, before it is looked at.
    private void noteRead(
            RemoteAccess remote, int at, HappensBefore order, SharedShadow there, int lane) {
        Access access = remote.access();
        StrongAccesses strong = order.strong();
        int thread = warp.thread(lane);
        Locations words = there.order().strong().shared();
        if (!access.isStrong() || !remote.kind().reads()) {
            return;
        }
        if (remote.kind().writes()) {
            strong.readToUpdate(
                    words,
                    at,
                    access.bytes(),
                    thread,
                    access.order(),
                    access.scope(),
                    remote.acquires());
        } else {
            strong.read(words, at, access.bytes(), thread, access.order(), access.scope());
        }
    }

    /// What it writes, after it was looked at.
    private void noteWrite(
            RemoteAccess remote, int at, HappensBefore order, SharedShadow there, int lane) {
        Access access = remote.access();
        if (access.isStrong() && remote.kind().writes()) {
            StrongAccesses.Element note =
                    remote.kind().reads() ? StrongAccesses::update : StrongAccesses::write;
            note.note(
                    order.strong(),
                    there.order().strong().shared(),
                    at,
                    access.bytes(),
                    warp.thread(lane),
                    access.order(),
                    access.scope());
        }
    }

    private static SharedElement element(RemoteAccess remote, int at) {
        return element(remote.access(), at, remote.kind().writes());
    }

    private static SharedElement element(Access access, int at, boolean writes) {
        return new SharedElement(at, access.bytes(), writes, RemoteAccess.stampKind(access));
    }

    private void look(
            RemoteAccess remote,
            Cta owner,
            SharedElement element,
            HappensBefore order,
            SharedShadow there,
            int lane) {
        Other other =
                owner.looksAtOrder() ? racing(remote, owner, element, order, there, lane) : null;
        if (other != null) {
            Words words =
                    new Words(remote.kind(), remote.bytes(), lane, faults.names().ofOther(owner));
            int from = remote.offset(lane);
            Supplier<KernelFault> fault = () -> race(remote.site(), from, words, other);
            follow(remote.site(), remote.access(), element, from, lane, other.party, fault);
        }
    }

    /// What an access from outside races with, or null.
    private @Nullable Other racing(
            RemoteAccess remote,
            Cta owner,
            SharedElement element,
            HappensBefore order,
            SharedShadow there,
            int lane) {
        int thread = warp.thread(lane);
        ClusterAccesses outside = there.outside();
        // Stores of one value are a note; a store of what is there still races with a read.
        long inside = outside.readRacingInside(element, order, thread);
        if (inside == Stamp.NOBODY) {
            inside =
                    outside.writeRacingInside(
                            element,
                            order,
                            thread,
                            write ->
                                    Stamp.kind(write) != Stamp.WEAK
                                            || !isSame(remote, owner, element, lane, null));
        }
        if (inside != Stamp.NOBODY) {
            return other(owner, Stamp.thread(inside), Stamp.clock(inside), Stamp.site(inside));
        }
        int end = element.end();
        AsyncReads.Entry reader =
                element.write()
                        ? there.asyncReads().racing(element.at(), end, order, thread)
                        : null;
        if (reader != null) {
            return other(owner, reader.thread(), reader.clock(), reader.site());
        }
        ClusterAccesses.Entry entry =
                outside.racing(
                        element,
                        order,
                        thread,
                        each -> isWeakStore(each) && isSame(remote, owner, element, lane, each));
        return entry == null ? null : other(entry);
    }

    private Other other(ClusterAccesses.Entry entry) {
        boolean isAsync = entry.thread() >= 32 * warp.cta().warps().length;
        Party party = faults.party(entry.cta(), entry.thread(), entry.site());
        return new Other(party, isAsync, entry.cta(), entry.clock());
    }

    private Other other(Cta owner, int thread, int clock, int site) {
        boolean isAsync = thread >= 32 * owner.warps().length;
        int cta = (int) owner.index();
        return new Other(faults.party(cta, thread, site), isAsync, cta, clock);
    }

    /// The other side of a race: a thread, or an asynchronous operation.
    ///
    /// @param cta its index
    /// @param clock when it accessed the place
    private record Other(Party party, boolean isAsync, int cta, int clock) {
        String name() {
            return isAsync ? "an asynchronous operation" : party.name();
        }

        Finding.Note note() {
            return isAsync ? new Finding.Note(party.site(), "begun here") : party.note();
        }
    }

    private static boolean isWeakStore(ClusterAccesses.Entry entry) {
        return entry.what().write() && entry.what().kind() == Stamp.WEAK;
    }

    /// Whether a store stores what is there, or what a lane before it in its instruction stores.
    private boolean isSame(
            RemoteAccess remote,
            Cta owner,
            SharedElement element,
            int lane,
            ClusterAccesses.@Nullable Entry entry) {
        Stored stored = remote.stored();
        if (stored == null || remote.access().isStrong()) {
            return false;
        }
        int index = (element.at() - remote.offset(lane)) / remote.access().bytes();
        long own = stored.element(lane, index);
        int other = entry == null ? -1 : entry.thread() - warp.thread(0);
        boolean isTogether =
                entry != null
                        && other >= 0
                        && other < lane
                        && entry.site() == remote.site().number()
                        && entry.what().at() == element.at();
        for (int i = 0; i < element.bytes(); i++) {
            long before =
                    isTogether
                            ? stored.element(
                                            other,
                                            (element.at() - remote.offset(other))
                                                    / remote.access().bytes())
                                    >>> 8 * i
                            : owner.shared().get(ValueLayout.JAVA_BYTE, element.at() + i);
            if ((byte) before != (byte) (own >>> 8 * i)) {
                return false;
            }
        }
        return true;
    }

    /// An access of the CTA itself, as it meets those from outside, before it is made. Returns
    /// whether it is in order with them.
    ///
    /// @param equality whether a store stores what is there; null for a load
    boolean inside(SharedShadow shadow, SharedAccess look, @Nullable StoredEquality equality) {
        ClusterAccesses outside = shadow.outside();
        if (outside.isEmpty() || !warp.cta().looksAtOrder()) {
            return true;
        }
        boolean isStore = equality != null;
        boolean isOrdered = true;
        int thread = warp.thread(look.lane());
        for (int at = look.at(); at < look.end(); at += look.access().bytes()) {
            SharedElement element = element(look.access(), at, isStore);
            ClusterAccesses.Entry entry = outside.racing(element, shadow.order(), thread);
            if (entry != null) {
                isOrdered = false;
                if (equality != null && equality.holdsBefore(look, at, look.access().bytes())) {
                    entry =
                            outside.racing(
                                    element, shadow.order(), thread, ClusterChecks::isWeakStore);
                }
                if (entry != null) {
                    Words words = new Words(look.kind(), look.bytes(), look.lane(), "");
                    Other other = other(entry);
                    Supplier<KernelFault> fault = () -> race(look.site(), look.at(), words, other);
                    follow(
                            look.site(),
                            look.access(),
                            element,
                            look.at(),
                            look.lane(),
                            other.party,
                            fault);
                }
            } else if (isStore) {
                outside.settle(element, shadow.order(), thread);
            }
        }
        return isOrdered;
    }

    /// A weak load that races takes bytes that nobody can know; else the race is told.
    private void follow(
            Site site,
            Access access,
            SharedElement element,
            int from,
            int lane,
            Party party,
            Supplier<KernelFault> fault) {
        Definedness follower = access.isStrong() || element.write() ? null : definedness;
        for (int i = element.at() - from; i < element.at() - from + element.bytes(); i++) {
            if (follower == null || !follower.takes(lane, i, fault)) {
                warp.faults().tell(Rule.DATA_RACE, site, party.site(), fault);
                return;
            }
        }
    }

    /// @param where whose memory it is
    private record Words(AccessKind kind, int bytes, int lane, String where) {}

    private KernelFault race(Site site, int at, Words words, Other other) {
        String own = warp.faults().party(warp.thread(words.lane), Stamp.NO_SITE).name();
        List<Finding.Note> notes =
                new RelaxedSides(warp)
                        .between(words.lane, other.cta, other.party.thread(), other.clock);
        notes.add(other.note());
        return warp.faults()
                .undefined(
                        Rule.DATA_RACE,
                        site,
                        1 << words.lane,
                        "%s by %s races with %s: nothing orders the one before the other"
                                .formatted(
                                        faults.words(
                                                site, words.kind, at, words.bytes, words.where),
                                        own,
                                        other.name()),
                        notes.toArray(Finding.Note[]::new));
    }
}
