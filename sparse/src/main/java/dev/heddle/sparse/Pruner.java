package dev.heddle.sparse;

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
        Values values = new Values(source);
        Values worth = scores.map(Values::new).orElse(values);
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
                            float[] score = new float[height * type.columns()];
                            worth.magnitudes(first, height, score);
                            boolean[] keep = new boolean[score.length];
                            pattern.choose(score, type.columns(), keep);
                            float[] magnitude = score;
                            if (scores.isPresent()) {
                                magnitude = new float[score.length];
                                values.magnitudes(first, height, magnitude);
                            }
                            int rows = Math.min(height, type.rows() - first);
                            int found = 0;
                            int left = 0;
                            for (int i = 0; i < rows; i++) {
                                int at = i * type.columns();
                                write(values.row(first + i), keep, at, first + i, target);
                                for (int c = at; c < at + type.columns(); c++) {
                                    double square = (double) magnitude[c] * magnitude[c];
                                    before[first + i] += square;
                                    after[first + i] += keep[c] ? square : 0;
                                    found += square != 0 ? 1 : 0;
                                    left += keep[c] && square != 0 ? 1 : 0;
                                }
                            }
                            nonzero.add(found);
                            kept.add(left);
                            progress.accept(rows);
                        });
        return new PruneReport(pattern, type, nonzero.sum(), kept.sum(), list(before), list(after));
    }

    private static List<Double> list(double[] squares) {
        return Arrays.stream(squares).boxed().toList();
    }

    private static void write(Codes codes, boolean[] keep, int at, int row, StoredMatrix target) {
        for (int column = 0; column < codes.length(); column++) {
            if (!keep[at + column]) {
                codes.set(column, 0);
            }
        }
        byte[] bytes = codes.bytes();
        MemorySegment.copy(
                bytes,
                0,
                target.values(),
                ValueLayout.JAVA_BYTE,
                (long) row * bytes.length,
                bytes.length);
    }

    private void check(StoredMatrix source, StoredMatrix target) {
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
