package dev.heddle.tensorcore.kernel;

import dev.heddle.tensorcore.kernel.FusedLayout.Choices;
import dev.heddle.tensorcore.kernel.FusedLayout.Decoding;
import dev.heddle.tensorcore.kernel.FusedLayout.Factors;
import dev.heddle.tensorcore.kernel.ProductLayout.Moves;
import dev.heddle.tensorcore.x86.ProductFunction;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The memory of a fused sum. The vector kernels keep the same in arrays ([VectorTable],
/// [FusedKernel]).
final class FusedMemory extends ProductMemory {
    /// One register of each lane.
    private static final int FACTOR_WORDS = 32;

    private final FusedLayout layout;
    // Where words of scale factors are put, those of A before those of B; 0 without
    private final int factorWords;

    FusedMemory(
            KOrder order,
            FusedRule rule,
            FloatCode codeA,
            FloatCode codeB,
            Optional<FloatCode> factors,
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
        reach(a.index(), b.index(), accumulators.index());
        int columns = places.d().minors();
        int plane = columns * Math.ceilDiv(places.d().majors(), Lanes.COUNT);
        int planeC = room(plane);
        int planeD = rule.accumulatorLast() ? room(plane) : planeC;
        int pairs = room(rule.half() ? plane / 2 : 0);
        factorWords = factors.isEmpty() ? 0 : room(2 * FACTOR_WORDS / Lanes.COUNT);
        layout =
                new FusedLayout(
                        rule,
                        Math.ceilDiv(places.d().majors(), Lanes.COUNT),
                        columns,
                        order.kAt().length,
                        Arrays.stream(order.passEnds()).boxed().toList(),
                        sparsity.map(each -> choices(each, order, places)).stream().toList(),
                        decoding(a, codeA),
                        decoding(b, codeB),
                        moves(accumulators.index(), new int[0], rule.half() ? pairs : planeC),
                        moves(writes, new int[0], 0),
                        planeC,
                        planeD,
                        pairs,
                        factors.map(each -> scales(each, rule, places, dense)).orElse(List.of()),
                        room(rule.termsOfMany() ? order.passEnds().length * columns : 0));
    }

    @Override
    boolean takes(Inputs in, MemorySegment memory) {
        if (factorWords == 0) {
            return true;
        }
        return put(in.scaleA(), memory, factorWords, ProductFunction.FACTORS_A)
                && put(
                        in.scaleB(),
                        memory,
                        factorWords + FACTOR_WORDS * Integer.BYTES,
                        ProductFunction.FACTORS_B);
    }

    private static boolean put(int[] words, MemorySegment memory, int place, int address) {
        if (words.length < FACTOR_WORDS) {
            return false;
        }
        MemorySegment.copy(words, 0, memory, ValueLayout.JAVA_INT, place, FACTOR_WORDS);
        memory.set(ValueLayout.JAVA_LONG, address, memory.address() + place);
        return true;
    }

    private List<Factors> scales(FloatCode code, FusedRule rule, Places places, boolean dense) {
        Placement ofA = places.scaleA().orElseThrow();
        Placement ofB = places.scaleB().orElseThrow();
        boolean byColumn = !dense && !rule.termsOfMany();
        return List.of(
                factors(VectorTable.minors(ofA), code),
                factors(byColumn ? VectorTable.each(ofB) : VectorTable.minors(ofB), code));
    }

    private Factors factors(VectorTable table, FloatCode code) {
        int vectors = table.index().length / Lanes.COUNT;
        Moves codes = moves(table.index(), table.bits(), 0);
        return new Factors(codes, code, room(2 * vectors), room(2 * vectors));
    }

    @Override
    FusedLayout layout() {
        return layout;
    }

    private Decoding decoding(VectorTable table, FloatCode code) {
        int vectors = table.index().length / Lanes.COUNT;
        Map<List<Integer>, Integer> words = new LinkedHashMap<>();
        Map<List<Integer>, Integer> shifts = new HashMap<>();
        int elements = room(Math.ceilDiv(vectors * 2 * Long.BYTES, VECTOR));
        for (int vector = 0; vector < vectors; vector++) {
            int word = words.computeIfAbsent(lanes(table.index(), vector), _ -> words.size());
            int shift = shifts.computeIfAbsent(lanes(table.bits(), vector), this::put);
            putLong(elements + 2 * vector * Long.BYTES, word * VECTOR);
            putLong(elements + (2 * vector + 1) * Long.BYTES, shift);
        }
        int[] index =
                words.keySet().stream().flatMap(List::stream).mapToInt(each -> each).toArray();
        Moves moves = moves(index, new int[0], room(words.size()));
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
                moves,
                elements,
                vectors,
                values,
                code,
                pairs,
                pairVectors,
                step * VECTOR,
                exponents);
    }

    private static List<Integer> lanes(int[] of, int vector) {
        int from = vector * Lanes.COUNT;
        return Arrays.stream(of, from, from + Lanes.COUNT).boxed().toList();
    }

    private int put(List<Integer> lanes) {
        int place = room(1);
        put(place, lanes.stream().mapToInt(each -> each).toArray(), 0, Lanes.COUNT);
        return place;
    }

    private Choices choices(Sparsity sparsity, KOrder order, Places places) {
        SparseSelection picks = sparsity.picks(order);
        int[] candidateOf = sparsity.candidateOf();
        int tables = room(candidateOf.length / Lanes.COUNT);
        put(tables, candidateOf, 0, candidateOf.length);
        int choice = room(picks.choice().length / Lanes.COUNT);
        int stored = sparsity.granularity().stored();
        List<Moves> selectors = metadata(places.metadata(), choice);
        for (Moves moves : selectors) {
            for (int at = 0; at < moves.vectors() * stored; at++) {
                int entry = moves.table() + at % moves.vectors() * ProductLayout.ENTRY;
                int i = at / moves.vectors() * Long.BYTES;
                int target = choice + sparsity.choiceAt()[at] * Integer.BYTES;
                int from = tables + sparsity.tableAt()[at] * Integer.BYTES;
                putLong(entry + ProductLayout.ENTRY_TARGETS + i, target);
                putLong(entry + ProductLayout.ENTRY_CANDIDATES + i, from);
            }
        }
        List<Integer> candidates = new ArrayList<>();
        for (int position = 0; position < picks.candidates().length; position += picks.run()) {
            candidates.add(picks.candidates()[position]);
        }
        return new Choices(
                selectors.getFirst(), stored, choice, picks.run(), candidates, picks.columnStep());
    }
}
