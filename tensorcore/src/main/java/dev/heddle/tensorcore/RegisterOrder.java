package dev.heddle.tensorcore;

/// How the registers of an operand follow each other in one array of words.
///
/// A 64-bit register takes two neighbouring words, the low one first.
public enum RegisterOrder {
    /// All registers of lane 0, then those of lane 1: golden files.
    LANE_MAJOR,
    /// Register 0 of all lanes, then register 1: machines whose registers are arrays of lanes.
    REGISTER_MAJOR;

    /// The index of a register's (first) word.
    int word(int lane, int register, int lanes, int registers, int wordsPerRegister) {
        int index =
                switch (this) {
                    case LANE_MAJOR -> lane * registers + register;
                    case REGISTER_MAJOR -> register * lanes + lane;
                };
        return index * wordsPerRegister;
    }
}
