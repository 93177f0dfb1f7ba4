package dev.heddle.tensorcore.kernel;

/// Which elements of an operand a kernel wants in the lanes of its vectors, sixteen to a vector.
///
/// @param index    for each vector and lane, the word that holds the element
/// @param bits     for each vector and lane, the lowest bit of the element in that word
/// @param pairStep how many vectors apart the two are whose exponents are packed into the same
///     words; 0 if each fills both halves
@SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
record VectorTable(int[] index, int[] bits, int pairStep) {

    /// The rows of A, sixteen at a time: of each block, a vector for each position of k. Lanes
    /// beyond the last row repeat the rows before them.
    ///
    /// @param pairStep 2 for a dense A, whose exponents are packed by two positions that share an
    ///     operation; 0 for a sparse one
    static VectorTable rows(Placement a, KOrder order, int pairStep) {
        int[] kAt = order.kAt();
        int blocks = Math.ceilDiv(a.majors(), Lanes.COUNT);
        return build(
                blocks * kAt.length,
                pairStep,
                a,
                (vector, lane) -> (vector / kAt.length * Lanes.COUNT + lane) % a.majors(),
                (vector, lane) -> kAt[vector % kAt.length]);
    }

    /// The columns of B, eight at a time: of each eight, a vector for every two positions of k, the
    /// first in lanes 0..7, the second in lanes 8..15.
    static VectorTable columns(Placement b, KOrder order) {
        int[] kAt = order.kAt();
        int steps = kAt.length / 2;
        return build(
                b.majors() / 8 * steps,
                1,
                b,
                (vector, lane) -> vector / steps * 8 + lane % 8,
                (vector, lane) -> kAt[vector % steps * 2 + lane / 8]);
    }

    /// All k of each column of B, sixteen to a vector; a column of eight fills its vector twice.
    /// The exponents of two columns are together.
    static VectorTable wholeColumns(Placement b) {
        int vectors = Math.ceilDiv(b.minors(), Lanes.COUNT);
        return build(
                b.majors() * vectors,
                vectors,
                b,
                (vector, lane) -> vector / vectors,
                (vector, lane) -> (vector % vectors * Lanes.COUNT + lane) % b.minors());
    }

    /// The elements of all majors, sixteen at a time: of each block, a vector for each minor.
    static VectorTable minors(Placement placement) {
        int minors = placement.minors();
        int blocks = Math.ceilDiv(placement.majors(), Lanes.COUNT);
        return build(
                blocks * minors,
                1,
                placement,
                (vector, lane) -> (vector / minors * Lanes.COUNT + lane) % placement.majors(),
                (vector, lane) -> vector % minors);
    }

    /// The only element of each major, in all lanes of a vector.
    static VectorTable each(Placement placement) {
        return build(placement.majors(), 1, placement, (vector, _) -> vector, (_, _) -> 0);
    }

    private static VectorTable build(
            int vectors, int pairStep, Placement placement, Coordinate major, Coordinate minor) {
        int[] index = new int[vectors * Lanes.COUNT];
        int[] bits = new int[index.length];
        for (int at = 0; at < index.length; at++) {
            int vector = at / Lanes.COUNT;
            int lane = at % Lanes.COUNT;
            int element = major.of(vector, lane) * placement.minors() + minor.of(vector, lane);
            index[at] = placement.word()[element];
            bits[at] = placement.bit()[element];
        }
        return new VectorTable(index, bits, pairStep);
    }

    private interface Coordinate {
        int of(int vector, int lane);
    }
}
