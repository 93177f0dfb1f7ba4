package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.Party;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.AsyncGroups;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Says what is wrong with an access to shared memory, and who else has a part in it.
record SharedFaults(Warp warp, SymbolNames names) {
    /// An instruction by its number in a stamp, or null.
    @Nullable Site known(int site) {
        return site == Stamp.NO_SITE ? null : warp.cta().grid().program().sites().get(site);
    }

    @Nullable Site site(long stamp) {
        return known(Stamp.site(stamp));
    }

    /// A thread of some CTA.
    Party party(int cta, int thread, int site) {
        return warp.faults().party(cta, thread, site);
    }

    /// What is at an address of shared memory, as array, index and element.
    String variable(int at, int bytes) {
        return names.inVariable(Space.SHARED, at, bytes, bytes);
    }

    /// An access, in words.
    ///
    /// @param where whose memory it is; nothing where it is that of the CTA itself
    String words(Site site, AccessKind kind, int at, int bytes, String where) {
        return "%s shared address 0x%x%s%s"
                .formatted(AccessFaults.words(site, kind, bytes), at, variable(at, bytes), where);
    }

    /// An access races with another one.
    ///
    /// @param done what the other did: `read` or `written`
    void tellRace(SharedAccess look, long other, String done) {
        warp.faults()
                .tell(racing(look, other), look.site(), site(other), () -> race(look, other, done));
    }

    /// The rule by which an access is in no order with another one.
    Rule racing(SharedAccess look, long other) {
        if (isHanded(other)) {
            return look.kind().writes()
                    ? Rule.CP_ASYNC_WRITE_BEFORE_WAIT
                    : Rule.CP_ASYNC_READ_BEFORE_WAIT;
        }
        return isAsync(other) ? beforeCompletion(look) : Rule.DATA_RACE;
    }

    /// Whether an access is a copy of `cp.async` that its thread handed to an mbarrier.
    private boolean isHanded(long stamp) {
        Site site = isAsync(stamp) ? site(stamp) : null;
        return site != null && site.kind() == InstructionKind.ASYNC_COPY;
    }

    private static Rule beforeCompletion(SharedAccess look) {
        return look.kind().writes()
                ? Rule.ASYNC_WRITE_BEFORE_COMPLETION
                : Rule.ASYNC_READ_BEFORE_COMPLETION;
    }

    KernelFault unwritten(SharedAccess look, int i) {
        return undefined(
                Rule.UNINITIALIZED_READ,
                look,
                "%s, of which nobody wrote byte %d".formatted(words(look), i - look.at()));
    }

    KernelFault underWay(SharedShadow shadow, SharedAccess look, int i, Rule rule) {
        int copier = shadow.copies().copier(i);
        int lane = copier % 32;
        AsyncGroups groups = warp.cta().groups(copier);
        Party by = warp.faults().party(copier, shadow.copies().site(i));
        return warp.faults()
                .undefined(
                        rule,
                        "9.7.9.25.3",
                        look.site(),
                        1 << look.lane(),
                        "%s, into which a cp.async of %s is still copying: that thread has not waited for it"
                                .formatted(words(look), by.name()),
                        new Finding.Note(
                                by.site(),
                                "copied here by %s, in its group %d of cp.async"
                                        .formatted(
                                                by, groups.group(lane, shadow.copies().part(i)))),
                        new Finding.Note(
                                null,
                                "%s has waited for %s"
                                        .formatted(by.name(), groups.describe(lane))));
    }

    private KernelFault handed(SharedAccess look, long copy) {
        return warp.faults()
                .undefined(
                        racing(look, copy),
                        "9.7.13.15.15",
                        look.site(),
                        1 << look.lane(),
                        ("%s, into which a cp.async is still copying: an mbarrier tracks it, and"
                                        + " %s has not waited for the phase")
                                .formatted(words(look), name(look)),
                        new Finding.Note(site(copy), "copied here"));
    }

    private String words(SharedAccess look) {
        return "%s shared address 0x%x%s"
                .formatted(
                        AccessFaults.words(look.site(), look.kind(), look.bytes()),
                        look.at(),
                        names.inVariable(
                                Space.SHARED, look.at(), look.bytes(), look.access().bytes()));
    }

