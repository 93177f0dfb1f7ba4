package dev.heddle.vm.races;

import dev.heddle.vm.races.SharingProgram.Shape;

/// The objects to whose operations the effect of a fence applies (PTX ISA 9.7.13.4).
enum FenceEffect {
    /// All.
    ANY,
    /// `.sync_restrict::shared::cta`: those in `.shared::cta` of its thread.
    SHARED_CTA,
    /// `.sync_restrict::shared::cluster`: those in `.shared::cluster` of its thread.
    SHARED_CLUSTER,
    /// `.mbarrier_init`: prior `mbarrier.init` alone, of which programs have none.
    MBARRIER_INIT;

    /// In the place of a memory: any, so that no restriction counts.
    static final int ANYWHERE = -2;

    /// Whether the effect applies to operations on objects in some memory.
    ///
    /// @param cta of the thread that fences
    /// @param memory the CTA whose shared memory it is, [SharingProgram#GLOBAL] or [#ANYWHERE]
    boolean appliesTo(Shape shape, int cta, int memory) {
        return memory == ANYWHERE
                || switch (this) {
                    case ANY -> true;
                    case SHARED_CTA -> memory == cta;
                    case SHARED_CLUSTER ->
                            memory != SharingProgram.GLOBAL
                                    && memory / shape.cluster() == cta / shape.cluster();
                    case MBARRIER_INIT -> false;
                };
    }
}
