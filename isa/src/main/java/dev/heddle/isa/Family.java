package dev.heddle.isa;

import dev.heddle.formats.InputException;

import java.util.List;

/// The instructions of the model.
public enum Family {
    /// Dense product of a warp.
    MMA("mma", "9.7.14.5.14", 32, "6.4"),
    /// Product of a warp with a structured sparse A, index pairs in any order.
    MMA_SP("mma.sp", "9.7.14.6.3", 32, "7.1"),
    /// Product of a warp with a structured sparse A, index pairs in increasing order.
    MMA_SP_ORDERED("mma.sp::ordered_metadata", "9.7.14.6.3", 32, "8.5"),
    /// Asynchronous dense product of a warpgroup, B in shared memory.
    WGMMA("wgmma.mma_async", "9.7.15.5.2", 128, "8.0"),
    /// Asynchronous product of a warpgroup with a structured sparse A.
    WGMMA_SP("wgmma.mma_async.sp", "9.7.15.6.3", 128, "8.2");

    private final String mnemonic;
    private final String section;
    private final int lanes;
    private final String since;

    Family(String mnemonic, String section, int lanes, String since) {
        this.mnemonic = mnemonic;
        this.section = section;
        this.lanes = lanes;
        this.since = since;
    }

    /// The opcode up to its qualifiers: `mma.sp::ordered_metadata`.
    public String mnemonic() {
        return mnemonic;
    }

    /// The section of PTX ISA 9.1 that gives the syntax.
    public String section() {
        return section;
    }

    /// Threads that execute one instruction together: 32, a warp, or 128, a warpgroup.
    public int lanes() {
        return lanes;
    }

    /// The PTX ISA version that introduced the instruction.
    public PtxVersion since() {
        return PtxVersion.parse(since);
    }

    /// Whether A is structured sparse.
    public boolean sparse() {
        return this == MMA_SP || this == MMA_SP_ORDERED || this == WGMMA_SP;
    }

    /// Whether a warpgroup executes it.
    public boolean warpgroup() {
        return lanes == 128;
    }

    /// The family of that mnemonic.
    ///
    /// @throws InputException if there is none; the message lists them
    public static Family parse(String mnemonic) {
        for (Family family : values()) {
            if (family.mnemonic.equals(mnemonic)) {
                return family;
            }
        }
        throw new InputException(
                "unknown instruction family \""
                        + mnemonic
                        + "\": expected one of "
                        + String.join(
                                " ", List.of(values()).stream().map(Family::mnemonic).toList()));
    }

    @Override
    public String toString() {
        return mnemonic;
    }
}
