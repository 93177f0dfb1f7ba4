package dev.heddle.tensorcore.kernel;

import java.util.List;

/// What the machine code of fused sums depends on.
///
/// @param choices for a sparse A, how the metadata become choices
/// @param passEnds the first position of k after each group of the accumulation
/// @param a       how A becomes values and exponents, a vector for each block of rows and position
///     of k
/// @param b       B likewise
/// @param c       how C comes from the registers
/// @param d       how D goes there
/// @param planeC  C, a vector for each block of rows and column
/// @param planeD  D likewise; where C is a term of the first sum, in its place
/// @param pairs   where two columns of f16 accumulators share words: a vector for every two of C,
///     and later of D
/// @param scales  how the scale factors of A and of B are read; empty without
/// @param terms   of [TermSumCode], a vector for each term and column
record FusedLayout(
        FusedRule rule,
        int blocks,
        int columns,
        int k,
        List<Integer> passEnds,
        List<Choices> choices,
        Decoding a,
        Decoding b,
        Moves c,
        Moves d,
        int planeC,
        int planeD,
        int pairs,
        List<Factors> scales,
        int terms)
        implements ProductLayout {

    /// How an operand becomes values and exponents.
    ///
    /// @param words     how its words come from the registers, each once
    /// @param elements  for each vector of values, which vector of words it is from, and by how
    ///     much these are shifted
    /// @param values    where the vectors of values go
    /// @param pairs     for each vector of exponents, where the first of its two vectors of values
    ///     begins
    /// @param step      from there to the second
    /// @param exponents where the vectors of exponents go
    record Decoding(
            Moves words,
            int elements,
            int vectors,
            int values,
            FloatCode code,
            int pairs,
            int pairVectors,
            int step,
            int exponents) {}

    /// How scale factors become numbers.
    ///
    /// Of terms that are single products there are a vector of factors as `float` and one of their
    /// exponents in both halves of words, for sixteen rows or for the columns of B; where A is
    /// sparse, a vector of factors for each column, and one of exponents for every two. Of others
    /// there are two vectors of factors as `double` for each vector of codes, and two of the powers
    /// of two that are their exponents.
    ///
    /// @param codes     how they come from the registers
    /// @param factors   where they go
    /// @param exponents where their exponents go
    record Factors(Moves codes, FloatCode code, int factors, int exponents) {}

    /// How metadata become choices, and what they choose from.
    ///
    /// @param stored     elements of A that a nibble speaks of
    /// @param choice     for each position of k and block, which of sixteen each lane takes
    /// @param run        how many neighbouring positions choose from the same sixteen
    /// @param candidates for each run, where in a column these begin, in words
    /// @param columnStep how far apart columns stand, in words
    record Choices(
            Moves moves,
            int stored,
            int choice,
            int run,
            List<Integer> candidates,
            int columnStep) {}

    /// Whether the sum of that many terms and an accumulator may have more than 32 bits. That of
    /// half the terms and the accumulator has not.
    boolean mayLeave32Bits(int terms) {
        double term = largestSignificand(a) * largestSignificand(b);
        double unit = Math.scalb(1.0, rule.fractionBits());
        if ((term * terms / 2 + 2) * unit >= 0x1p31) {
            throw new IllegalStateException("sums of %d terms by %s".formatted(terms, rule));
        }
        return (term * terms + 2) * unit >= 0x1p31;
    }

    private static double largestSignificand(Decoding operand) {
        return 2 - Math.scalb(1.0, operand.code().toFloat() - VectorCode.FRACTION);
    }

    boolean sparse() {
        return !choices.isEmpty();
    }

    @Override
    public int words() {
        return rule.half() ? pairs : planeD;
    }
}
