package dev.heddle.vm.ir;

import java.util.Locale;

/// The memory a step addresses.
public enum Space {
    /// Any of the others, told apart by the address (PTX ISA 6.4.1.1).
    GENERIC,
    GLOBAL,
    /// `.const`: read-only, at global addresses.
    CONST,
    SHARED,
    /// Shared memory of any CTA of the cluster: `.shared::cluster`. An address says which.
    CLUSTER,
    LOCAL,
    /// The parameters of the kernel; those of device functions live in local frames.
    PARAM;

    /// Its name in messages.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
