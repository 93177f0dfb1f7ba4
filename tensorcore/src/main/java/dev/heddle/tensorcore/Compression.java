package dev.heddle.tensorcore;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Matrix;
import dev.heddle.isa.Granularity;
import java.util.ArrayList;
import java.util.List;

/// A conforming sparse A in the order an instruction reads it: the stored elements of each row, and
/// a metadata nibble for each chunk.
///
/// Chunks with fewer elements than they may have keep zeros, those that stand first.
///
/// @param stored  m x k/2
/// @param nibbles m x chunks, indices in increasing order
public record Compression(Matrix stored, Matrix nibbles) {

    /// Compresses a tile.
    ///
    /// @throws IllegalArgumentException if a chunk has more nonzero elements than may be stored
    public static Compression of(Matrix a, Granularity granularity) {
        int width = granularity.width();
        int chunks = a.columns() / width;
        Matrix stored = Matrix.zeros(a.format(), a.rows(), chunks * granularity.stored());
        Matrix nibbles = Matrix.zeros(IntegerFormat.U4, a.rows(), chunks);
        for (int row = 0; row < a.rows(); row++) {
            for (int chunk = 0; chunk < chunks; chunk++) {
                List<Integer> kept = kept(a, granularity, row, chunk);
                nibbles.set(row, chunk, granularity.nibbleFor(kept));
                for (int i = 0; i < kept.size(); i++) {
                    stored.set(
                            row,
                            chunk * granularity.stored() + i,
                            a.bits(row, chunk * width + kept.get(i)));
                }
            }
        }
        return new Compression(stored, nibbles);
    }

    private static List<Integer> kept(Matrix a, Granularity granularity, int row, int chunk) {
        int unit = granularity.unit();
        int units = granularity.width() / unit;
        int room = granularity.stored() / unit;
        boolean[] needed = new boolean[units];
        int count = 0;
        for (int at = 0; at < units; at++) {
            for (int i = 0; i < unit; i++) {
                long code = a.bits(row, chunk * granularity.width() + at * unit + i);
                needed[at] |= !isZero(a.format(), code);
            }
            count += needed[at] ? 1 : 0;
        }
        if (count > room) {
            throw new IllegalArgumentException(
                    "row %d, columns %d..%d of A: %d of %d are not zero, a %s sparse A has at most %d"
                            .formatted(
                                    row,
                                    chunk * granularity.width(),
                                    (chunk + 1) * granularity.width() - 1,
                                    count,
                                    units,
                                    granularity,
                                    room));
        }
        List<Integer> kept = new ArrayList<>();
        int spare = room - count;
        for (int at = 0; at < units; at++) {
            boolean filler = !needed[at] && spare > 0;
            spare -= filler ? 1 : 0;
            for (int i = 0; (needed[at] || filler) && i < unit; i++) {
                kept.add(at * unit + i);
            }
        }
        return kept;
    }

    private static boolean isZero(Format format, long code) {
        return switch (format) {
            case FloatFormat number -> number.isZero(code);
            case IntegerFormat _ -> code == 0;
        };
    }
}
