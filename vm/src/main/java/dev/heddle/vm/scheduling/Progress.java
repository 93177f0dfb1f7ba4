package dev.heddle.vm.scheduling;

/// How far a CTA or a cluster has come.
enum Progress {
    /// All its threads have ended.
    DONE,
    /// It goes on.
    RUNNING,
    /// It runs in a circle until memory outside of it changes.
    STALLED,
    /// All its threads wait for those of other CTAs of the cluster.
    WAITING
}
