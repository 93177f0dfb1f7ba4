package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.I2F;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;

import dev.heddle.formats.IntegerFormat;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// Reads integer elements out of words into a plane of `float` values, exact: none has more than
/// eight bits. Vectors stand as [FloatPairReader] leaves them.
final class IntegerPairReader {
    private final IntegerFormat format;
    private final PairTable table;

    IntegerPairReader(IntegerFormat format, PairTable table) {
        this.format = format;
        this.table = table;
    }

    void read(int[] words, float[] values) {
        if (table.shared()) {
            readShared(words, values);
        } else {
            readApart(words, values);
        }
    }

    private void readShared(int[] words, float[] values) {
        int[] index = table.index0();
        int pairs = table.pairs();
        int top = Integer.SIZE - format.bits();
        for (int u = 0; u < pairs; u++) {
            IntVector word = IntVector.fromArray(Lanes.INT, words, 0, index, u * Lanes.COUNT);
            store(word.lanewise(LSHL, top - table.bit0(u)), 2 * u, values);
            store(word.lanewise(LSHL, top - table.bit1(u)), 2 * u + 1, values);
        }
    }

    private void readApart(int[] words, float[] values) {
        int top = Integer.SIZE - format.bits();
        int pairs = table.pairs();
        for (int u = 0; u < pairs; u++) {
            int at = u * Lanes.COUNT;
            IntVector first =
                    IntVector.fromArray(Lanes.INT, words, 0, table.index0(), at)
                            .lanewise(LSHR, IntVector.fromArray(Lanes.INT, table.bits0(), at));
            IntVector second =
                    IntVector.fromArray(Lanes.INT, words, 0, table.index1(), at)
                            .lanewise(LSHR, IntVector.fromArray(Lanes.INT, table.bits1(), at));
            store(first.lanewise(LSHL, top), 2 * u, values);
            store(second.lanewise(LSHL, top), 2 * u + 1, values);
        }
    }

    private void store(IntVector topAligned, int vector, float[] values) {
        int top = Integer.SIZE - format.bits();
        IntVector value =
                format.signed() ? topAligned.lanewise(ASHR, top) : topAligned.lanewise(LSHR, top);
        ((FloatVector) value.convert(I2F, 0)).intoArray(values, vector * Lanes.COUNT);
    }
}
