package dev.heddle.tensorcore.kernel;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/// Collects the words that vectors of elements come from. Vectors whose elements share words, at
/// other bits, share one load.
final class WordGather {
    private final WordPermutation permutation;
    private final int[] sources;
    private final int[] bits;
    private final int[] gathered;

    WordGather(VectorTable table) {
        Map<Key, Integer> distinct = new LinkedHashMap<>();
        this.bits = table.bits();
        this.sources = new int[table.index().length / Lanes.COUNT];
        for (int vector = 0; vector < sources.length; vector++) {
            int at = vector * Lanes.COUNT;
            Key key = new Key(Arrays.copyOfRange(table.index(), at, at + Lanes.COUNT));
            sources[vector] =
                    distinct.computeIfAbsent(key, unseen -> distinct.size() * Lanes.COUNT);
        }
        this.gathered = new int[distinct.size() * Lanes.COUNT];
        int[] index = new int[gathered.length];
        distinct.forEach((key, at) -> System.arraycopy(key.words, 0, index, at, Lanes.COUNT));
        this.permutation = WordPermutation.of(index);
    }

    /// The words of a vector, compared by content.
    private static final class Key {
        private final int[] words;

        Key(int[] words) {
            this.words = words;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Arrays.equals(words, key.words);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(words);
        }
    }

    int vectors() {
        return sources.length;
    }

    /// For each vector, where its words begin in [#gathered].
    int[] sources() {
        return sources;
    }

    /// For each vector and lane, how far right the word goes to bring its element down.
    int[] bits() {
        return bits;
    }

    int[] gathered() {
        return gathered;
    }

    void read(int[] words) {
        permutation.apply(words, gathered);
    }
}
