package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.I2F;
import static jdk.incubator.vector.VectorOperators.LSHL;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// Bytes of which each vector of words holds four vectors, the lowest first and equally far apart:
/// the rows of A.
final class WordBytes implements IntegerPlane {
    private static final int PER_WORD = Integer.SIZE / Byte.SIZE;

    private final WordGather gather;
    // For each vector of words, where its lowest bytes go
    private final int[] lowest;
    private final int step;
    private final int kept;
    private final float[] values;

    WordBytes(WordGather gather, boolean signed) {
        this.gather = gather;
        this.lowest = lowest(gather);
        this.step = step(gather);
        this.kept = signed ? -1 : 0xFF;
        this.values = new float[gather.vectors() * Lanes.COUNT];
    }

    private static int[] lowest(WordGather gather) {
        int[] lowest = new int[gather.gathered().length / Lanes.COUNT];
        for (int vector = gather.vectors() - 1; vector >= 0; vector--) {
            lowest[gather.sources()[vector] / Lanes.COUNT] = vector * Lanes.COUNT;
        }
        return lowest;
    }

    private static int step(WordGather gather) {
        int step = 1;
        while (step < gather.vectors() && gather.sources()[step] != gather.sources()[0]) {
            step++;
        }
        return step * Lanes.COUNT;
    }

    static boolean serve(WordGather gather) {
        int[] lowest = lowest(gather);
        int step = step(gather);
        if (gather.vectors() != PER_WORD * lowest.length) {
            return false;
        }
        for (int at = 0; at < gather.bits().length; at++) {
            int source = gather.sources()[at / Lanes.COUNT];
            int start = lowest[source / Lanes.COUNT] + gather.bits()[at] / Byte.SIZE * step;
            if (gather.bits()[at] % Byte.SIZE != 0 || start != at - at % Lanes.COUNT) {
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
        gather.read(words);
        int[] gathered = gather.gathered();
        for (int vector = 0; vector < lowest.length; vector++) {
            IntVector four = IntVector.fromArray(Lanes.INT, gathered, vector * Lanes.COUNT);
            int at = lowest[vector];
            store(four.lanewise(LSHL, 24), at);
            store(four.lanewise(LSHL, 16), at + step);
            store(four.lanewise(LSHL, 8), at + 2 * step);
            store(four, at + 3 * step);
        }
    }

    /// Stores the bytes at the top of the words.
    private void store(IntVector words, int at) {
        ((FloatVector) words.lanewise(ASHR, 24).and(kept).convert(I2F, 0)).intoArray(values, at);
    }
}
