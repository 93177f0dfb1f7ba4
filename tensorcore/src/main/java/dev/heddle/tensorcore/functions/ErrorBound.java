package dev.heddle.tensorcore.functions;

import java.util.Locale;

/// What the manual promises of a function on part of its inputs.
///
/// @param measure how the error is taken
/// @param largest the most it may be
/// @param inputs  where the promise holds
public record ErrorBound(Measure measure, double largest, Inputs inputs) {

    /// How an error is taken.
    public enum Measure {
        /// The distance from the exact value.
        ABSOLUTE("absolute error"),
        /// That distance, divided by the exact value's magnitude.
        RELATIVE("relative error"),
        /// That distance, in units in the last place: the distance of neighbours in the format
        /// where the exact value lies, among subnormals that of the subnormals.
        ULPS("error in ulp"),
        /// The distance from the exact value as the format rounds it, in the same units.
        ULPS_FROM_ROUNDED("ulp from the correctly rounded result");

        private final String words;

        Measure(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /// The inputs that a promise is about.
    public enum Inputs {
        ALL("all inputs"),
        POSITIVE("all positive finite inputs"),
        NORMAL_RESULTS("inputs from -14 on, whose results are normal"),
        ONE_OCTAVE("inputs in (0.5, 2)"),
        BEYOND_ONE_OCTAVE("positive finite inputs outside (0.5, 2)"),
        ONE_TURN("inputs in [-2pi, 2pi]"),
        FIFTY_TURNS("inputs in [-100pi, 100pi]"),
        DIVISORS("divisors of magnitude 2^-126 to 2^126");

        private final String words;

        Inputs(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    static ErrorBound ulpsFromRounded(double largest, Inputs inputs) {
        return new ErrorBound(Measure.ULPS_FROM_ROUNDED, largest, inputs);
    }

    static ErrorBound ulps(double largest, Inputs inputs) {
        return new ErrorBound(Measure.ULPS, largest, inputs);
    }

    /// @param exponent the base-2 logarithm of the bound
    static ErrorBound relative(double exponent, Inputs inputs) {
        return new ErrorBound(Measure.RELATIVE, Math.pow(2, exponent), inputs);
    }

    /// @param exponent the base-2 logarithm of the bound
    static ErrorBound absolute(double exponent, Inputs inputs) {
        return new ErrorBound(Measure.ABSOLUTE, Math.pow(2, exponent), inputs);
    }

    /// `relative error at most 2^-22.9 for all positive finite inputs`.
    @Override
    public String toString() {
        if (measure == Measure.ULPS) {
            return String.format(Locale.ROOT, "at most %.0f ulp for %s", largest, inputs);
        }
        if (measure == Measure.ULPS_FROM_ROUNDED) {
            return String.format(Locale.ROOT, "at most %.0f %s for %s", largest, measure, inputs);
        }
        String exponent =
                String.format(Locale.ROOT, "%.3f", Math.log(largest) / Math.log(2))
                        .replaceFirst("\\.?0+$", "");
        return "%s at most 2^%s for %s".formatted(measure, exponent, inputs);
    }
}
