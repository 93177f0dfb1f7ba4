package dev.heddle.isa;

import java.util.Locale;

/// The matrices of an instruction.
public enum Role {
    /// The left multiplicand, M x K; sparse: its stored half, M x K/2.
    A,
    /// The right multiplicand, K x N.
    B,
    /// The addend, M x N.
    C,
    /// The result, M x N.
    D;

    /// The manual's name of an element: `a`, `b`, `c`, `d`.
    public String letter() {
        return name().toLowerCase(Locale.ROOT);
    }
}
