package dev.heddle.tensorcore.functions;

import dev.heddle.formats.FloatFormat;
import dev.heddle.tensorcore.functions.ErrorBound.Inputs;
import dev.heddle.tensorcore.functions.ErrorBound.Measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// The largest error of a function over some of its inputs, and where it is.
///
/// `errors.tsv` has those of all forms, computed by
/// `dev.heddle.conformance.functions.LargestErrors` on the inputs that [#examined] names. An error
/// in ulp is exact at its operands; no other operands that were examined exceed it by more than
/// 2^-25 ulp.
///
/// @param function of one value, not packed
/// @param measure how the error is taken
/// @param inputs which inputs it is the largest of
/// @param largest the error
/// @param operands where it is: one, for a division two, as bits
/// @param result of the function there, as bits
/// @param examined how many inputs were looked at
public record LargestError(
        ApproximateFunction function,
        Measure measure,
        Inputs inputs,
        double largest,
        List<Long> operands,
        long result,
        String examined) {

    public LargestError {
        operands = List.copyOf(operands);
    }

    /// The table.
    private static final class Table {
        static final List<LargestError> ALL = read();

        private static List<LargestError> read() {
            try (InputStream in = LargestError.class.getResourceAsStream("errors.tsv");
                    BufferedReader lines =
                            new BufferedReader(
                                    new InputStreamReader(
                                            Objects.requireNonNull(in),
                                            StandardCharsets.US_ASCII))) {
                return lines.lines()
                        .filter(line -> !line.startsWith("#"))
                        .map(LargestError::parse)
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Every one that was found.
    public static List<LargestError> all() {
        return Table.ALL;
    }

    /// Those of a function; of a packed form, those of its halves.
    public static List<LargestError> of(ApproximateFunction function) {
        return Table.ALL.stream().filter(one -> one.function == function.scalar()).toList();
    }

    private static LargestError parse(String line) {
        List<String> columns = Arrays.asList(line.split("\t", -1));
        return new LargestError(
                ApproximateFunction.of(columns.get(0)).orElseThrow(),
                Measure.valueOf(columns.get(1)),
                Inputs.valueOf(columns.get(2)),
                Double.parseDouble(columns.get(3)),
                Arrays.stream(columns.get(4).split(",", -1))
                        .map(word -> Long.parseUnsignedLong(word, 16))
                        .toList(),
                Long.parseUnsignedLong(columns.get(5), 16),
                columns.get(6));
    }

    /// Whether it is more than the manual allows for these inputs. An ulp of a bound counts from
    /// the correctly rounded result, of which the manual says so for `ex2`.
    public boolean exceeds() {
        for (ErrorBound bound : function.bounds()) {
            boolean ulps =
                    measure == Measure.ULPS
                            && bound.measure() != Measure.ABSOLUTE
                            && bound.measure() != Measure.RELATIVE;
            double size = ulps ? Math.floor(largest + 0.5) : largest;
            if (bound.inputs() == inputs
                    && (ulps || bound.measure() == measure)
                    && size > bound.largest()) {
                return true;
            }
        }
        return false;
    }

    /// A word of the function's format in hexadecimal.
    public String hex(long word) {
        return ("%0" + function.format().bits() / 4 + "x").formatted(word);
    }

    /// What the function of real numbers is there.
    public static BigDecimal exact(ApproximateFunction function, List<Long> operands) {
        BigDecimal a = operand(function, operands.getFirst());
        return function.real()
                .map(real -> real.at(a))
                .orElseGet(() -> a.divide(operand(function, operands.getLast()), Series.DIGITS));
    }

    private static BigDecimal operand(ApproximateFunction function, long word) {
        FloatFormat format = function.format();
        double value = format.toDouble(word);
        boolean flushed =
                function.flushes() && Math.abs(value) < format.toDouble(format.minNormal());
        return flushed ? BigDecimal.ZERO : new BigDecimal(value);
    }
}