    boolean isAsync(long stamp) {
        return Stamp.thread(stamp) >= 32 * warp.cta().warps().length;
    }

    KernelFault inUse(SharedAccess look, int site, String use) {
        return undefined(
                beforeCompletion(look),
                look,
                "%s by %s, which has not waited for an asynchronous operation that %ss it"
                        .formatted(words(look), name(look), use),
                new Finding.Note(warp.faults().party(0, site).site(), "begun here"));
    }

    private KernelFault undefined(
            Rule rule, SharedAccess look, String message, Finding.Note... notes) {
        return warp.faults().undefined(rule, look.site(), 1 << look.lane(), message, notes);
    }

    /// Lanes of one instruction store the same: that is what the guides allow.
    void noteSame(SharedAccess look, long write) {
        if (!isTogether(look, write)) {
            Rule rule = Rule.SAME_VALUE_STORES;
            warp.faults().warn(rule, look.site(), site(write), () -> same(look, write));
        }
    }

    /// Whether lanes of one warp made both accesses by one instruction: stamps differ in the lane.
    private static boolean isTogether(SharedAccess look, long other) {
        return (other ^ look.now()) >>> 5 == 0;
    }

    private KernelFault same(SharedAccess look, long write) {
        List<Finding.Note> relaxed = relaxed(look, write);
        return stored(
                Rule.SAME_VALUE_STORES,
                look,
                write,
                "%s by %s, the same value as %s stores: " + RelaxedSides.missing(relaxed, false),
                relaxed);
    }

    KernelFault unordered(SharedAccess look, long write) {
        return stored(
                Rule.UNORDERED_VOLATILE,
                look,
                write,
                "%s by %s of what %s has stored: lanes of a warp need not run in step, and no"
                        + " __syncwarp stands between them",
                List.of());
    }

    /// @param format of what the access is, and who it and the store are by
    private KernelFault stored(
            Rule rule, SharedAccess look, long write, String format, List<Finding.Note> relaxed) {
        Party party = warp.faults().party(Stamp.thread(write), Stamp.site(write));
        String message = format.formatted(words(look), name(look), party.name());
        List<Finding.Note> notes = new ArrayList<>(relaxed);
        notes.add(party.note("written"));
        return warp.faults()
                .fault(
                        rule,
                        look.site(),
                        1 << look.lane(),
                        message,
                        notes.toArray(Finding.Note[]::new));
    }

    /// What is there between an access and another one of the CTA, and orders nothing.
    private List<Finding.Note> relaxed(SharedAccess look, long other) {
        return new RelaxedSides(warp)
                .between(
                        look.lane(),
                        (int) warp.cta().index(),
                        Stamp.thread(other),
                        Stamp.clock(other));
    }

    KernelFault race(SharedAccess look, long other, String done) {
        if (isHanded(other)) {
            return handed(look, other);
        }
        if (isAsync(other)) {
            return inUse(look, Stamp.site(other), "write");
        }
        int thread = Stamp.thread(other);
        Party party = warp.faults().party(thread, Stamp.site(other));
        List<Finding.Note> relaxed = relaxed(look, other);
        List<Finding.Note> notes = new ArrayList<>(relaxed);
        notes.add(party.note(done));
        if (warp.cta().groups(thread).hasHanded(thread % 32)) {
            notes.add(
                    new Finding.Note(
                            null,
                            "cp.async.mbarrier.arrive arrives for copies alone: what else the"
                                    + " thread does takes an mbarrier.arrive of its own (PTX ISA"
                                    + " 8.9.1.1)"));
        }
        return undefined(
                Rule.DATA_RACE,
                look,
                "%s by %s races with %s: %s"
                        .formatted(
                                words(look),
                                name(look),
                                party.name(),
                                RelaxedSides.missing(relaxed, isTogether(look, other))),
                notes.toArray(Finding.Note[]::new));
    }

    private String name(SharedAccess look) {
        return warp.faults().party(warp.thread(look.lane()), Stamp.NO_SITE).name();
    }
}
