package dev.heddle.tensorcore.kernel;

import java.util.Arrays;

/// Which words hold the elements that a kernel wants in the lanes of its vectors.
///
/// A table lists pairs of vectors, sixteen lanes each. Where both elements of a lane stand in the
/// same word, and at the same bit in all lanes, one load serves the two vectors.
final class PairTable {
    private final int[] index0;
    private final int[] index1;
    private final int[] bits0;
    private final int[] bits1;
    private final boolean shared;

    private PairTable(int[] index0, int[] index1, int[] bits0, int[] bits1) {
        this.index0 = index0;
        this.index1 = index1;
        this.bits0 = bits0;
        this.bits1 = bits1;
        this.shared = Arrays.equals(index0, index1) && even(bits0) && even(bits1);
    }

    /// The rows of A, sixteen at a time: pair `2 * quad + w` of a block holds words `w` of a quad.
    /// Lanes beyond the last row repeat the rows before them.
    static PairTable rows(Placement a, KOrder order) {
        int blocks = Math.ceilDiv(a.majors(), Lanes.COUNT);
        int pairs = order.quads() * 2;
        return build(
                blocks * pairs,
                a,
                (pair, lane, _) -> (pair / pairs * Lanes.COUNT + lane) % a.majors(),
                (pair, _, i) -> order.kAt()[pair % pairs * 2 + i]);
    }

    /// The columns of B, eight at a time: lanes 0..7 of a pair hold word 0 of a quad, lanes 8..15
    /// word 1.
    static PairTable columns(Placement b, KOrder order) {
        int quads = order.quads();
        return build(
                b.majors() / 8 * quads,
                b,
                (pair, lane, _) -> pair / quads * 8 + lane % 8,
                (pair, lane, i) -> order.kAt()[pair % quads * 4 + lane / 8 * 2 + i]);
    }

    /// All k of each column of B, sixteen to a vector, two vectors to a pair; a column of eight
    /// fills its vector twice.
    static PairTable wholeColumns(Placement b) {
        int vectors = Math.ceilDiv(b.minors(), Lanes.COUNT);
        int pairs = Math.ceilDiv(b.majors() * vectors, 2);
        return build(
                pairs,
                b,
                (pair, _, i) -> (pair * 2 + i) / vectors,
                (pair, lane, i) -> ((pair * 2 + i) % vectors * Lanes.COUNT + lane) % b.minors());
    }

    private static PairTable build(
            int pairs, Placement placement, Coordinate major, Coordinate minor) {
        int[][] index = new int[2][pairs * Lanes.COUNT];
        int[][] bits = new int[2][pairs * Lanes.COUNT];
        for (int pair = 0; pair < pairs; pair++) {
            for (int lane = 0; lane < Lanes.COUNT; lane++) {
                for (int i = 0; i < 2; i++) {
                    int element =
                            major.of(pair, lane, i) * placement.minors() + minor.of(pair, lane, i);
                    index[i][pair * Lanes.COUNT + lane] = placement.word()[element];
                    bits[i][pair * Lanes.COUNT + lane] = placement.bit()[element];
                }
            }
        }
        return new PairTable(index[0], index[1], bits[0], bits[1]);
    }

    private boolean even(int[] bits) {
        for (int at = 0; at < bits.length; at++) {
            if (bits[at] != bits[at - at % Lanes.COUNT]) {
                return false;
            }
        }
        return true;
    }

    /// Whether one load serves both vectors of every pair.
    boolean shared() {
        return shared;
    }

    int pairs() {
        return index0.length / Lanes.COUNT;
    }

    int[] index0() {
        return index0;
    }

    int[] index1() {
        return index1;
    }

    int[] bits0() {
        return bits0;
    }

    int[] bits1() {
        return bits1;
    }

    /// The bit at which the first vector of a shared pair has its elements.
    int bit0(int pair) {
        return bits0[pair * Lanes.COUNT];
    }

    int bit1(int pair) {
        return bits1[pair * Lanes.COUNT];
    }

    private interface Coordinate {
        int of(int pair, int lane, int i);
    }
}
