package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.LSHL;
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
    private final int[] positionOf;
    private final int[] nibbles;
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
        this.positionOf = new int[chunks * granularity.stored()];
        this.nibbles = new int[blocks * chunks * Lanes.COUNT];
        this.choice = new int[blocks * positionOf.length * Lanes.COUNT];
    }

    /// Lays the choices out for kernels that walk k in this order.
    void order(KOrder order) {
        for (int position = 0; position < positionOf.length; position++) {
            positionOf[order.kAt()[position]] = position;
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
        boolean halves = granularity == Granularity.ONE_OF_TWO;
        int unit = granularity.unit();
        int down = halves ? 3 : 2 * (i / unit);
        int mask = halves ? 1 : 3;
        int up = unit - 1;
        int vectors = nibbles.length / Lanes.COUNT;
        for (int vector = 0; vector < vectors; vector++) {
            int chunk = vector % chunks;
            int position =
                    vector / chunks * positionOf.length
                            + positionOf[chunk * granularity.stored() + i];
            IntVector.fromArray(Lanes.INT, nibbles, vector * Lanes.COUNT)
                    .lanewise(LSHR, down)
                    .and(mask)
                    .lanewise(LSHL, up)
                    .add(chunk * granularity.width() % Lanes.COUNT + i % unit)
                    .intoArray(choice, position * Lanes.COUNT);
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

    /// For each block of rows and position of k, sixteen indices into the vector of candidates.
    int[] choice() {
        return choice;
    }

    /// Where in a column of B the vector with the candidates of each position begins.
    int[] candidatesAt(KOrder order) {
        int[] candidates = new int[order.kAt().length];
        for (int position = 0; position < candidates.length; position++) {
            int chunk = order.kAt()[position] / granularity.stored();
            candidates[position] = chunk * granularity.width() / Lanes.COUNT * Lanes.COUNT;
        }
        return candidates;
    }
}
