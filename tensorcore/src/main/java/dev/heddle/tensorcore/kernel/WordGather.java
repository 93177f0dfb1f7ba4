package dev.heddle.tensorcore.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.incubator.vector.IntVector;

/// Collects the words that vectors of elements come from. Vectors whose elements share words, at
/// other bits, share one load.
final class WordGather {
    private final int[] index;
    private final int[] sources;
    private final int[] bits;
    private final int[] gathered;
    // Where neighbouring vectors repeat words, these are loaded once, and each vector picks its own
    private final boolean picked;
    private final int[] baseIndex;
    private final int[] baseWords;
    private final int[] baseOf;
    private final int[] pick;

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
        this.index = new int[gathered.length];
        distinct.forEach((key, at) -> System.arraycopy(key.words, 0, index, at, Lanes.COUNT));
        List<Set<Integer>> bases = bases(index);
        this.picked = bases.size() < distinct.size();
        this.baseIndex = new int[bases.size() * Lanes.COUNT];
        this.baseWords = new int[baseIndex.length];
        this.baseOf = new int[distinct.size()];
        this.pick = new int[gathered.length];
        if (picked) {
            pickFrom(bases);
        }
    }

    /// Neighbouring vectors that together come from at most sixteen words.
    private static List<Set<Integer>> bases(int[] index) {
        List<Set<Integer>> bases = new ArrayList<>();
        for (int from = 0; from < index.length; from += Lanes.COUNT) {
            Set<Integer> more = new LinkedHashSet<>();
            for (int lane = 0; lane < Lanes.COUNT; lane++) {
                more.add(index[from + lane]);
            }
            Set<Integer> joined = new LinkedHashSet<>(bases.isEmpty() ? more : bases.getLast());
            joined.addAll(more);
            if (bases.isEmpty() || joined.size() > Lanes.COUNT) {
                bases.add(more);
            } else {
                bases.set(bases.size() - 1, joined);
            }
        }
        return bases;
    }

    private void pickFrom(List<Set<Integer>> bases) {
        int base = 0;
        for (int vector = 0; vector < baseOf.length; vector++) {
            int from = vector * Lanes.COUNT;
            List<Integer> words = List.copyOf(bases.get(base));
            for (int lane = 0; lane < Lanes.COUNT; lane++) {
                if (!words.contains(index[from + lane])) {
                    base++;
                    words = List.copyOf(bases.get(base));
                    lane = -1;
                    continue;
                }
                pick[from + lane] = words.indexOf(index[from + lane]);
            }
            baseOf[vector] = base * Lanes.COUNT;
        }
        for (int at = 0; at < baseIndex.length; at++) {
            List<Integer> words = List.copyOf(bases.get(at / Lanes.COUNT));
            baseIndex[at] = words.get(at % Lanes.COUNT % words.size());
        }
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
        if (picked) {
            gather(words, baseIndex, baseWords);
            pick();
        } else {
            gather(words, index, gathered);
        }
    }

    private static void gather(int[] words, int[] index, int[] target) {
        for (int at = 0; at < target.length; at += Lanes.COUNT) {
            IntVector.fromArray(Lanes.INT, words, 0, index, at).intoArray(target, at);
        }
    }

    private void pick() {
        for (int vector = 0; vector < baseOf.length; vector++) {
            int at = vector * Lanes.COUNT;
            IntVector.fromArray(Lanes.INT, pick, at)
                    .selectFrom(IntVector.fromArray(Lanes.INT, baseWords, baseOf[vector]))
                    .intoArray(gathered, at);
        }
    }
}
