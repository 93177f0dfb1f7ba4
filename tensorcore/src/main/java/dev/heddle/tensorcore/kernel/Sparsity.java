package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.LSHR;

import dev.heddle.isa.Granularity;
import java.util.ArrayList;
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
    private final List<int[]> index;
    private final List<int[]> bits;
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
        this.index = new ArrayList<>();
        this.bits = new ArrayList<>();
        for (Placement place : places) {
            index.add(byRows(place, place.word()));
            bits.add(byRows(place, place.bit()));
        }
        int blocks = Math.ceilDiv(rows, Lanes.COUNT);
        this.positionOf = new int[chunks * granularity.stored()];
        this.nibbles = new int[blocks * chunks * Lanes.COUNT];
        this.choice = new int[blocks * positionOf.length * Lanes.COUNT];
    }

    private static int[] byRows(Placement place, int[] table) {
        int blocks = Math.ceilDiv(place.majors(), Lanes.COUNT);
        int[] byRows = new int[blocks * place.minors() * Lanes.COUNT];
        for (int at = 0; at < byRows.length; at++) {
            int row = at / Lanes.COUNT / place.minors() * Lanes.COUNT + at % Lanes.COUNT;
            int chunk = at / Lanes.COUNT % place.minors();
            byRows[at] = table[row % place.majors() * place.minors() + chunk];
        }
        return byRows;
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
        int[] wordIndex = index.get(selector);
        int[] bit = bits.get(selector);
        int legal = 1;
        for (int at = 0; at < nibbles.length; at++) {
            int nibble = words[wordIndex[at]] >>> bit[at] & 15;
            nibbles[at] = nibble;
            legal &= legalNibbles >>> nibble;
        }
        choose();
        return legal != 0;
    }

    private void choose() {
        int stored = granularity.stored();
        int unit = granularity.unit();
        boolean halves = granularity == Granularity.ONE_OF_TWO;
        for (int vector = 0; vector < nibbles.length / Lanes.COUNT; vector++) {
            IntVector nibble = IntVector.fromArray(Lanes.INT, nibbles, vector * Lanes.COUNT);
            int chunk = vector % chunks;
            int block = vector / chunks;
            int first = chunk * granularity.width() % Lanes.COUNT;
            for (int i = 0; i < stored; i++) {
                IntVector which =
                        halves
                                ? nibble.lanewise(LSHR, 3)
                                : nibble.lanewise(LSHR, 2 * (i / unit)).and(3);
                int position = block * positionOf.length + positionOf[chunk * stored + i];
                which.mul(unit).add(first + i % unit).intoArray(choice, position * Lanes.COUNT);
            }
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

    /// The vector of a column of B that holds the candidates of each position.
    int[] candidateVectors(KOrder order) {
        int[] vectors = new int[order.kAt().length];
        for (int position = 0; position < vectors.length; position++) {
            int chunk = order.kAt()[position] / granularity.stored();
            vectors[position] = chunk * granularity.width() / Lanes.COUNT;
        }
        return vectors;
    }
}
