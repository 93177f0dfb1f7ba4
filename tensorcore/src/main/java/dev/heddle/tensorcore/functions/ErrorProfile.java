package dev.heddle.tensorcore.functions;

import dev.heddle.tensorcore.functions.ErrorBound.Inputs;
import dev.heddle.tensorcore.functions.ErrorBound.Measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// How the error of a function goes over its inputs, in the measure of its first bound.
///
/// `profiles.tsv` has those of all functions of one operand, computed together with `errors.tsv`
/// and to three digits.
///
/// @param function of one value, not packed
/// @param measure how the error is taken
/// @param inputs which inputs `low` and `high` are about
/// @param exponents the largest error of each sign and exponent field, positive inputs first; of
///     `.f64` those that were not looked at have that of the one before them
/// @param low the least signed error, result less exact value, of each part of the fraction: of
///     the positive normal inputs that have the same upper bits of the fraction, with any exponent
/// @param high the greatest, likewise
public record ErrorProfile(
        ApproximateFunction function,
        Measure measure,
        Inputs inputs,
        List<Double> exponents,
        List<Double> low,
        List<Double> high) {

    public ErrorProfile {
        exponents = List.copyOf(exponents);
        low = List.copyOf(low);
        high = List.copyOf(high);
    }

    /// That of a function, of a packed form that of its halves; none of a division.
    public static Optional<ErrorProfile> of(ApproximateFunction function) {
        try (InputStream in = ErrorProfile.class.getResourceAsStream("profiles.tsv");
                BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(
                                        Objects.requireNonNull(in), StandardCharsets.US_ASCII))) {
            String start = function.scalar().opcode() + "\t";
            return lines.lines()
                    .filter(line -> line.startsWith(start))
                    .findFirst()
                    .map(ErrorProfile::parse);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ErrorProfile parse(String line) {
        String[] columns = line.split("\t", -1);
        return new ErrorProfile(
                ApproximateFunction.of(columns[0]).orElseThrow(),
                Measure.valueOf(columns[1]),
                Inputs.valueOf(columns[2]),
                numbers(columns[3]),
                numbers(columns[4]),
                numbers(columns[5]));
    }

    /// Numbers with spaces between them; `0.5*3` is three times the same.
    private static List<Double> numbers(String text) {
        List<Double> numbers = new ArrayList<>();
        for (String word : text.split(" ", -1)) {
            int times = word.indexOf('*');
            double number = Double.parseDouble(times < 0 ? word : word.substring(0, times));
            int count = times < 0 ? 1 : Integer.parseInt(word.substring(times + 1));
            numbers.addAll(Collections.nCopies(count, number));
        }
        return numbers;
    }
}
