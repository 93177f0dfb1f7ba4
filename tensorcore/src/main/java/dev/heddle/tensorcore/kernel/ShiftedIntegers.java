package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.I2F;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;

import dev.heddle.formats.IntegerFormat;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// Elements of any width that stand anywhere in their words.
final class ShiftedIntegers implements IntegerPlane {
    private final WordGather gather;
    private final IntegerFormat format;
    private final int fromTop;
    // For each vector and lane, how far left the element goes to end at the top of its word
    private final int[] toTop;
    private final float[] values;

    ShiftedIntegers(VectorTable table, IntegerFormat format) {
        this.gather = new WordGather(table);
        this.format = format;
        this.fromTop = Integer.SIZE - format.bits();
        this.toTop = Arrays.stream(table.bits()).map(low -> fromTop - low).toArray();
        this.values = new float[gather.vectors() * Lanes.COUNT];
    }

    @Override
    public float[] values() {
        return values;
    }

    @Override
    public void read(int[] words) {
        gather.read(words);
        if (format.signed()) {
            decodeSigned();
        } else {
            decodeUnsigned();
        }
    }

    private void decodeSigned() {
        int[] sources = gather.sources();
        int[] words = gather.gathered();
        for (int vector = 0; vector < sources.length; vector++) {
            int at = vector * Lanes.COUNT;
            IntVector value =
                    IntVector.fromArray(Lanes.INT, words, sources[vector])
                            .lanewise(LSHL, IntVector.fromArray(Lanes.INT, toTop, at))
                            .lanewise(ASHR, fromTop);
            ((FloatVector) value.convert(I2F, 0)).intoArray(values, at);
        }
    }

    private void decodeUnsigned() {
        int[] sources = gather.sources();
        int[] words = gather.gathered();
        for (int vector = 0; vector < sources.length; vector++) {
            int at = vector * Lanes.COUNT;
            IntVector value =
                    IntVector.fromArray(Lanes.INT, words, sources[vector])
                            .lanewise(LSHL, IntVector.fromArray(Lanes.INT, toTop, at))
                            .lanewise(LSHR, fromTop);
            ((FloatVector) value.convert(I2F, 0)).intoArray(values, at);
        }
    }
}
