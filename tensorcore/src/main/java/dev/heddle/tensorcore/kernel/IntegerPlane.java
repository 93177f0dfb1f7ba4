package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.IntegerFormat;

/// Decoded elements of an integer operand as `float` values, exact: none has more than eight bits.
sealed interface IntegerPlane permits AdjacentBytes, WordBytes, ShiftedIntegers {

    /// The plane that decodes those elements with the fewest steps.
    static IntegerPlane of(VectorTable table, IntegerFormat format) {
        if (format.bits() == Byte.SIZE) {
            if (AdjacentBytes.serve(table)) {
                return new AdjacentBytes(table, format.signed());
            }
            WordGather gather = new WordGather(table);
            if (WordBytes.serve(gather)) {
                return new WordBytes(gather, format.signed());
            }
        }
        return new ShiftedIntegers(table, format);
    }

    /// The elements as last read.
    float[] values();

    void read(int[] words);
}
