package dev.heddle.tensorcore.x86;

/// An instruction on vectors.
sealed interface VectorInstruction permits Evex, Vex {
    Opcode code();

    /// What the manual's opcode column says of it.
    ///
    /// @param prefix 0, 0x66, 0xf3 or 0xf2
    /// @param map 1 for 0F, 2 for 0F38, 3 for 0F3A
    /// @param wide the bit W
    /// @param opcode the byte
    record Opcode(int prefix, int map, int wide, int opcode) {}
}
