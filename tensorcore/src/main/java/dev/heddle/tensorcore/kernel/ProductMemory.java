package dev.heddle.tensorcore.kernel;

import dev.heddle.tensorcore.kernel.ProductLayout.Choices;
import dev.heddle.tensorcore.kernel.ProductLayout.Decoding;
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
/// is computed. The vector kernels keep the same in arrays ([VectorTable], [FusedKernel]).
final class ProductMemory {
    private static final int VECTOR = Lanes.COUNT * Integer.BYTES;

    private int[] words = new int[4096];
    private int size = ProductLayout.HEADER / Integer.BYTES;
    private final int reachA;
    private final int reachB;
    private final int reachC;
    private int reachMetadata = -1;
    private int selectorStep;
    private final ProductLayout layout;

    ProductMemory(
            KOrder order,
            FusedRule rule,
            FloatCode codeA,
            FloatCode codeB,
            Places places,
            AccumulatorTable accumulators,
            int[] writes,
            Optional<Sparsity> sparsity) {
        boolean dense = sparsity.isEmpty();
        VectorTable a = VectorTable.rows(places.a(), order, dense ? 2 : 0);
        VectorTable b =
                dense
                        ? VectorTable.columns(places.b(), order)
                        : VectorTable.wholeColumns(places.b());
        reachA = last(a.index());
        reachB = last(b.index());
        reachC = last(accumulators.index());
        int columns = places.d().minors();
        int plane = columns * Math.ceilDiv(places.d().majors(), Lanes.COUNT);
        int planeC = room(plane);
        int planeD = room(plane);
        layout =
                new ProductLayout(
                        rule,
                        Math.ceilDiv(places.d().majors(), Lanes.COUNT),
                        columns,
                        order.kAt().length,
                        Arrays.stream(order.passEnds()).boxed().toList(),
                        sparsity.map(each -> choices(each, order, places)).stream().toList(),
                        decoding(a, codeA),
                        decoding(b, codeB),
                        moves(accumulators.index(), new int[0], planeC),
                        moves(writes, new int[0], 0),
                        room(8),
                        room(8),
                        room(16),
                        planeC,
                        planeD);
    }

    ProductLayout layout() {
        return layout;
    }

    /// Whether arrays are as long as the tables take them to be.
    boolean fits(Inputs in, int[] metadata, int[] result) {
        return in.a().length > reachA
                && in.b().length > reachB
                && (!in.accumulate() || in.c().length > reachC)
                && metadata.length > reachMetadata
                && result.length >= layout.d().vectors() * Lanes.COUNT;
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

    /// The last word of the block of sixteen that the last element is in: permutations read
    /// whole blocks.
    private static int last(int[] index) {
        return Arrays.stream(index).max().orElse(0) | Lanes.COUNT - 1;
    }

    private int room(int vectors) {
        int at = size;
        size += vectors * Lanes.COUNT;
        if (size > words.length) {
            words = Arrays.copyOf(words, 2 * size);
        }
        return at * Integer.BYTES;
    }

    private void put(int place, int[] values, int from, int count) {
        System.arraycopy(values, from, words, place / Integer.BYTES, count);
    }

    private void putLong(int place, int value) {
        words[place / Integer.BYTES] = value;
    }

    private Decoding decoding(VectorTable table, FloatCode code) {
        int vectors = table.index().length / Lanes.COUNT;
        int values = room(vectors);
        int step = table.pairStep();
        int pairVectors = step == 0 ? vectors : vectors / 2;
        int pairs = room(Math.ceilDiv(pairVectors * Long.BYTES, VECTOR));
        for (int vector = 0; vector < pairVectors; vector++) {
            int first = step == 0 ? vector : vector / step * 2 * step + vector % step;
            putLong(pairs + vector * Long.BYTES, values + first * VECTOR);
        }
        int exponents = room(pairVectors);
        return new Decoding(
                moves(table.index(), table.bits(), values),
                code,
                pairs,
                pairVectors,
                step * VECTOR,
                exponents);
    }

    /// @param bits for each element, its place in its word; empty where whole words move
    private Moves moves(int[] index, int[] bits, int target) {
        WordPermutation permutation = WordPermutation.of(index);
        int vectors = index.length / Lanes.COUNT;
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

    private Choices choices(Sparsity sparsity, KOrder order, Places places) {
        SparseSelection picks = sparsity.picks(order);
        int[] candidateOf = sparsity.candidateOf();
        int tables = room(candidateOf.length / Lanes.COUNT);
        put(tables, candidateOf, 0, candidateOf.length);
        int choice = room(picks.choice().length / Lanes.COUNT);
        int stored = sparsity.granularity().stored();
        List<Moves> selectors = new ArrayList<>();
        for (Placement place : places.metadata()) {
            VectorTable table = VectorTable.minors(place);
            reachMetadata = Math.max(reachMetadata, last(table.index()));
            Moves moves = moves(table.index(), table.bits(), choice);
            for (int at = 0; at < moves.vectors() * stored; at++) {
                int entry = moves.table() + at % moves.vectors() * ProductLayout.ENTRY;
                int i = at / moves.vectors() * Long.BYTES;
                int target = choice + sparsity.choiceAt()[at] * Integer.BYTES;
                int from = tables + sparsity.tableAt()[at] * Integer.BYTES;
                putLong(entry + ProductLayout.ENTRY_TARGETS + i, target);
                putLong(entry + ProductLayout.ENTRY_CANDIDATES + i, from);
            }
            selectors.add(moves);
        }
        if (selectors.size() > 1) {
            selectorStep = selectors.get(1).table() - selectors.get(0).table();
        }
        List<Integer> candidates = new ArrayList<>();
        for (int position = 0; position < picks.candidates().length; position += picks.run()) {
            candidates.add(picks.candidates()[position]);
        }
        return new Choices(
                first(selectors), stored, choice, picks.run(), candidates, picks.columnStep());
    }

    /// The moves of selector 0, found as all selectors' are.
    private static Moves first(List<Moves> selectors) {
        Moves first = selectors.getFirst();
        if (selectors.stream().anyMatch(moves -> moves.fetch() != first.fetch())) {
            throw new IllegalArgumentException("selectors whose metadata are found differently");
        }
        return first;
    }
}
