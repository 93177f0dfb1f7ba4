package dev.heddle.vm.ir;

/// Which operations alone a `fence` orders: `.op_restrict` and `.sync_restrict` (PTX ISA 9.7.13.4).
public enum FenceRestriction {
    /// All.
    NONE,
    /// What its thread has made of mbarrier objects by `mbarrier.init`.
    MBARRIER_INIT,
    /// Those on objects in the shared memory of its CTA.
    SHARED_CTA,
    /// Those on objects in the shared memory of any CTA of its cluster.
    SHARED_CLUSTER
}
