package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Extent;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/// How the CTAs of a launch are ordered among each other.
///
/// In most launches they are not: nothing that one does comes before anything that another does,
/// and they may run at the same time. Where a thread may observe what one of another CTA wrote,
/// fences are sequentially consistent beyond their CTA, or CTAs form clusters, what is over for
/// whom is followed, and one worker runs them all: then the verdict does not depend on how many
/// there are.
public final class GridOrder {
    /// With more CTAs, or more places with strong operations, nothing more is looked for.
    private static final int MOST_CTAS = 1 << 21;

    private static final int MOST_LOCATIONS = 1 << 18;

    private final GlobalUse use;
    private final boolean followed;
    private final boolean tooLarge;
    private final boolean shared;

    private final Reach reach;
    private final Sequential sequential = new Sequential();
    private final Locations locations = new Locations();
    private final CtaStarts starts;

    private final TensorMapReleases mapReleases;

    // By CTA, until when its copies read their sources.
    private final Map<Integer, CopiedSources> sources = new HashMap<>();

    /// Whether CTAs of clusters reach each other's shared memory.
    ///
    /// @param extent CTAs in each direction
    /// @param cluster CTAs of a cluster in each direction
    public static boolean hasClusters(Extent extent, Extent cluster) {
        return extent.count() > 1 && cluster.count() > 1;
    }

    /// @param use what its code does with memory
    /// @param extent CTAs in each direction
    /// @param cluster CTAs of a cluster in each direction
    GridOrder(GlobalUse use, Extent extent, Extent cluster) {
        this.use = use;
        reach = new Reach(extent, cluster);
        shared = hasClusters(extent, cluster) && use.isLeaving();
        starts = new CtaStarts(hasClusters(extent, cluster));
        followed = extent.count() > 1 && (cluster.count() > 1 || use.isBeyondCtas());
        tooLarge = extent.count() > MOST_CTAS && followed;
        mapReleases = new TensorMapReleases(followed, reach);
    }

    /// Whether asynchronous operations reduce into memory.
    boolean isReducing() {
        return use.isReducing();
    }

    /// Whether some strong accesses are not for the whole device.
    boolean isNarrow() {
        return use.isNarrow();
    }

    /// Whether what is written strongly is ever read so.
    public boolean isObserved() {
        return use.isObserved();
    }

    /// Whether CTAs may come before one another; then one worker must run them all.
    public boolean isFollowed() {
        return followed;
    }

    /// Whether CTAs of a cluster may access each other's shared memory.
    boolean isSharedByCluster() {
        return shared;
    }

    /// Whether asynchronous operations touch global memory.
    boolean hasAsides() {
        return use.hasAsides();
    }

    /// Whether threads hand copies of `cp.async` to mbarriers.
    boolean handsCopies() {
        return use.handsCopies();
    }

    /// Whether threads may write global memory, each for itself.
    boolean isWritten() {
        return use.isWritten();
    }

    /// Whether there is too much to follow.
    boolean isTooLarge() {
        return tooLarge || locations.count() > MOST_LOCATIONS;
    }

    Reach reach() {
        return reach;
    }

    /// The releases of tensor maps by its CTAs.
    TensorMapReleases mapReleases() {
        return mapReleases;
    }

    /// Keeps until when copies of a CTA read, where somebody of another one may come behind.
    void keep(CopiedSources copied) {
        if (followed) {
            sources.put(copied.cta(), copied);
        }
    }

    /// What was kept of a CTA.
    @Nullable CopiedSources sources(int cta) {
        return sources.get(cta);
    }

    /// What `fence.sc` brings together, for the threads of a CTA.
    Sequential sequential() {
        return followed ? sequential : new Sequential();
    }

    /// What the threads of CTAs know of the start of others.
    CtaStarts starts() {
        return starts;
    }

    /// The places of global memory with strong operations, for the threads of a CTA.
    Locations locations() {
        return followed ? locations : new Locations();
    }
}
