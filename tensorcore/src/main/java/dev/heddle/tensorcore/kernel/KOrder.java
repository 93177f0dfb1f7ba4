package dev.heddle.tensorcore.kernel;

import java.util.Arrays;
import java.util.List;

/// In which order a kernel walks the K elements of a row: group of the accumulation after group.
///
/// Sums within a group are exact, so any order gives the same bits.
///
/// @param kAt      the k of each position
/// @param passEnds the first position after each group; a multiple of 4
@SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
record KOrder(int[] kAt, int[] passEnds) {

    /// An order in which loads share words: four positions at a time hold elements `i` = 0, 1 of
    /// words `w` = 0, 1 at positions `4 * quad + 2 * i + w`.
    ///
    /// @param k       elements of a row; a multiple of 4
    /// @param perWord elements of a row that share a word, a power of two, at most a quarter of k
    /// @param groups  the k of each group of the accumulation, in the order they are summed
    static KOrder of(int k, int perWord, List<int[]> groups) {
        int[] natural = new int[k];
        for (int position = 0; position < k; position++) {
            int step = position / 2;
            int word = 2 * (step / perWord) + position % 2;
            natural[position] = word * perWord + step % perWord;
        }
        int[] kAt = new int[k];
        int[] passEnds = new int[groups.size()];
        int quads = 0;
        for (int group = 0; group < passEnds.length; group++) {
            boolean[] member = new boolean[k];
            for (int index : groups.get(group)) {
                member[index] = true;
            }
            for (int quad = 0; quad < k / 4; quad++) {
                if (members(natural, quad, member) == 4) {
                    System.arraycopy(natural, quad * 4, kAt, quads * 4, 4);
                    quads++;
                }
            }
            passEnds[group] = 4 * quads;
        }
        if (quads != k / 4) {
            throw new IllegalArgumentException(
                    "groups of k that cut the quads of K = %d with %d elements a word"
                            .formatted(k, perWord));
        }
        return new KOrder(kAt, passEnds);
    }

    /// Every group by ascending k, so that neighbours pick their elements of a sparse product from
    /// the same chunks of B.
    static KOrder ascending(List<int[]> groups) {
        int[] passEnds = new int[groups.size()];
        int end = 0;
        for (int group = 0; group < passEnds.length; group++) {
            end += groups.get(group).length;
            passEnds[group] = end;
        }
        return new KOrder(groups.stream().flatMapToInt(Arrays::stream).toArray(), passEnds);
    }

    private static int members(int[] natural, int quad, boolean[] member) {
        int count = 0;
        for (int i = 0; i < 4; i++) {
            count += member[natural[quad * 4 + i]] ? 1 : 0;
        }
        return count;
    }
}
