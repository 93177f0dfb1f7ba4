package dev.heddle.formats;

/// What kind of value a floating-point code stands for.
public enum NumberClass {
    ZERO,
    SUBNORMAL,
    NORMAL,
    INFINITE,
    NAN
}
