package dev.heddle.sparse;

import static dev.heddle.sparse.Words.SHORTS;

import dev.heddle.formats.Codes;
import dev.heddle.formats.InputException;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/// Sets elements of a dense matrix to zero until it conforms to a pattern.
///
/// ```
/// PruneReport report = new Pruner(Pattern.parse("2:4"), Optional.empty()).prune(a, pruned);
/// ```
/// @param pattern what to conform to
/// @param scores  what each element is worth, a dense matrix of the same size; without it, its
///     magnitude
public record Pruner(Pattern pattern, Optional<StoredMatrix> scores) {

    /// Prunes a matrix.
    ///
    /// @param source dense
    /// @param target dense, of the same type; may be the same memory
    /// @throws InputException if the matrices are not dense and of one type, the scores
    ///     are of another size, or the columns do not fill groups
    public PruneReport prune(StoredMatrix source, StoredMatrix target) {
        return prune(source, target, _ -> {});
    }

    /// The same.
    ///
    /// @param progress told of every so many rows done, by any thread
    PruneReport prune(StoredMatrix source, StoredMatrix target, LongConsumer progress) {
        check(source, target);
        MatrixType type = source.type();
        Magnitudes values = new Magnitudes(source);
        Magnitudes worth = scores.map(Magnitudes::new).orElse(values);
        double[] before = new double[type.rows()];
        double[] after = new double[type.rows()];
        LongAdder nonzero = new LongAdder();
        LongAdder kept = new LongAdder();
        int height = pattern.rows();
        IntStream.range(0, Math.ceilDiv(type.rows(), height))
                .parallel()
                .forEach(
                        block -> {
                            int first = block * height;
                            float[] score = magnitudes(worth, first, type);
                            boolean[] keep = new boolean[score.length];
                            pattern.choose(score, type.columns(), keep);
                            float[] magnitude =
                                    scores.isPresent() ? magnitudes(values, first, type) : score;
                            int rows = Math.min(height, type.rows() - first);
                            long found = 0;
                            long left = 0;
                            for (int i = 0; i < rows; i++) {
                                int at = i * type.columns();
                                write(values.row(first + i), keep, at, first + i, target);
                                Kept row = Kept.of(magnitude, keep, at, type.columns());
                                before[first + i] = row.before;
                                after[first + i] = row.after;
                                found += row.nonzero;
                                left += row.kept;
                            }
                            nonzero.add(found);
                            kept.add(left);
                            progress.accept(rows);
                        });
        return new PruneReport(pattern, type, nonzero.sum(), kept.sum(), list(before), list(after));
    }

    /// Those of the rows that the pattern takes together.
    private float[] magnitudes(Magnitudes of, int first, MatrixType type) {
        float[] magnitudes = new float[pattern.rows() * type.columns()];
        of.magnitudes(first, pattern.rows(), magnitudes);
        return magnitudes;
    }

    /// What is left of a row.
    ///
    /// @param before  the sum of squared magnitudes
    /// @param after   the same of what stays
    /// @param nonzero elements other than zero
    /// @param kept    those that stay
    private record Kept(double before, double after, int nonzero, int kept) {
        private static final int LANES = 8;

        /// Sums in eight lanes, so that an addition need not wait for the one before.
        static Kept of(float[] magnitudes, boolean[] keep, int from, int columns) {
            double[] before = new double[LANES];
            double[] after = new double[LANES];
            int nonzero = 0;
            int kept = 0;
            for (int column = 0; column < columns; column++) {
                double magnitude = magnitudes[from + column];
                double square = magnitude * magnitude;
                int lane = column % LANES;
                before[lane] += square;
                int there = magnitude != 0 ? 1 : 0;
                int stays = keep[from + column] ? 1 : 0;
                nonzero += there;
                after[lane] += square * stays;
                kept += there & stays;
            }
            return new Kept(Arrays.stream(before).sum(), Arrays.stream(after).sum(), nonzero, kept);
        }
    }

    private static List<Double> list(double[] squares) {
        return Arrays.stream(squares).boxed().toList();
    }

    private static void write(Codes codes, boolean[] keep, int at, int row, StoredMatrix target) {
        byte[] bytes = codes.bytes();
        if (target.type().elementBits() == Short.SIZE) {
            for (int column = 0; column < codes.length(); column++) {
                int stays = keep[at + column] ? -1 : 0;
                int code = (short) SHORTS.get(bytes, column * Short.BYTES) & stays;
                SHORTS.set(bytes, column * Short.BYTES, (short) code);
            }
        } else {
            for (int column = 0; column < codes.length(); column++) {
                if (!keep[at + column]) {
                    codes.set(column, 0);
                }
            }
        }
        MemorySegment.copy(
                bytes,
                0,
                target.values(),
                ValueLayout.JAVA_BYTE,
                (long) row * bytes.length,
                bytes.length);
    }

    /// @throws InputException if the matrices are not dense and of one type, the scores are of
    ///     another size, or the columns do not fill groups
    void check(StoredMatrix source, StoredMatrix target) {
        if (!source.format().dense()
                || !target.format().dense()
                || !source.type().equals(target.type())) {
            throw new InputException("expected dense matrices of one size and format");
        }
        MatrixType type = source.type();
        if (scores.isPresent()) {
            MatrixType found = scores.get().type();
            if (found.rows() != type.rows()
                    || found.columns() != type.columns()
                    || !scores.get().format().dense()) {
                throw new InputException(
                        "scores are %s: expected a dense %d x %d matrix"
                                .formatted(found, type.rows(), type.columns()));
            }
        }
        if (type.columns() % pattern.columns() != 0) {
            throw new InputException(
                    "%s: expected columns in multiples of %d, for %s"
                            .formatted(type, pattern.columns(), pattern));
        }
    }
}
