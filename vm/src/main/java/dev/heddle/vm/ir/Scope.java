package dev.heddle.vm.ir;

/// The threads that a strong operation may synchronize with (PTX ISA 8.5).
public enum Scope {
    CTA,
    CLUSTER,
    GPU,
    SYS
}
