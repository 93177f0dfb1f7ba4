package dev.heddle.tensorcore.kernel;

import dev.heddle.tensorcore.x86.ProductFunction;

import java.util.List;

/// What the machine code of a product depends on: its rule, its extents, and where the parts of its
/// memory begin. Places are bytes from the start of that memory.
///
/// @param choices for a sparse A, how the metadata become choices
/// @param passEnds the first position of k after each group of the accumulation
/// @param a       how A becomes values and exponents, a vector for each block of rows and position
///     of k
/// @param b       B likewise
/// @param c       how C comes from the registers
/// @param d       how D goes there
/// @param largest eight vectors, the largest exponents of eight columns
/// @param scales  eight vectors, what makes the unit of their truncation 1
/// @param sums    sixteen vectors, two partial sums of each column
/// @param planeC  C, a vector for each block of rows and column
/// @param planeD  D likewise
record ProductLayout(
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
        int largest,
        int scales,
        int sums,
        int planeC,
        int planeD) {

    /// Set before each run: where the tables of the sparsity selector begin behind those of
    /// selector 0, and the sign bit if products change sign.
    static final int SELECTOR = ProductFunction.SELECTOR;

    static final int NEGATION = ProductFunction.NEGATION;
    static final int HEADER = 64;

    /// Bytes of an entry of [Moves]: sixteen words that say which words of two or four blocks it
    /// takes, sixteen bit positions, then 64-bit words.
    static final int ENTRY = 256;

    static final int ENTRY_BITS = 64;
    static final int ENTRY_BLOCKS = 128;
    static final int ENTRY_TARGETS = 160;
    static final int ENTRY_CANDIDATES = 192;

    /// How the words of a vector are found.
    enum Fetch {
        /// In two blocks of sixteen words.
        TWO,
        /// In four.
        FOUR,
        /// Anywhere: the words of an entry are bytes from the operand's first word.
        GATHER
    }

    /// Vectors of words that come from anywhere in an operand.
    ///
    /// @param table  entries, one for each vector
    /// @param target where the vectors go, one after the other
    record Moves(Fetch fetch, int table, int vectors, int target) {}

    /// How an operand becomes values and exponents.
    ///
    /// @param pairs     for each vector of exponents, where the first of its two vectors of values
    ///     begins
    /// @param step      from there to the second
    /// @param exponents where the vectors of exponents go
    record Decoding(
            Moves moves, FloatCode code, int pairs, int pairVectors, int step, int exponents) {}

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

    boolean sparse() {
        return !choices.isEmpty();
    }
}
