package dev.heddle.tensorcore.kernel;

import dev.heddle.tensorcore.x86.ProductFunction;

/// What the machine code of a product depends on: its rule, its extents, and where the parts of its
/// memory begin. Places are bytes from the start of that memory.
sealed interface ProductLayout permits ChainLayout, FusedLayout, IntegerLayout {
    /// Set before each run: where the tables of the sparsity selector begin behind those of
    /// selector 0, and the sign bit if products change sign.
    int SELECTOR = ProductFunction.SELECTOR;

    int NEGATION = ProductFunction.NEGATION;

    /// Set before, too: where the words of scale factors are.
    int FACTORS_A = ProductFunction.FACTORS_A;

    int FACTORS_B = ProductFunction.FACTORS_B;
    int HEADER = 64;

    /// Bytes of an entry of [Moves]: sixteen words that say which words of two or four blocks it
    /// takes, sixteen bit positions, then 64-bit words.
    int ENTRY = 256;

    int ENTRY_BITS = 64;
    int ENTRY_BLOCKS = 128;
    int ENTRY_TARGETS = 160;
    int ENTRY_CANDIDATES = 192;

    /// Bytes of an entry of [Squares], behind two vectors of picks: four 64-bit words that say
    /// where blocks begin, four where vectors go.
    int SQUARE = 64;

    int SQUARE_TARGETS = 32;

    /// How the words of a vector are found.
    enum Fetch {
        /// In two blocks of sixteen words.
        TWO,
        /// In four.
        FOUR,
        /// Those of four vectors in four blocks, which have no others: [Squares.Order#PERMUTE].
        COLUMNS,
        /// The same, [Squares.Order#JOIN].
        ROWS,
        /// Anywhere: the words of an entry are bytes from the operand's first word.
        GATHER
    }

    /// Vectors of words that come from anywhere in an operand.
    ///
    /// @param table  entries, one for each vector
    /// @param target where the vectors go, one after the other
    record Moves(Fetch fetch, int table, int vectors, int target) {}

    /// How D goes to the registers.
    Moves d();

    /// The words of D, before they go there.
    int words();
}
