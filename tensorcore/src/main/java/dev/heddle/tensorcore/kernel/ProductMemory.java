package dev.heddle.tensorcore.kernel;

import dev.heddle.tensorcore.kernel.ProductLayout.Fetch;
import dev.heddle.tensorcore.kernel.ProductLayout.Moves;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The memory of a product in the making: tables that say where elements are, and room for what
/// is computed.
abstract sealed class ProductMemory permits ChainMemory, FusedMemory, IntegerMemory {
    static final int VECTOR = Lanes.COUNT * Integer.BYTES;

    private int[] words = new int[4096];
    private int size = ProductLayout.HEADER / Integer.BYTES;
    private int reachA;
    private int reachB;
    private int reachC;
    private int reachMetadata = -1;
    private int selectorStep;

    /// What it is the memory of.
    abstract ProductLayout layout();

    /// Whether arrays are as long as the tables take them to be.
    boolean fits(Inputs in, int[] metadata, int[] result) {
        return in.a().length > reachA
                && in.b().length > reachB
                && (!in.accumulate() || in.c().length > reachC)
                && metadata.length > reachMetadata
                && result.length >= layout().d().vectors() * Lanes.COUNT;
    }

    /// Puts what else an instruction has into the memory of its product.
    ///
    /// @return false where it takes another way
    boolean takes(Inputs in, MemorySegment memory) {
        return true;
    }

    /// Words that C has at least.
    int wordsOfC() {
        return reachC + 1;
    }

    /// How far apart the tables of two sparsity selectors are.
    int selectorStep() {
        return selectorStep;
    }

    /// The memory, as long as something can reach it.
    MemorySegment allocate() {
        MemorySegment memory = Arena.ofAuto().allocate((long) size * Integer.BYTES, VECTOR);
        MemorySegment.copy(words, 0, memory, ValueLayout.JAVA_INT, 0, size);
        return memory;
    }

    /// Says which words of the operands are read.
    final void reach(int[] a, int[] b, int[] c) {
        reachA = last(a);
        reachB = last(b);
        reachC = last(c);
    }

    /// The last word of the block of sixteen that the last element is in: permutations read
    /// whole blocks.
    private static int last(int[] index) {
        return Arrays.stream(index).max().orElse(0) | Lanes.COUNT - 1;
    }

    final int room(int vectors) {
        int at = size;
        size += vectors * Lanes.COUNT;
        if (size > words.length) {
            words = Arrays.copyOf(words, 2 * size);
        }
        return at * Integer.BYTES;
    }

    final void put(int place, int[] values, int from, int count) {
        System.arraycopy(values, from, words, place / Integer.BYTES, count);
    }

    final void putLong(int place, int value) {
        words[place / Integer.BYTES] = value;
    }

    /// @param bits for each element, its place in its word; empty where whole words move
    final Moves moves(int[] index, int[] bits, int target) {
        WordPermutation permutation = WordPermutation.of(index);
        int vectors = index.length / Lanes.COUNT;
        if (permutation.fetch() == Fetch.FOUR && bits.length == 0) {
            Optional<Squares> squares = Squares.of(permutation, vectors);
            if (squares.isPresent()) {
                return squares(squares.get(), vectors, target);
            }
        }
        int table = room(vectors * ProductLayout.ENTRY / VECTOR);
        Fetch fetch = permutation.fetch();
        for (int vector = 0; vector < vectors; vector++) {
            int entry = table + vector * ProductLayout.ENTRY;
            int from = vector * Lanes.COUNT;
            if (fetch == Fetch.GATHER) {
                int[] bytes =
                        Arrays.stream(index, from, from + Lanes.COUNT)
                                .map(word -> word * Integer.BYTES)
                                .toArray();
                put(entry, bytes, 0, Lanes.COUNT);
            } else {
                put(entry, permutation.picks(), from, Lanes.COUNT);
                for (int i = 0; i < WordPermutation.BLOCKS; i++) {
                    int block = permutation.block(vector, i);
                    putLong(
                            entry + ProductLayout.ENTRY_BLOCKS + i * Long.BYTES,
                            block * Integer.BYTES);
                }
            }
            if (bits.length > 0) {
                put(entry + ProductLayout.ENTRY_BITS, bits, from, Lanes.COUNT);
            }
        }
        return new Moves(fetch, table, vectors, target);
    }

    private Moves squares(Squares squares, int vectors, int target) {
        int[] picks = squares.picks().stream().mapToInt(Integer::intValue).toArray();
        int table = room(2);
        put(table, picks, 0, picks.length);
        for (Squares.Square square : squares.squares()) {
            int entry = room(ProductLayout.SQUARE / VECTOR);
            for (int i = 0; i < WordPermutation.BLOCKS; i++) {
                putLong(entry + i * Long.BYTES, square.blocks().get(i) * Integer.BYTES);
                int vector = square.vectors().get(i) * VECTOR;
                putLong(entry + ProductLayout.SQUARE_TARGETS + i * Long.BYTES, vector);
            }
        }
        Fetch fetch = squares.order() == Squares.Order.JOIN ? Fetch.ROWS : Fetch.COLUMNS;
        return new Moves(fetch, table, vectors, target);
    }

    /// Moves of the nibbles of each sparsity selector, found alike.
    final List<Moves> metadata(List<Placement> places, int target) {
        List<Moves> selectors = new ArrayList<>();
        for (Placement place : places) {
            VectorTable table = VectorTable.minors(place);
            reachMetadata = Math.max(reachMetadata, last(table.index()));
            selectors.add(moves(table.index(), table.bits(), target));
        }
        if (selectors.stream().map(Moves::fetch).distinct().count() > 1) {
            throw new IllegalArgumentException("selectors whose metadata are found differently");
        }
        if (selectors.size() > 1) {
            selectorStep = selectors.get(1).table() - selectors.get(0).table();
        }
        return selectors;
    }
}
