package dev.heddle.tensorcore;

import dev.heddle.formats.Matrix;
import java.util.Optional;

/// The matrices of one instruction.
///
/// @param a          A, m x k; of a sparse form either dense and conforming, or its stored half
///     with metadata
/// @param b          B, k x n
/// @param c          C, m x n
/// @param metadata   for each row and chunk of a stored A, its nibble; empty if A is whole
/// @param scaleA     A's scale factors, m x vectors; empty without block scaling
/// @param scaleB     B's scale factors, vectors x n; empty without block scaling
/// @param accumulate whether C takes part
/// @param negateA    whether A's elements change sign (`imm-scale-a`)
/// @param negateB    whether B's elements change sign (`imm-scale-b`)
public record Tile(
        Matrix a,
        Matrix b,
        Matrix c,
        Optional<Matrix> metadata,
        Optional<Matrix> scaleA,
        Optional<Matrix> scaleB,
        boolean accumulate,
        boolean negateA,
        boolean negateB) {

    /// Three matrices and nothing else.
    public static Tile of(Matrix a, Matrix b, Matrix c) {
        return new Tile(
                a, b, c, Optional.empty(), Optional.empty(), Optional.empty(), true, false, false);
    }

    /// The same with a stored half as A.
    public Tile withStored(Matrix stored, Matrix nibbles) {
        return new Tile(
                stored, b, c, Optional.of(nibbles), scaleA, scaleB, accumulate, negateA, negateB);
    }

    /// The same with scale factors.
    public Tile withScales(Matrix ofA, Matrix ofB) {
        return new Tile(
                a,
                b,
                c,
                metadata,
                Optional.of(ofA),
                Optional.of(ofB),
                accumulate,
                negateA,
                negateB);
    }
}
