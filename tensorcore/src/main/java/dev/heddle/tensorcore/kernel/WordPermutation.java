package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.GE;

import jdk.incubator.vector.IntVector;

import java.util.Arrays;

/// Moves words from fixed places of one array into the vectors of another.
///
/// A fragment puts the elements of sixteen rows into no more than four blocks of sixteen registers,
/// so that permutations of whole vectors find them: on the machine this was measured on, a gather
/// of sixteen words takes 12 ns, a permutation of four vectors 3 ns.
@SuppressWarnings("ArrayRecordComponent") // never compared
record WordPermutation(int[] index, int[] blocks, int[] pick, int most, int reach) {
    static final int BLOCKS = 4;
    private static final int PAIR = 2 * Lanes.COUNT;

    /// @param index for each word of the result, where it comes from; a multiple of sixteen
    static WordPermutation of(int[] index) {
        int vectors = index.length / Lanes.COUNT;
        int[] blocks = new int[vectors * BLOCKS];
        int[] pick = new int[index.length];
        int most = 0;
        int last = 0;
        for (int vector = 0; vector < vectors; vector++) {
            int from = vector * Lanes.COUNT;
            int[] starts =
                    Arrays.stream(index, from, from + Lanes.COUNT)
                            .map(word -> word - word % Lanes.COUNT)
                            .sorted()
                            .distinct()
                            .toArray();
            most = Math.max(most, starts.length);
            last = Math.max(last, starts[starts.length - 1]);
            if (most > BLOCKS) {
                return new WordPermutation(index, blocks, pick, most, Integer.MAX_VALUE);
            }
            for (int i = 0; i < BLOCKS; i++) {
                blocks[vector * BLOCKS + i] = starts[Math.min(i, starts.length - 1)];
            }
            for (int at = from; at < from + Lanes.COUNT; at++) {
                int word = index[at];
                int block = Arrays.binarySearch(starts, word - word % Lanes.COUNT);
                pick[at] = block * Lanes.COUNT + word % Lanes.COUNT;
            }
        }
        return new WordPermutation(index, blocks, pick, most, last + Lanes.COUNT);
    }

    /// How machine code finds the words.
    ProductLayout.Fetch fetch() {
        if (most > BLOCKS) {
            return ProductLayout.Fetch.GATHER;
        }
        return most > 2 ? ProductLayout.Fetch.FOUR : ProductLayout.Fetch.TWO;
    }

    /// For each word of the result, which of those of its blocks it is.
    int[] picks() {
        return pick;
    }

    /// Where one of the blocks of a vector begins.
    int block(int vector, int i) {
        return blocks[vector * BLOCKS + i];
    }

    /// Writes the words of the result.
    void apply(int[] from, int[] to) {
        if (from.length < reach) {
            gather(from, to);
        } else if (most > 2) {
            permuteFour(from, to);
        } else {
            permuteTwo(from, to);
        }
    }

    private void gather(int[] from, int[] to) {
        for (int at = 0; at < index.length; at += Lanes.COUNT) {
            IntVector.fromArray(Lanes.INT, from, 0, index, at).intoArray(to, at);
        }
    }

    private void permuteTwo(int[] from, int[] to) {
        int block = 0;
        for (int at = 0; at < pick.length; at += Lanes.COUNT) {
            IntVector.fromArray(Lanes.INT, pick, at)
                    .selectFrom(
                            IntVector.fromArray(Lanes.INT, from, blocks[block]),
                            IntVector.fromArray(Lanes.INT, from, blocks[block + 1]))
                    .intoArray(to, at);
            block += BLOCKS;
        }
    }

    private void permuteFour(int[] from, int[] to) {
        int block = 0;
        for (int at = 0; at < pick.length; at += Lanes.COUNT) {
            IntVector which = IntVector.fromArray(Lanes.INT, pick, at);
            IntVector place = which.and(PAIR - 1);
            IntVector first =
                    place.selectFrom(
                            IntVector.fromArray(Lanes.INT, from, blocks[block]),
                            IntVector.fromArray(Lanes.INT, from, blocks[block + 1]));
            IntVector second =
                    place.selectFrom(
                            IntVector.fromArray(Lanes.INT, from, blocks[block + 2]),
                            IntVector.fromArray(Lanes.INT, from, blocks[block + 3]));
            first.blend(second, which.compare(GE, PAIR)).intoArray(to, at);
            block += BLOCKS;
        }
    }
}
