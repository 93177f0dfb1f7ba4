package dev.heddle.vm.compiler;

/// Notes of what the warps of a CTA have read in shared memory since its last barrier, in memory
/// outside of Java's heap. Offsets in bytes.
final class SharedReads {
    /// Host addresses of the first lane and of the sixteenth.
    static final int LOW = 0;
    static final int HIGH = 8;
    /// What the addresses of both halves of the warp are like ([AddressPlan]).
    static final int KIND = 16;
    /// Which instructions.
    static final int NUMBER = 20;
    /// The number of the warp's first thread.
    static final int THREADS = 24;
    /// Host addresses of the first byte and of that behind the last.
    static final int FROM = 32;
    static final int TO = 40;
    static final int BYTES = 48;

    /// How many there is room for: what reads more between two barriers, Java looks at.
    static final int MOST = 1024;

    private SharedReads() {}
}
