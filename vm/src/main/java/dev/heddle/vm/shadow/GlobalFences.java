package dev.heddle.vm.shadow;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/// The proxy fences of a launch that are for global memory, of all its CTAs: what threads did there
/// through the generic proxy, and is over for a thread at such a fence, may be accessed through the
/// async proxy behind it (PTX ISA 8.9, 9.7.13.4).
public final class GlobalFences {
    /// With more CTAs that have fenced, all counts as fenced.
    private static final int MOST = 1 << 12;

    private final boolean keepsAll;

    // By the number of the CTA; where CTAs do not come before one another, by the order of the CTA
    // that runs now.
    private final Map<Object, ProxyFences> fences = new ConcurrentHashMap<>();

    /// @param keepsAll whether what one CTA fenced may be over for another
    GlobalFences(boolean keepsAll) {
        this.keepsAll = keepsAll;
    }

    private Object key(HappensBefore order) {
        return keepsAll ? order.cta() : order;
    }

    /// Lanes of a warp fence.
    ///
    /// @param order of their CTA
    public void fence(HappensBefore order, int warp, int lanes) {
        fences.compute(
                        key(order),
                        (_, own) ->
                                own == null || own.home() != order.cta()
                                        ? new ProxyFences(order)
                                        : own)
                .fence(warp, lanes);
    }

    /// Whether too many have fenced to be told apart.
    boolean countsAll() {
        return fences.size() >= MOST;
    }

    /// Those that come before what a thread does now.
    ///
    /// @param by the order of the CTA of the thread
    FencesBefore before(HappensBefore by, int thread) {
        return before(by, thread, home -> true);
    }

    /// The same of some CTAs alone.
    FencesBefore before(HappensBefore by, int thread, IntPredicate homes) {
        return (cta, writer, clock) ->
                reaching(by).stream()
                        .filter(own -> homes.test(own.home()))
                        .anyMatch(own -> own.isBetween(cta, writer, clock, by, thread));
    }

    /// Those of CTAs that may come before one: of itself alone where CTAs run side by side.
    private Collection<ProxyFences> reaching(HappensBefore by) {
        if (keepsAll) {
            return fences.values();
        }
        ProxyFences own = fences.get(by);
        return own == null ? List.of() : List.of(own);
    }
}
