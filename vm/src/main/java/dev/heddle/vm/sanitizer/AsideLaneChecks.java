package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.shadow.Aside;
import dev.heddle.vm.shadow.AsyncOperation.Completion;
import dev.heddle.vm.shadow.AsyncOrder;
import dev.heddle.vm.shadow.BarrierLog;
import dev.heddle.vm.shadow.ClusterAccesses;
import dev.heddle.vm.shadow.HappensBefore;
import dev.heddle.vm.shadow.SharedElement;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Cta;

/// Looks at what lanes of a warp do by one `st.async` or `red.async` as at one operation, where it
/// is in order at first sight. What is not is looked at lane by lane.
///
/// Nothing comes between the lanes, and one mbarrier counts them all at once: who waits for one
/// has waited for all.
record AsideLaneChecks(
        Cta cta, SharedShadow shadow, Sanitizer sanitizer, ClusterAsyncChecks cluster) {
    /// Whether all are in order with what was done before, and with each other.
    boolean areInOrder(AsideLanes all) {
        SharedShadow there = all.owner().shadow();
        AsideStores places = places(all);
        return there != null
                && (all.owner().alive() > 0 || !isRemote(all))
                && areBesideBarriers(all, places)
                && (all.reduces() ? mayReduce(all, places, there) : mayStore(all, places, there));
    }

    private AsideStores places(AsideLanes all) {
        return sanitizer.warp(all.warp()).accesses().asides();
    }

    private boolean isRemote(AsideLanes all) {
        return all.owner().rank() != cta.rank();
    }

    private static boolean areBesideBarriers(AsideLanes all, AsideStores places) {
        BarrierLog log = all.owner().barrierLog();
        long from = Long.MAX_VALUE;
        long end = 0;
        for (int rest = all.lanes(); rest != 0; rest &= rest - 1) {
            long at = places.at(Integer.numberOfTrailingZeros(rest));
            from = Math.min(from, at);
            end = Math.max(end, at + all.bytes());
        }
        return log == null || log.inUse(from, end) < 0;
    }

    /// Elements of reductions by lanes are morally strong with each other.
    private boolean mayReduce(AsideLanes all, AsideStores places, SharedShadow there) {
        boolean knowSame = shadow.order().knowSame(all.warp());
        for (int rest = cta.grid().looksAtOrder() ? all.lanes() : 0; rest != 0; ) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int same = places.together(lane, rest);
            rest &= ~same;
            SharedElement element = element(all, places, lane);
            boolean mayReduce =
                    knowSame && there.outside().areStrongWith(element)
                            ? knowingSame(all, element, same, there)
                            : eachMayReduce(all, element, same, there);
            if (!mayReduce) {
                return false;
            }
        }
        return true;
    }

    /// Whether lanes that know the same may reduce to an element, where what other CTAs did is no
    /// matter. Whatever was done there, one of two lanes has not done it itself: where it is over
    /// for both, all know that.
    private boolean knowingSame(
            AsideLanes all, SharedElement element, int lanes, SharedShadow there) {
        return mayUpdate(all, element, Integer.numberOfTrailingZeros(lanes), there)
                && mayUpdate(all, element, 31 - Integer.numberOfLeadingZeros(lanes), there);
    }

    private boolean mayUpdate(AsideLanes all, SharedElement element, int lane, SharedShadow there) {
        int end = element.end();
        return there.wholeRegions()
                .mayUpdate(element.at(), end, element.kind(), shadow.order(), all.thread(lane));
    }

    private boolean eachMayReduce(
            AsideLanes all, SharedElement element, int lanes, SharedShadow there) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int thread = all.thread(Integer.numberOfTrailingZeros(rest));
            if (!there.outside().mayUpdate(element, shadow.order(), thread)) {
                return false;
            }
        }
        return true;
    }

    private static SharedElement element(AsideLanes all, AsideStores places, int lane) {
        int kind = all.reduces() ? Stamp.kindOf(all.bytes(), Scope.CLUSTER) : Stamp.WEAK;
        return new SharedElement((int) places.at(lane), all.bytes(), true, kind);
    }

    /// Bytes one behind the other, in another CTA, that threads which know the same store: what
    /// the threads of that CTA did there is over for all, or for none.
    private boolean mayStore(AsideLanes all, AsideStores places, SharedShadow there) {
        HappensBefore order = shadow.order();
        int first = all.first();
        long from = places.at(first);
        long end = from;
        for (int rest = all.lanes(); rest != 0; rest &= rest - 1) {
            if (places.at(Integer.numberOfTrailingZeros(rest)) != end) {
                return false;
            }
            end += all.bytes();
        }
        if (!cta.grid().looksAtOrder()) {
            return true;
        }
        return isRemote(all)
                && order.knowSame(all.warp())
                && there.wholeRegions().isFree((int) from, (int) end, order, all.thread(first))
                && isFreeOfOthers(all, places, there.outside());
    }

    private boolean isFreeOfOthers(AsideLanes all, AsideStores places, ClusterAccesses outside) {
        for (int rest = outside.isEmpty() ? 0 : all.lanes(); rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            SharedElement element = element(all, places, lane);
            if (outside.racing(element, shadow.order(), all.thread(lane)) != null) {
                return false;
            }
        }
        return true;
    }

    /// Keeps all as one operation.
    void begin(AsideLanes all) {
        SharedShadow there = all.owner().shadow();
        if (there == null) {
            return;
        }
        boolean isApart = all.reduces() && isRemote(all);
        Aside aside = isApart ? cluster.begin(completion(all)) : begin(all, there);
        int site = all.site().number();
        if (isRemote(all)) {
            int thread = all.thread(all.last());
            there.outside()
                    .begun(new ClusterAccesses.Accessor(shadow.order().cta(), thread, site), aside);
        }
        AsideStores places = places(all);
        if (all.reduces()) {
            reduce(all, places, there, aside);
        } else {
            store(all, places, there, aside);
        }
    }

    private static Completion.Transaction completion(AsideLanes all) {
        return new Completion.Transaction(all.owner().rank(), all.object());
    }

    private static Aside begin(AsideLanes all, SharedShadow there) {
        int lane = AsyncOrder.lane(all.object());
        int clock = there.order().async().begin(lane);
        return new Aside(there.order().cta(), there.order().asyncThread(lane), clock, clock);
    }

    private void store(AsideLanes all, AsideStores places, SharedShadow there, Aside aside) {
        ClusterAccesses outside = there.outside();
        for (int rest = outside.isEmpty() ? 0 : all.lanes(); rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            outside.settle(element(all, places, lane), shadow.order(), all.thread(lane));
        }
        int from = (int) places.at(all.first());
        int bytes = all.bytes() * Integer.bitCount(all.lanes());
        there.wroteAside(from, bytes, stamp(all, Stamp.WEAK, aside));
        there.order().strong().shared().overwrite(from, from + bytes);
    }

    private static long stamp(AsideLanes all, int kind, Aside aside) {
        return Stamp.of(aside.clock(), all.site().number(), kind, aside.thread());
    }

    private void reduce(AsideLanes all, AsideStores places, SharedShadow there, Aside aside) {
        for (int rest = all.lanes(); rest != 0; ) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int same = places.together(lane, rest);
            rest &= ~same;
            SharedElement element = element(all, places, lane);
            if (isRemote(all)) {
                there.outside().add(element, shadow.order(), aside.thread(), all.site().number());
                there.outside().wrote(element);
            } else {
                there.wroteAside(element.at(), all.bytes(), stamp(all, element.kind(), aside));
            }
            shadow.order()
                    .strong()
                    .reduce(
                            there.order().strong().shared(),
                            element.at(),
                            element.bytes(),
                            element.end(),
                            all.warp(),
                            same,
                            aside.thread(),
                            Scope.CLUSTER);
        }
        shadow.order().tick(all.warp());
    }
}
