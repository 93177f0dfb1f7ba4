package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.Party;
import dev.heddle.vm.shadow.AsyncOrder;
import dev.heddle.vm.shadow.GlobalStamp;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Warp;

import java.util.ArrayList;
import java.util.List;

/// Says what races in global memory, and who else has a part in it.
record GlobalFaults(Warp warp, SymbolNames names, GlobalStamp stamps) {
    /// An access of a lane.
    ///
    /// @param at the offset of its first byte
    /// @param bytes of the lane
    record Look(Site site, Access access, AccessKind kind, int lane, long at, int bytes) {}

    /// Whether a stamp is of an asynchronous operation.
    boolean isAside(long stamp) {
        return GlobalStamp.thread(stamp) >= 32 * warp.cta().warps().length;
    }

    /// Whether the warp's own lanes made an access, by this instruction and at this time.
    boolean isNow(Site site, long other) {
        return GlobalStamp.thread(other) / 32 == warp.index()
                && stamps.clock(other) == warp.clock()
                && stamps.site(other) == site.number();
    }

    Party party(long other) {
        return warp.faults().party(stamps, other);
    }

    /// A race with an access before.
    ///
    /// @param other its stamp
    KernelFault race(Look look, long other, boolean wrote) {
        Party own = warp.faults().party(warp.thread(look.lane), Stamp.NO_SITE);
        long address = look.at + Addresses.GLOBAL;
        List<Finding.Note> relaxed =
                new RelaxedSides(warp)
                        .between(
                                look.lane,
                                stamps.cta(other),
                                GlobalStamp.thread(other),
                                stamps.clock(other));
        List<Finding.Note> notes = new ArrayList<>(relaxed);
        notes.add(note(other, wrote));
        return warp.faults()
                .undefined(
                        Rule.DATA_RACE,
                        look.site,
                        1 << look.lane,
                        "%s global address 0x%x%s by %s races with %s"
                                .formatted(
                                        AccessFaults.words(look.site, look.kind, look.bytes),
                                        address,
                                        names.inVariable(
                                                Space.GLOBAL,
                                                address,
                                                look.bytes,
                                                look.access.bytes()),
                                        own.name(),
                                        isAside(other)
                                                ? operation(other, wrote)
                                                : party(other).name()
                                                        + ": "
                                                        + why(look, other, relaxed)),
                        notes.toArray(Finding.Note[]::new));
    }

    /// A bulk operation accesses what was written through another proxy.
    ///
    /// @param write the stamp of that
    KernelFault unfenced(Look look, long write) {
        Party writer = party(write);
        long address = look.at + Addresses.GLOBAL;
        return warp.faults()
                .undefined(
                        Rule.MISSING_PROXY_FENCE,
                        look.site,
                        1 << look.lane,
                        "%s %s global address 0x%x%s through the async proxy, which %s has written through the generic proxy, with no fence.proxy.async between"
                                .formatted(
                                        look.site.mnemonic(),
                                        look.kind == AccessKind.LOAD ? "reads" : "writes",
                                        address,
                                        names.inVariable(Space.GLOBAL, address, look.bytes),
                                        writer.name()),
                        writer.note("written"));
    }

    private String operation(long other, boolean wrote) {
        if (AsyncOrder.readsMaps(GlobalStamp.thread(other) - 32 * warp.cta().warps().length)) {
            return "a tensor copy whose tensor map is there: no wait for its mbarrier or its bulk"
                    + " group comes before";
        }
        return wrote
                ? "a bulk operation that writes there: no wait for its group"
                        + " (cp.async.bulk.wait_group without .read) comes before"
                : "a bulk operation that reads it: no wait for its mbarrier comes before";
    }

    private Finding.Note note(long other, boolean wrote) {
        Party party = party(other);
        return isAside(other)
                ? new Finding.Note(
                        party.site(),
                        "begun here" + (party.cta() == null ? "" : " in " + party.cta()))
                : party.note(wrote ? "written" : "read");
    }

    private String why(Look look, long other, List<Finding.Note> relaxed) {
        if (look.kind.writes() && GlobalStamp.isCopied(other)) {
            return "no wait for its cp.async, which reads there until then, comes before";
        }
        if (stamps.cta(other) == warp.cta().index()) {
            return RelaxedSides.missing(relaxed, isNow(look.site, other));
        }
        int own = GlobalStamp.kindOf(look.access.isStrong(), look.access.scope());
        return Math.min(GlobalStamp.kind(other), own) == GlobalStamp.kindOf(true, Scope.CTA)
                ? "one of them has .cta scope, and the other is of another CTA"
                : "nothing orders the one before the other";
    }
}
