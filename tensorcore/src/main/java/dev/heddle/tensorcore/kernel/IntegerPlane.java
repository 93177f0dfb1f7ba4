package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.I2F;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;

import dev.heddle.formats.IntegerFormat;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// Decoded elements of an integer operand as `float` values, exact: none has more than eight bits.
final class IntegerPlane {
    private final WordGather gather;
    private final IntegerFormat format;
    private final float[] values;

    IntegerPlane(VectorTable table, IntegerFormat format) {
        this.gather = new WordGather(table);
        this.format = format;
        this.values = new float[gather.vectors() * Lanes.COUNT];
    }

    float[] values() {
        return values;
    }

    void read(int[] words) {
        gather.read(words);
        if (format.signed()) {
            decodeSigned();
        } else {
            decodeUnsigned();
        }
    }

    private void decodeSigned() {
        int top = Integer.SIZE - format.bits();
        int[] sources = gather.sources();
        int[] shifts = gather.bits();
        int[] words = gather.gathered();
        for (int vector = 0; vector < sources.length; vector++) {
            int at = vector * Lanes.COUNT;
            IntVector value =
                    IntVector.fromArray(Lanes.INT, words, sources[vector])
                            .lanewise(LSHR, IntVector.fromArray(Lanes.INT, shifts, at))
                            .lanewise(LSHL, top)
                            .lanewise(ASHR, top);
            ((FloatVector) value.convert(I2F, 0)).intoArray(values, at);
        }
    }

    private void decodeUnsigned() {
        int mask = (1 << format.bits()) - 1;
        int[] sources = gather.sources();
        int[] shifts = gather.bits();
        int[] words = gather.gathered();
        for (int vector = 0; vector < sources.length; vector++) {
            int at = vector * Lanes.COUNT;
            IntVector value =
                    IntVector.fromArray(Lanes.INT, words, sources[vector])
                            .lanewise(LSHR, IntVector.fromArray(Lanes.INT, shifts, at))
                            .and(mask);
            ((FloatVector) value.convert(I2F, 0)).intoArray(values, at);
        }
    }
}
