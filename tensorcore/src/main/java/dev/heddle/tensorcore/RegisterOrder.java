package dev.heddle.tensorcore;

/// How the registers of an operand follow each other in one array of words.
///
/// A 64-bit register takes two neighbouring words, the low one first.
public enum RegisterOrder {
    /// All registers of lane 0, then those of lane 1: golden files.
    LANE_MAJOR,
    /// Register 0 of all lanes, then register 1.
    REGISTER_MAJOR,
    /// The same of each warp, one warp after the other: machines whose registers are arrays of the
    /// lanes of a warp.
    WARP_MAJOR;

    private static final int WARP = 32;

    /// The index of a register's (first) word.
    int word(int lane, int register, int lanes, int registers, int wordsPerRegister) {
        int index =
                switch (this) {
                    case LANE_MAJOR -> lane * registers + register;
                    case REGISTER_MAJOR -> register * lanes + lane;
                    case WARP_MAJOR -> (lane / WARP * registers + register) * WARP + lane % WARP;
                };
        return index * wordsPerRegister;
    }
}
