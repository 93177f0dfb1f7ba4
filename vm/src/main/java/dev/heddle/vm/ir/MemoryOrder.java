package dev.heddle.vm.ir;

/// How a memory operation or a fence orders others around it (PTX ISA 8.4, `.sem`).
public enum MemoryOrder {
    /// Orders nothing; unordered, conflicting ones race.
    WEAK,
    /// Strong, but orders nothing by itself; `.volatile` and `.mmio` are of this kind.
    RELAXED,
    ACQUIRE,
    RELEASE,
    ACQ_REL,
    /// Of fences only.
    SC;

    public boolean isStrong() {
        return this != WEAK;
    }

    /// Whether what other threads released becomes ordered before what follows.
    public boolean acquires() {
        return this == ACQUIRE || this == ACQ_REL || this == SC;
    }

    /// Whether what came before becomes ordered before what other threads acquire.
    public boolean releases() {
        return this == RELEASE || this == ACQ_REL || this == SC;
    }
}
