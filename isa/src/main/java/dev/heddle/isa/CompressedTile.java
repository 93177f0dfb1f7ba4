package dev.heddle.isa;

import dev.heddle.formats.Matrix;

import java.util.Arrays;

/// A sparse A as the instruction reads it: stored elements, and one nibble of metadata a chunk.
///
/// @param tile    what it is the A of
/// @param stored  M x K/2 elements
/// @param indices M x chunks nibbles
public record CompressedTile(SparseTile tile, Matrix stored, Matrix indices) {

    /// @throws IllegalArgumentException if the stored matrix is of another size or format
    public CompressedTile {
        tile.check("the stored A", stored, tile.storedColumns());
    }

    /// The metadata words under a selector; lanes that it does not name hold zero.
    ///
    /// @throws IndexOutOfBoundsException if the form has no such selector
    public int[] words(int selector) {
        return words(selector, 0);
    }

    /// The metadata words under a selector.
    ///
    /// @param fill the word of the lanes that the selector does not name, whose words are ignored
    /// @return one word a lane
    /// @throws IndexOutOfBoundsException if the form has no such selector
    public int[] words(int selector, int fill) {
        Metadata metadata = tile.metadata();
        int[] words = new int[metadata.lanes()];
        Arrays.fill(words, fill);
        for (int lane : metadata.suppliers(selector)) {
            words[lane] = 0;
            for (int slot = 0; slot < Metadata.SLOTS; slot++) {
                Metadata.Nibble place = new Metadata.Nibble(lane, slot);
                Metadata.Chunk chunk = metadata.chunk(place);
                words[lane] |= (int) indices.bits(chunk.row(), chunk.chunk()) << place.bitLow();
            }
        }
        return words;
    }

    /// The M x K matrix: every stored element in its column, zero elsewhere.
    public Matrix expand() {
        Granularity granularity = tile.metadata().granularity();
        Matrix a = Matrix.zeros(tile.format(), tile.rows(), tile.columns());
        for (int row = 0; row < tile.rows(); row++) {
            for (int element = 0; element < tile.storedColumns(); element++) {
                int chunk = element / granularity.stored();
                int nibble = (int) indices.bits(row, chunk);
                int column = granularity.column(nibble, element % granularity.stored());
                a.set(row, chunk * granularity.width() + column, stored.bits(row, element));
            }
        }
        return a;
    }
}
