package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.I2F;
import static jdk.incubator.vector.VectorOperators.LSHL;

import dev.heddle.formats.IntegerFormat;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

import java.util.Arrays;

/// Decoded elements of an integer operand as `float` values, exact: none has more than eight bits.
final class ShiftedIntegers {
    private final WordGather gather;
    private final int fromTop;
    private final int kept;
    // For each vector and lane, how far left the element goes to end at the top of its word
    private final int[] toTop;
    private final float[] values;

    ShiftedIntegers(VectorTable table, IntegerFormat format) {
        this.gather = new WordGather(table);
        this.fromTop = Integer.SIZE - format.bits();
        this.kept = format.signed() ? -1 : (int) format.mask();
        this.toTop = Arrays.stream(table.bits()).map(low -> fromTop - low).toArray();
        this.values = new float[gather.vectors() * Lanes.COUNT];
    }

    /// The elements as last read.
    float[] values() {
        return values;
    }

    void read(int[] words) {
        gather.read(words);
        int[] sources = gather.sources();
        int[] gathered = gather.gathered();
        for (int vector = 0; vector < sources.length; vector++) {
            int at = vector * Lanes.COUNT;
            IntVector value =
                    IntVector.fromArray(Lanes.INT, gathered, sources[vector])
                            .lanewise(LSHL, IntVector.fromArray(Lanes.INT, toTop, at))
                            .lanewise(ASHR, fromTop)
                            .and(kept);
            ((FloatVector) value.convert(I2F, 0)).intoArray(values, at);
        }
    }
}
