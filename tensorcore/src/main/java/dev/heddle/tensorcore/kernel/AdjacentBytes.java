package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.B2I;
import static jdk.incubator.vector.VectorOperators.I2F;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// Bytes of which sixteen neighbours in four words fill a vector: the columns of B for a sparse A.
final class AdjacentBytes implements IntegerPlane {
    private static final int PER_WORD = Integer.SIZE / Byte.SIZE;

    // For each vector, its first word
    private final int[] starts;
    private final int kept;
    private final float[] values;

    AdjacentBytes(VectorTable table, boolean signed) {
        int vectors = table.index().length / Lanes.COUNT;
        this.starts = new int[vectors];
        for (int vector = 0; vector < vectors; vector++) {
            starts[vector] = table.index()[vector * Lanes.COUNT];
        }
        this.kept = signed ? -1 : 0xFF;
        this.values = new float[vectors * Lanes.COUNT];
    }

    static boolean serve(VectorTable table) {
        for (int at = 0; at < table.index().length; at++) {
            int lane = at % Lanes.COUNT;
            if (table.index()[at] != table.index()[at - lane] + lane / PER_WORD
                    || table.bits()[at] != lane % PER_WORD * Byte.SIZE) {
                return false;
            }
        }
        return true;
    }

    @Override
    public float[] values() {
        return values;
    }

    @Override
    public void read(int[] words) {
        for (int vector = 0; vector < starts.length; vector++) {
            IntVector four = IntVector.fromArray(IntVector.SPECIES_128, words, starts[vector]);
            IntVector bytes = (IntVector) four.reinterpretAsBytes().convertShape(B2I, Lanes.INT, 0);
            ((FloatVector) bytes.and(kept).convert(I2F, 0)).intoArray(values, vector * Lanes.COUNT);
        }
    }
}
