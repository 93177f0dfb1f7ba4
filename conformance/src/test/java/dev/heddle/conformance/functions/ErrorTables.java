package dev.heddle.conformance.functions;

import dev.heddle.formats.FloatFormat;
import dev.heddle.tensorcore.functions.ApproximateFunction;
import dev.heddle.tensorcore.functions.ErrorBound.Inputs;
import dev.heddle.tensorcore.functions.ErrorBound.Measure;
import dev.heddle.tensorcore.functions.ErrorProfile;
import dev.heddle.tensorcore.functions.LargestError;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Errors of the approximate functions: how they are measured, and the tables that keep them, as
/// [LargestError] and [ErrorProfile] read them.
final class ErrorTables {
    private ErrorTables() {}

    /// Whether a finite input, of a division the divisor, is one of them.
    static boolean include(Inputs inputs, double input) {
        double magnitude = Math.abs(input);
        return switch (inputs) {
            case ALL -> true;
            case POSITIVE -> input > 0;
            case NORMAL_RESULTS -> input >= -14;
            case ONE_OCTAVE -> input > 0.5 && input < 2;
            case BEYOND_ONE_OCTAVE -> input > 0 && !(input > 0.5 && input < 2);
            case ONE_TURN -> magnitude <= 2 * Math.PI;
            case FIFTY_TURNS -> magnitude <= 100 * Math.PI;
            case DIVISORS -> magnitude >= 0x1p-126 && magnitude <= 0x1p126;
        };
    }

    /// The error at some operands, exact to 12 digits or more.
    static double error(
            ApproximateFunction function, Measure measure, List<Long> operands, long result) {
        FloatFormat format = function.format();
        BigDecimal exact = LargestError.exact(function, operands);
        BigDecimal distance = new BigDecimal(format.toDouble(result)).subtract(exact).abs();
        if (distance.signum() == 0) {
            return 0;
        }
        BigDecimal unit =
                switch (measure) {
                    case ABSOLUTE -> BigDecimal.ONE;
                    case RELATIVE -> exact.abs();
                    case ULPS, ULPS_FROM_ROUNDED -> format.ulp(exact);
                };
        return distance.divide(unit, MathContext.DECIMAL128).doubleValue();
    }

    /// A line of the table.
    static String line(LargestError of) {
        return String.join(
                "\t",
                of.function().opcode(),
                of.measure().name(),
                of.inputs().name(),
                String.format(Locale.ROOT, "%.9g", of.largest()),
                of.operands().stream().map(of::hex).collect(Collectors.joining(",")),
                of.hex(of.result()),
                of.examined());
    }

    /// The same of profiles.
    static String line(ErrorProfile of) {
        return String.join(
                "\t",
                of.function().opcode(),
                of.measure().name(),
                of.inputs().name(),
                text(of.exponents()),
                text(of.low()),
                text(of.high()));
    }

    /// Numbers with spaces between them; `0.5*3` is three times the same.
    private static String text(List<Double> numbers) {
        List<String> words = new ArrayList<>();
        for (int i = 0, end; i < numbers.size(); i = end) {
            String word = digits(numbers.get(i));
            for (end = i + 1; end < numbers.size() && digits(numbers.get(end)).equals(word); ) {
                end++;
            }
            words.add(end - i == 1 ? word : word + "*" + (end - i));
        }
        return String.join(" ", words);
    }

    private static String digits(double number) {
        return number == 0 ? "0" : String.format(Locale.ROOT, "%.3g", number);
    }
}
