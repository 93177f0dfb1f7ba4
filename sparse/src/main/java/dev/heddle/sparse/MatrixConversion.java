package dev.heddle.sparse;

import dev.heddle.formats.InputException;
import dev.heddle.isa.Granularity;

import java.lang.foreign.Arena;
import java.util.Comparator;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/// Moves a matrix from one storage format to another, band after band of its rows, on as many cores
/// as the common pool has.
///
/// ```
/// StoredMatrix e = StoredMatrix.allocate(StorageFormats.named("cutlass-sm80"), a.type());
/// new Conversion(a, e).run();
/// ```
/// Between compressed formats the stored elements and their places move as they are, so that a
/// stored zero stays stored.
public final class MatrixConversion {
    private final StoredMatrix source;
    private final StoredMatrix target;
    private final Pruning pruning;
    private final LongConsumer progress;

    /// A conversion that refuses what does not conform.
    ///
    /// @throws InputException as below
    public MatrixConversion(StoredMatrix source, StoredMatrix target) {
        this(source, target, Pruning.REFUSE, _ -> {});
    }

    /// A conversion of matrices of one size and element format; a dense one may be smaller, and the
    /// rows and columns that it lacks are zeros.
    ///
    /// @param pruning  what becomes of chunks of a dense source that do not conform
    /// @param progress told of every so many rows done, by any thread
    /// @throws InputException if the matrices do not go together
    public MatrixConversion(
            StoredMatrix source, StoredMatrix target, Pruning pruning, LongConsumer progress) {
        MatrixType from = source.type();
        MatrixType to = target.type();
        boolean one = from.rows() == to.rows() && from.columns() == to.columns();
        boolean dense = source.format().dense();
        boolean fits =
                one
                        || (dense != target.format().dense()
                                && (dense ? holds(to, from) : holds(from, to)));
        if (!fits || from.format() != to.format()) {
            throw new InputException(
                    "%s as %s cannot become %s as %s: expected one size and one element format"
                            .formatted(from, source.format(), to, target.format()));
        }
        this.source = source;
        this.target = target;
        this.pruning = pruning;
        this.progress = progress;
    }

    private static boolean holds(MatrixType whole, MatrixType part) {
        return part.rows() <= whole.rows() && part.columns() <= whole.columns();
    }

    /// Converts.
    ///
    /// @return elements other than zero that pruning has left out
    /// @throws SparsityException if a chunk does not conform or its metadata is undefined, the one
    ///     in the first row at fault; the target then holds nothing of use
    public long run() {
        if (source.format().dense() && target.format().dense()) {
            target.values().copyFrom(source.values());
            return 0;
        }
        if (granularity(source, target) != granularity(target, source)) {
            return throughDense(source.type(), source, target, pruning, progress);
        }
        StoredMatrix compressed = source.format().dense() ? target : source;
        Arrangement arrangement = compressed.format().arrangement(compressed.type().format());
        Rows from = source.rows(arrangement, compressed.type(), pruning);
        move(compressed.type(), from, target.rows(arrangement, compressed.type(), pruning));
        return from instanceof DenseRows dense ? dense.dropped() : 0;
    }

    /// What a chunk of a compressed matrix is; of a dense one what it is on the other side.
    private static Granularity granularity(StoredMatrix matrix, StoredMatrix other) {
        StoredMatrix compressed = matrix.format().dense() ? other : matrix;
        return compressed.format().arrangement(compressed.type().format()).granularity();
    }

    /// The same by way of a dense matrix: chunks of one width need not conform as chunks of
    /// another, and padding of another size needs the matrix without any. Outside the heap, for it
    /// may be large.
    static long throughDense(
            MatrixType type,
            StoredMatrix source,
            StoredMatrix target,
            Pruning pruning,
            LongConsumer progress) {
        try (Arena arena = Arena.ofShared()) {
            StoredMatrix dense =
                    StoredMatrix.of(
                            StorageFormats.named("dense"), type, arena.allocate(type.bytes()));
            new MatrixConversion(source, dense).run();
            return new MatrixConversion(dense, target, pruning, progress).run();
        }
    }

    private void move(MatrixType type, Rows from, Rows to) {
        int tallest = Math.max(from.tallestTile(), to.tallestTile());
        int rows = Band.rows(type, tallest);
        int bands = Math.ceilDiv(type.rows(), rows);
        int places = Math.max(from.chunkPlaces(), to.chunkPlaces());
        int stored = Math.toIntExact(type.rowBytes() / 2);
        ConcurrentLinkedDeque<Band> free = new ConcurrentLinkedDeque<>();
        ConcurrentLinkedQueue<SparsityException> refused = new ConcurrentLinkedQueue<>();
        IntStream.range(0, bands)
                .parallel()
                .forEach(
                        index -> {
                            Band known = free.poll();
                            Band band = known == null ? new Band(rows, places, stored) : known;
                            band.moveTo(index * rows, type.rows() - index * rows);
                            try {
                                from.read(band);
                                to.write(band);
                            } catch (SparsityException e) {
                                refused.add(e);
                            }
                            progress.accept(band.count());
                            free.add(band);
                        });
        refused.stream()
                .min(Comparator.comparingInt(SparsityException::row))
                .ifPresent(
                        first -> {
                            throw first;
                        });
    }
}
