package dev.heddle.tensorcore.numerics;

import dev.heddle.formats.Value;

import java.util.List;
import java.util.Optional;

/// How one element of D came about: passes that each add a few terms exactly and round once.
///
/// Every rule of the numerics table is such a list. A fused sum is one pass, an IEEE fused
/// multiply-add is one of two terms, an integer sum is one whose rounding is the overflow. The
/// trace is not a model beside the definition: [ExactProduct#element] returns the code of its
/// trace.
///
/// ```
/// ExactProduct product = new ExactProduct(F16, F16, F32, F32);
/// Trace trace = product.trace(rule, new ExactProduct.Terms(a, b, c, false, Optional.empty()));
/// for (Trace.Pass pass : trace.passes()) {
///     for (Trace.Term term : pass.terms()) {
///         // term.exact() == term.kept() + term.cut(); term.running() sums what was kept
///     }
/// }
/// ```
///
/// @param passes in the order in which they happen; the last one's result is D
/// @param code   the code of D
public record Trace(List<Pass> passes, long code) {
    private static final Value ZERO = Value.of(0);

    public Trace {
        passes = List.copyOf(passes);
    }

    /// Terms that are added exactly, and the sum rounded once.
    ///
    /// @param terms        in the order of the rule; since the sum is exact, no other order gives
    ///     another result
    /// @param alignment    the largest exponent of the terms, to which all are aligned; empty where
    ///     the rule aligns nothing, or a term is an infinity or NaN
    /// @param fractionBits how many places below the alignment are kept; empty for all
    /// @param sum          of the terms as kept
    /// @param result       the sum rounded to the accumulator, or wrapped, or saturated
    public record Pass(
            List<Term> terms,
            Optional<Integer> alignment,
            Optional<Integer> fractionBits,
            Value sum,
            Value result) {
        public Pass {
            terms = List.copyOf(terms);
        }

        /// The power of two of the last place that alignment keeps; empty if it keeps all.
        public Optional<Integer> lastPlace() {
            return alignment.flatMap(largest -> fractionBits.map(bits -> largest - bits));
        }
    }

    /// One summand of a pass.
    ///
    /// @param source   where it comes from
    /// @param exact    its value before truncation
    /// @param exponent with which it enters the search for the largest: of a product the sum of its
    ///     operands' exponents, not normalised; empty if it does not take part, because it is zero
    ///     or not finite, or the rule aligns nothing
    /// @param kept     what truncation toward zero at the pass's last place leaves of it
    /// @param running  the sum of what was kept of this term and all before it in the pass
    public record Term(
            Source source, Value exact, Optional<Integer> exponent, Value kept, Value running) {

        /// What truncation takes away: `exact - kept`; zero if that is nothing, or the term is not
        /// finite.
        public Value cut() {
            return exact instanceof Value.Finite ? ExactArithmetic.subtract(exact, kept) : ZERO;
        }
    }

    /// Where a term comes from.
    public sealed interface Source {}

    /// A product of elements of A and B, times both scale factors where the form has them.
    ///
    /// @param firstK its k; of a sparse A, the stored one
    /// @param count  how many neighbours along k are summed exactly into this term, usually 1
    public record Product(int firstK, int count) implements Source {}

    /// The element of C.
    public record Accumulator() implements Source {}

    /// The zero that a chain of multiply-adds begins with; it decides the sign of a zero sum.
    public record Zero() implements Source {}

    /// The result of an earlier pass.
    ///
    /// @param pass its index in the trace
    public record Earlier(int pass) implements Source {}
}
