package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.LSHR;

import dev.heddle.isa.Granularity;

import jdk.incubator.vector.IntVector;

import java.util.List;

/// The metadata of a sparse A, as the instruction at hand has it: which element of B each stored
/// element of A multiplies.
public final class Sparsity {
    // Beside a choice: the nibble is not one that the manual defines
    static final int UNDEFINED = 1 << 8;

    private final Granularity granularity;
    private final int rows;
    private final int chunks;
    // One bit for each nibble that the manual defines
    private final int legalNibbles;
    private final List<WordGather> gathers;
    // The one last read
    private WordGather last;
    // For each chunk among the sixteen candidates, i and nibble: the i-th stored element's
    // candidate
    private final int[] candidateOf;
    // For each i, block and chunk: where its candidates begin there
    private final int[] tableAt;
    // and where the choice goes
    private final int[] choiceAt;
    private final int[] choice;

    /// @param places       for each selector, where the nibbles are by row and chunk
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
        this.last = gathers.getFirst();
        this.candidateOf = candidates();
        this.tableAt = new int[last.vectors() * granularity.stored()];
        this.choiceAt = new int[tableAt.length];
        this.choice = new int[tableAt.length * Lanes.COUNT];
    }

    private int[] candidates() {
        int[] candidates = new int[Lanes.COUNT / granularity.width() * granularity.stored() * 16];
        for (int at = 0; at < candidates.length; at++) {
            int nibble = at % 16;
            int i = at / 16 % granularity.stored();
            int chunk = at / 16 / granularity.stored();
            candidates[at] =
                    chunk * granularity.width()
                            + granularity.column(nibble, i)
                            + (legal(nibble) ? 0 : UNDEFINED);
        }
        return candidates;
    }

    /// Lays the choices out for kernels that walk k in this order.
    private void order(KOrder order) {
        int stored = granularity.stored();
        int[] positionOf = new int[chunks * stored];
        for (int position = 0; position < positionOf.length; position++) {
            positionOf[order.kAt()[position]] = position;
        }
        int chunksAmongCandidates = Lanes.COUNT / granularity.width();
        int vectors = last.vectors();
        for (int at = 0; at < choiceAt.length; at++) {
            int i = at / vectors;
            int block = at % vectors / chunks;
            int chunk = at % chunks;
            int position = block * positionOf.length + positionOf[chunk * stored + i];
            choiceAt[at] = position * Lanes.COUNT;
            tableAt[at] = (chunk % chunksAmongCandidates * stored + i) * Lanes.COUNT;
        }
    }

    /// Reads metadata words.
    ///
    /// @return whether the manual defines all nibbles
    public boolean read(int[] words, int selector) {
        last = gathers.get(selector);
        last.read(words);
        boolean legal = true;
        for (int i = 0; i < granularity.stored(); i += 2) {
            legal &= choose(i, i + 1 < granularity.stored());
        }
        return legal;
    }

    /// Finds which candidates the i-th stored elements of all chunks multiply.
    ///
    /// @param andNext whether those of the next ones, too
    private boolean choose(int i, boolean andNext) {
        int[] sources = last.sources();
        int[] bits = last.bits();
        int[] gathered = last.gathered();
        int first = i * sources.length;
        int second = first + sources.length;
        IntVector all = IntVector.zero(Lanes.INT);
        for (int vector = 0; vector < sources.length; vector++) {
            IntVector nibble =
                    IntVector.fromArray(Lanes.INT, gathered, sources[vector])
                            .lanewise(
                                    LSHR,
                                    IntVector.fromArray(Lanes.INT, bits, vector * Lanes.COUNT));
            all = choose(nibble, first + vector).or(all);
            if (andNext) {
                choose(nibble, second + vector);
            }
        }
        return all.and(UNDEFINED).compare(EQ, 0).allTrue();
    }

    /// @param nibbles in the low bits of each word; the others do not matter, as a vector of
    ///     sixteen is asked for lanes modulo sixteen
    private IntVector choose(IntVector nibbles, int at) {
        IntVector chosen =
                nibbles.selectFrom(IntVector.fromArray(Lanes.INT, candidateOf, tableAt[at]));
        chosen.intoArray(choice, choiceAt[at]);
        return chosen;
    }

    /// The nibble of a chunk, as last read.
    public int nibble(int row, int chunk) {
        int vector = row / Lanes.COUNT * chunks + chunk;
        int lane = row % Lanes.COUNT;
        int word = last.gathered()[last.sources()[vector] + lane];
        return word >>> last.bits()[vector * Lanes.COUNT + lane] & 15;
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

    /// For each chunk among the sixteen candidates, i and nibble, the candidate of the i-th stored
    /// element; [#UNDEFINED] beside it where the manual does not define the nibble.
    int[] candidateOf() {
        return candidateOf;
    }

    /// For each i, block and chunk, where in [#candidateOf] it begins.
    int[] tableAt() {
        return tableAt;
    }

    /// and where its choice goes.
    int[] choiceAt() {
        return choiceAt;
    }

    Granularity granularity() {
        return granularity;
    }

    /// What kernels pick that walk k in this order; the choices are laid out for them.
    SparseSelection picks(KOrder order) {
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
        return new SparseSelection(run, candidates, columnStep, choice);
    }

    private static int greatestCommonDivisor(int x, int y) {
        return y == 0 ? x : greatestCommonDivisor(y, x % y);
    }
}
