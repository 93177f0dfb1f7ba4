package dev.heddle.tensorcore.numerics;

import dev.heddle.formats.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Collects the terms of a pass, aligns and adds them.
final class ExactPass {
    /// The smallest value that the largest exponent of a sum takes, whatever its terms.
    private static final int LEAST_EXPONENT = -133;

    private record Summand(Trace.Source source, Value exact, Optional<Integer> exponent) {}

    private final List<Summand> summands = new ArrayList<>();
    private boolean finite = true;

    /// Adds a term that takes part in the search for the largest exponent if it is finite and not
    /// zero.
    void add(Trace.Source source, Value exact, int exponent) {
        boolean counts = exact instanceof Value.Finite value && !value.isZero();
        summands.add(new Summand(source, exact, counts ? Optional.of(exponent) : Optional.empty()));
        finite &= exact instanceof Value.Finite;
    }

    /// Adds a term that is kept whole.
    void add(Trace.Source source, Value exact) {
        summands.add(new Summand(source, exact, Optional.empty()));
        finite &= exact instanceof Value.Finite;
    }

    /// The sum of all terms as they are, rounded.
    Trace.Pass whole(UnaryOperator<Value> rounding) {
        return sum(Optional.empty(), Optional.empty(), rounding);
    }

    /// The sum of all terms, truncated at a place below the largest of their exponents; only a
    /// finite one is rounded.
    Trace.Pass aligned(Optional<Integer> fractionBits, UnaryOperator<Value> rounding) {
        if (!finite) {
            return sum(Optional.empty(), fractionBits, UnaryOperator.identity());
        }
        int largest = LEAST_EXPONENT;
        for (Summand summand : summands) {
            largest = Math.max(largest, summand.exponent.orElse(LEAST_EXPONENT));
        }
        return sum(Optional.of(largest), fractionBits, rounding);
    }

    private Trace.Pass sum(
            Optional<Integer> alignment,
            Optional<Integer> fractionBits,
            UnaryOperator<Value> rounding) {
        boolean truncates = alignment.isPresent() && fractionBits.isPresent();
        int lastPlace = truncates ? alignment.get() - fractionBits.get() : 0;
        List<Trace.Term> terms = new ArrayList<>();
        Value sum = Value.of(0);
        for (Summand summand : summands) {
            Value kept =
                    truncates && summand.exact instanceof Value.Finite value
                            ? ExactArithmetic.truncate(value, lastPlace)
                            : summand.exact;
            sum = ExactArithmetic.add(sum, kept);
            terms.add(new Trace.Term(summand.source, summand.exact, summand.exponent, kept, sum));
        }
        return new Trace.Pass(terms, alignment, fractionBits, sum, rounding.apply(sum));
    }
}
