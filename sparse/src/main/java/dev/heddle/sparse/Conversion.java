package dev.heddle.sparse;

import dev.heddle.isa.Granularity;

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
public final class Conversion {
    private final StoredMatrix source;
    private final StoredMatrix target;
    private final Pruning pruning;
    private final LongConsumer progress;

    /// A conversion that refuses what does not conform.
    ///
    /// @throws IllegalArgumentException if the matrices are not of one size and element format
    public Conversion(StoredMatrix source, StoredMatrix target) {
        this(source, target, Pruning.REFUSE, _ -> {});
    }

    /// @param pruning  what becomes of chunks of a dense source that do not conform
    /// @param progress told of every so many rows done, by any thread
    /// @throws IllegalArgumentException if the matrices are not of one size and element format
    public Conversion(
            StoredMatrix source, StoredMatrix target, Pruning pruning, LongConsumer progress) {
        if (!source.type().equals(target.type())) {
            throw new IllegalArgumentException(
                    "%s cannot become %s: expected one size and one element format"
                            .formatted(source.type(), target.type()));
        }
        this.source = source;
        this.target = target;
        this.pruning = pruning;
        this.progress = progress;
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
        Granularity between = granularity(source);
        if (between != granularity(target)) {
            return throughDense();
        }
        StoredMatrix compressed = source.format().dense() ? target : source;
        Arrangement arrangement = compressed.format().arrangement(compressed.type().format());
        Rows from = source.rows(arrangement, pruning);
        move(from, target.rows(arrangement, pruning));
        return from instanceof DenseRows dense ? dense.dropped() : 0;
    }

    private Granularity granularity(StoredMatrix matrix) {
        StoredMatrix compressed = matrix.format().dense() ? other(matrix) : matrix;
        return compressed.format().arrangement(compressed.type().format()).granularity();
    }

    private StoredMatrix other(StoredMatrix matrix) {
        return matrix == source ? target : source;
    }

    /// Chunks of one width need not conform as chunks of another.
    private long throughDense() {
        StoredMatrix dense = StoredMatrix.allocate(StorageFormats.named("dense"), source.type());
        new Conversion(source, dense).run();
        return new Conversion(dense, target, pruning, progress).run();
    }

    private void move(Rows from, Rows to) {
        int tallest = Math.max(from.tallestTile(), to.tallestTile());
        MatrixType type = source.type();
        int rows = Band.rows(type, tallest);
        int bands = Math.ceilDiv(type.rows(), rows);
        ConcurrentLinkedDeque<Band> free = new ConcurrentLinkedDeque<>();
        ConcurrentLinkedQueue<SparsityException> refused = new ConcurrentLinkedQueue<>();
        IntStream.range(0, bands)
                .parallel()
                .forEach(
                        index -> {
                            Band known = free.poll();
                            Band band =
                                    known == null
                                            ? new Band(
                                                    rows,
                                                    Math.max(from.chunkPlaces(), to.chunkPlaces()),
                                                    Math.toIntExact(type.rowBytes() / 2))
                                            : known;
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
