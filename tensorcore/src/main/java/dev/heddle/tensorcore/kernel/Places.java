package dev.heddle.tensorcore.kernel;

import java.util.List;
import java.util.Optional;

/// Where all operands of an instruction are, each in its own array of words.
///
/// @param a        A by row and k; of a sparse A, the stored k
/// @param b        B by column and k
/// @param c        C by row and column
/// @param d        D by row and column
/// @param metadata for each sparsity selector, the nibbles by row and chunk; empty for a dense A
/// @param scaleA   A's scale factors by row and vector, if any
/// @param scaleB   B's scale factors by column and vector, if any
public record Places(
        Placement a,
        Placement b,
        Placement c,
        Placement d,
        List<Placement> metadata,
        Optional<Placement> scaleA,
        Optional<Placement> scaleB) {
    public Places {
        metadata = List.copyOf(metadata);
    }
}
