package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.LSHR;

import dev.heddle.isa.Granularity;
import java.util.List;
import jdk.incubator.vector.IntVector;

/// The metadata of a sparse A, as the instruction at hand has it: which element of B each stored
/// element of A multiplies.
public final class Sparsity {
    private final Granularity granularity;
    private final int rows;
    private final int chunks;
    // One bit for each nibble that the manual defines
    private final int legalNibbles;
    private final List<WordGather> gathers;
    private final int[] nibbles;
    // For each i and nibble, the column of its chunk that the i-th stored element multiplies
    private final int[] columnOf;
    // For each i, block and chunk: the first candidate
    private final int[] firstCandidate;
    // and where the choice goes
    private final int[] choiceAt;
    private final int[] choice;

    /// @param places       for each selector, where the nibbles stand by row and chunk
    /// @param legalNibbles the nibbles that the manual defines
    public Sparsity(Granularity granularity, List<Placement> places, List<Integer> legalNibbles) {
        this.granularity = granularity;
        this.rows = places.getFirst().majors();
        this.chunks = places.getFirst().minors();
        int legal = 0;
        for (int nibble : legalNibbles) {
            legal |= 1 << nibble;
        }
        this.legalNibbles = legal;
        this.gathers =
                places.stream().map(place -> new WordGather(VectorTable.minors(place))).toList();
        int blocks = Math.ceilDiv(rows, Lanes.COUNT);
        this.nibbles = new int[blocks * chunks * Lanes.COUNT];
        this.columnOf = new int[granularity.stored() * Lanes.COUNT];
        for (int at = 0; at < columnOf.length; at++) {
            columnOf[at] = granularity.column(at % Lanes.COUNT, at / Lanes.COUNT);
        }
        this.firstCandidate = new int[blocks * chunks * granularity.stored()];
        this.choiceAt = new int[firstCandidate.length];
        this.choice = new int[firstCandidate.length * Lanes.COUNT];
    }

    /// Lays the choices out for kernels that walk k in this order.
    private void order(KOrder order) {
        int stored = granularity.stored();
        int[] positionOf = new int[chunks * stored];
        for (int position = 0; position < positionOf.length; position++) {
            positionOf[order.kAt()[position]] = position;
        }
        int vectors = nibbles.length / Lanes.COUNT;
        for (int at = 0; at < choiceAt.length; at++) {
            int i = at / vectors;
            int block = at % vectors / chunks;
            int chunk = at % chunks;
            int position = block * positionOf.length + positionOf[chunk * stored + i];
            choiceAt[at] = position * Lanes.COUNT;
            firstCandidate[at] = chunk * granularity.width() % Lanes.COUNT;
        }
    }

    /// Reads metadata words.
    ///
    /// @return whether the manual defines all nibbles
    public boolean read(int[] words, int selector) {
        WordGather gather = gathers.get(selector);
        gather.read(words);
        boolean legal = extract(gather);
        for (int i = 0; i < granularity.stored(); i++) {
            choose(i);
        }
        return legal;
    }

    private boolean extract(WordGather gather) {
        int[] sources = gather.sources();
        int[] bits = gather.bits();
        int[] gathered = gather.gathered();
        IntVector legal = IntVector.broadcast(Lanes.INT, 1);
        for (int vector = 0; vector < sources.length; vector++) {
            int at = vector * Lanes.COUNT;
            IntVector nibble =
                    IntVector.fromArray(Lanes.INT, gathered, sources[vector])
                            .lanewise(LSHR, IntVector.fromArray(Lanes.INT, bits, at))
                            .and(15);
            nibble.intoArray(nibbles, at);
            legal = legal.and(IntVector.broadcast(Lanes.INT, legalNibbles).lanewise(LSHR, nibble));
        }
        return !legal.compare(EQ, 0).anyTrue();
    }

    /// Finds which candidates the i-th stored elements of all chunks multiply.
    private void choose(int i) {
        int vectors = nibbles.length / Lanes.COUNT;
        int from = i * vectors;
        IntVector column = IntVector.fromArray(Lanes.INT, columnOf, i * Lanes.COUNT);
        for (int vector = 0; vector < vectors; vector++) {
            IntVector.fromArray(Lanes.INT, nibbles, vector * Lanes.COUNT)
                    .selectFrom(column)
                    .add(firstCandidate[from + vector])
                    .intoArray(choice, choiceAt[from + vector]);
        }
    }

    /// The nibble of a chunk, as last read.
    public int nibble(int row, int chunk) {
        return nibbles[(row / Lanes.COUNT * chunks + chunk) * Lanes.COUNT + row % Lanes.COUNT];
    }

    /// Whether the manual defines a nibble for this form.
    public boolean legal(int nibble) {
        return (legalNibbles >>> nibble & 1) != 0;
    }

    public int rows() {
        return rows;
    }

    public int chunks() {
        return chunks;
    }

    Granularity granularity() {
        return granularity;
    }

    /// What kernels pick that walk k in this order; the choices are laid out for them.
    Picks picks(KOrder order) {
        order(order);
        int[] candidates = new int[order.kAt().length];
        int run = candidates.length;
        for (int position = 0; position < candidates.length; position++) {
            int chunk = order.kAt()[position] / granularity.stored();
            candidates[position] = chunk * granularity.width() / Lanes.COUNT * Lanes.COUNT;
            if (position > 0 && candidates[position] != candidates[position - 1]) {
                run = greatestCommonDivisor(run, position);
            }
        }
        for (int end : order.passEnds()) {
            run = greatestCommonDivisor(run, end);
        }
        int columnStep = Math.ceilDiv(chunks * granularity.width(), Lanes.COUNT) * Lanes.COUNT;
        return new Picks(run, candidates, columnStep, choice);
    }

    private static int greatestCommonDivisor(int x, int y) {
        return y == 0 ? x : greatestCommonDivisor(y, x % y);
    }
}
