package dev.heddle.vm.semantics;

/// The operands of an instruction that lanes of a warp compute together, and its results: what a
/// [WarpFunction] reads and gives. Values are the bits of a register, zero-extended; a predicate of
/// all lanes is a mask, and what all lanes get is one value: votes have nothing else.
public final class ExchangedValues {
    private static final int MOST_OPERANDS = 4;
    private static final int MOST_RESULTS = 2;

    private final long[][] operands = new long[MOST_OPERANDS][32];
    private final int[] predicates = new int[MOST_OPERANDS];
    private final long[][] results = new long[MOST_RESULTS][32];
    private final long[] common = new long[MOST_RESULTS];
    private int lanes;
    private int areCommon;
    private int readers;
    private int absent;

    /// Begins with these lanes, as a mask; their operands follow.
    public void begin(int present) {
        lanes = present;
        areCommon = 0;
        readers = 0;
        absent = 0;
    }

    /// The lanes that take part, as a mask.
    public int lanes() {
        return lanes;
    }

    /// An operand of all 32 lanes that is no predicate, to be filled; those that take no part have
    /// one, too.
    public long[] operand(int index) {
        return operands[index];
    }

    /// Takes a predicate as operand.
    ///
    /// @param holding the lanes where it is true, as a mask
    public void predicate(int index, int holding) {
        predicates[index] = holding;
    }

    /// A result of each lane; only those that take part have one.
    public long[] result(int index) {
        return results[index];
    }

    /// Whether a result is the same in all lanes: [#common].
    public boolean isCommon(int index) {
        return (areCommon >>> index & 1) != 0;
    }

    /// A result that is the same in all lanes.
    public long common(int index) {
        return common[index];
    }

    /// What a lane that takes part gets.
    public long given(int result, int lane) {
        return isCommon(result) ? common[result] : results[result][lane];
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
        areCommon |= 1 << result;
        common[result] = bits;
    }

    /// The lanes that take part and whose first operand is a predicate that is true, as a mask.
    int holding() {
        return predicates[0] & lanes;
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
