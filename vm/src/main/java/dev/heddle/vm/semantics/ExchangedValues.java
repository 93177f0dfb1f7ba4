package dev.heddle.vm.semantics;

import java.util.Arrays;

/// The operands of an instruction that lanes of a warp compute together, and its results: what a
/// [WarpFunction] reads and gives. All values are the bits of a register, zero-extended.
public final class ExchangedValues {
    private static final int MOST_OPERANDS = 4;
    private static final int MOST_RESULTS = 2;

    private final long[][] operands = new long[MOST_OPERANDS][32];
    private final long[][] results = new long[MOST_RESULTS][32];
    private int lanes;
    private int readers;
    private int absent;

    /// Begins with these lanes, as a mask; their operands follow.
    public void begin(int present) {
        lanes = present;
        readers = 0;
        absent = 0;
    }

    /// The lanes that take part, as a mask.
    public int lanes() {
        return lanes;
    }

    /// An operand of all 32 lanes, to be filled; those that take no part have one, too.
    public long[] operand(int index) {
        return operands[index];
    }

    /// A result; only lanes that take part have one.
    public long[] result(int index) {
        return results[index];
    }

    /// What a lane has of an operand.
    long of(int operand, int lane) {
        return operands[operand][lane];
    }

    /// What another lane has. It is noted where that one takes no part.
    ///
    /// @param reader the lane that wants it
    long of(int operand, int lane, int reader) {
        if ((lanes >>> lane & 1) == 0) {
            readers |= 1 << reader;
            absent |= 1 << lane;
        }
        return operands[operand][lane];
    }

    /// Gives a lane its result.
    void give(int result, int lane, long bits) {
        results[result][lane] = bits;
    }

    /// Gives all lanes the same.
    void giveAll(int result, long bits) {
        Arrays.fill(results[result], bits);
    }

    /// The lanes that take part and have an operand that is not zero, as a mask.
    int notZero(int operand) {
        int found = 0;
        for (int lane = 0; lane < 32; lane++) {
            found |= (operands[operand][lane] != 0 ? 1 : 0) << lane;
        }
        return found & lanes;
    }

    /// The lanes that took a value from a lane that takes no part, as a mask.
    public int readers() {
        return readers;
    }

    /// The lanes that take no part and were read, as a mask.
    public int absent() {
        return absent;
    }
}
