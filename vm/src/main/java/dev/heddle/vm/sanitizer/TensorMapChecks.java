package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.memory.TensorMap;
import dev.heddle.vm.report.Party;
import dev.heddle.vm.shadow.Aside;
import dev.heddle.vm.shadow.AsyncOperation.Completion;
import dev.heddle.vm.shadow.GlobalShadow;
import dev.heddle.vm.shadow.GlobalStamp;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.TensorMapFences;
import dev.heddle.vm.shadow.TensorMapFences.Write;
import dev.heddle.vm.shadow.TensorMapReads;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.LaneAddresses.Location;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Looks at the tensor maps in global memory that a CTA's tensor copies use: what a launch changed
/// of one must be released and acquired for the tensor map proxy (PTX ISA 9.7.13.4).
public record TensorMapChecks(
        Cta cta, GlobalShadow shadow, TensorMapFences fences, TensorMapReads reads) {
    private static final String BEYOND = " of a scope with both CTAs";

    TensorMapChecks(Cta cta, GlobalShadow shadow, SharedShadow own) {
        this(cta, shadow, new TensorMapFences(own.order()), new TensorMapReads(own.order()));
    }

    /// Those of a CTA, or null where they are not asked for.
    static @Nullable TensorMapChecks of(Cta cta) {
        GlobalShadow shadow = cta.grid().shadow();
        SharedShadow own = cta.shadow();
        return shadow == null || own == null || !cta.grid().checks(RuleGroup.ASYNC)
                ? null
                : new TensorMapChecks(cta, shadow, own);
    }

    void clear() {
        fences.clear();
        reads.clear();
    }

    /// A tensor copy of a lane is about to read its map, until it has been waited for. Returns what
    /// stands for that.
    ///
    /// @param group the bulk group that the lane's copies are of now
    /// @param barriers that count its bytes, of each CTA that receives it, or null
    public Aside begin(
            Warp warp,
            int lane,
            Site site,
            Completion.BulkGroup group,
            List<? extends @Nullable Location> barriers) {
        Aside reader = reads.begin(site, warp.thread(lane), group);
        for (Location barrier : barriers) {
            SharedShadow counting = barrier == null ? null : barrier.owner().shadow();
            if (barrier != null && counting != null) {
                reads.arrive(reader, counting.order(), barrier.offset());
            }
        }
        return reader;
    }

    /// A thread has waited for its bulk groups up to this one.
    void waited(int thread, Completion.BulkGroup retired) {
        reads.waited(thread, retired);
    }

    /// `fence.proxy.tensormap::generic.release` of lanes.
    public void release(Warp warp, int lanes, Scope scope) {
        fences.release(warp.index(), lanes, scope);
    }

    /// `fence.proxy.tensormap::generic.acquire` of a lane.
    ///
    /// @param map the offset of the map in global memory
    public void acquire(Warp warp, int lane, long map, Scope scope) {
        fences.acquire(warp.thread(lane), map, scope);
    }

    /// `tensormap.cp_fenceproxy` of a lane.
    public void copy(Warp warp, int lane, Site site, long map, Scope scope) {
        fences.copy(warp.thread(lane), site.number(), map, scope);
    }

    /// A tensor copy of a lane is about to read its map.
    public void use(Warp warp, int lane, Site site, long map) {
        int user = warp.thread(lane);
        Write copied = fences.copied(map);
        if (copied != null) {
            if (!fences.isAcquired(map, copied, user)) {
                tell(warp, lane, site, map, party((int) cta.index(), copied, warp), "acquire");
            }
            return;
        }
        long before = GlobalStamp.NOBODY;
        for (long at = map; at < map + TensorMap.BYTES; at += Long.BYTES) {
            long stamp = shadow.writeOf(at, at + Long.BYTES);
            if (stamp != GlobalStamp.NOBODY && stamp != before && !isHandedOver(map, stamp, user)) {
                Party party = party(shadow.stamps().cta(stamp), write(stamp), warp);
                String fence = isAcquired(map, stamp, user) ? "release" : "acquire";
                boolean isOwn = isOwn(stamp);
                tell(warp, lane, site, map, party, fence + (isOwn ? "" : BEYOND));
                return;
            }
            before = stamp;
        }
    }

    private Write write(long stamp) {
        return new Write(
                GlobalStamp.thread(stamp),
                shadow.stamps().clock(stamp),
                shadow.stamps().site(stamp));
    }

    private boolean isHandedOver(long map, long stamp, int user) {
        return isOwn(stamp)
                ? isAcquired(map, stamp, user) && fences.isReleased(write(stamp), user)
                : fences.isHandedOver(shadow.stamps().cta(stamp), map, write(stamp), user);
    }

    private boolean isOwn(long stamp) {
        return shadow.stamps().cta(stamp) == cta.index();
    }

    /// Of a write by another CTA it is not known whether it comes before the fence.
    private boolean isAcquired(long map, long stamp, int user) {
        return isOwn(stamp)
                ? fences.isAcquired(map, write(stamp), user)
                : fences.isAcquiredFrom(shadow.stamps().cta(stamp), map, user);
    }

    private static Party party(int cta, Write write, Warp warp) {
        return warp.faults().party(cta, write.thread(), write.site());
    }

    private void tell(Warp warp, int lane, Site site, long map, Party party, String fence) {
        warp.faults()
                .tell(
                        Rule.MISSING_TENSOR_MAP_FENCE,
                        site,
                        party.site(),
                        () ->
                                warp.faults()
                                        .undefined(
                                                Rule.MISSING_TENSOR_MAP_FENCE,
                                                site,
                                                1 << lane,
                                                "%s uses the tensor map at global address 0x%x, which %s has written in the same launch, with no fence.proxy.tensormap::generic.%s between"
                                                        .formatted(
                                                                site.mnemonic(),
                                                                map + Addresses.GLOBAL,
                                                                party.name(),
                                                                fence),
                                                party.note("written")));
    }
}
