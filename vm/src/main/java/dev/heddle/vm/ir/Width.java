package dev.heddle.vm.ir;

/// The file a register lives in.
public enum Width {
    /// One bit a lane.
    PREDICATE(1),
    /// An `int` a lane.
    WORD(32),
    /// A `long` a lane.
    LONG(64);

    private final int bits;

    Width(int bits) {
        this.bits = bits;
    }

    /// The bits a lane has in such a register.
    public int bits() {
        return bits;
    }

    /// The file of a register of so many bits.
    public static Width ofBits(int bits) {
        return bits == 1 ? PREDICATE : bits <= 32 ? WORD : LONG;
    }
}
