package dev.heddle.tensorcore.numerics;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Rounding;

import java.util.List;
import java.util.Optional;

/// How a form of an instruction computes an element of D from a row of A, a column of B and an
/// element of C.
public sealed interface Accumulation {

    /// Why the project believes so; several parts where they differ in kind.
    List<Evidence> evidence();

    /// The rule in a sentence.
    String description();

    /// In which groups the products of an element are summed.
    enum Grouping {
        /// All products and C in one fused sum.
        WHOLE("one fused sum of all products and C"),
        /// Two fused sums, one after the other: C enters the first, its result the second.
        HALVES("a fused sum of the first half of k and C, then one of the second half and that"),
        /// Two fused sums without C, over k with k mod 4 in {0, 1} and then {2, 3}; C is added
        /// last.
        ALTERNATING_PAIRS(
                "a fused sum over k mod 4 in {0, 1}, one over {2, 3} and that, then an IEEE"
                        + " addition of C");

        private final String words;

        Grouping(String words) {
            this.words = words;
        }

        /// The group that a product belongs to, in the order they are summed.
        ///
        /// @param index the k of the product among `count`; of a sparse A, the stored one
        public int group(int index, int count) {
            return switch (this) {
                case WHOLE -> 0;
                case HALVES -> index < count / 2 ? 0 : 1;
                case ALTERNATING_PAIRS -> index % 4 / 2;
            };
        }

        /// How many groups there are.
        public int groups() {
            return this == WHOLE ? 1 : 2;
        }

        /// Whether C is added by an addition of its own, after all groups.
        public boolean accumulatorLast() {
            return this == ALTERNATING_PAIRS;
        }
    }

    /// How a fused sum's exact value becomes an accumulator.
    enum Result {
        /// f32, toward zero.
        F32_TOWARD_ZERO("rounded toward zero to f32"),
        /// f32 with 13 fraction bits, toward zero.
        F32_13_BITS_TOWARD_ZERO("truncated to f32 with 13 fraction bits"),
        /// f16, to the nearest, ties to even.
        F16_NEAREST_EVEN("rounded to the nearest f16");

        private final String words;

        Result(String words) {
            this.words = words;
        }
    }

    /// Fused sums: products are exact, the terms of a sum are truncated at a common place below
    /// the largest of them, added exactly, and rounded once.
    ///
    /// The largest exponent of the terms, of a product the sum of its operands' exponents without
    /// normalisation, is `fractionBits` places above the last place kept. Terms that are zero
    /// do not count for it.
    ///
    /// @param fractionBits             places kept below the largest exponent; empty for all
    /// @param grouping                 which terms form a sum
    /// @param result                   how its value is rounded
    /// @param operandMinimumExponent   the exponent of the operands' subnormals where it is not
    ///     that of their own format: operands are first converted, exactly, to a wider one
    record FusedSum(
            Optional<Integer> fractionBits,
            Grouping grouping,
            Result result,
            Optional<Integer> operandMinimumExponent,
            List<Evidence> evidence)
            implements Accumulation {
        public FusedSum {
            evidence = List.copyOf(evidence);
        }

        /// The same rule without truncation: every sum is exact before its one rounding.
        public FusedSum unlimited() {
            return new FusedSum(
                    Optional.empty(), grouping, result, operandMinimumExponent, evidence);
        }

        @Override
        public String description() {
            return "%s; terms %s, each sum %s%s"
                    .formatted(
                            grouping.words,
                            fractionBits
                                    .map(bits -> "truncated at " + bits + " fraction bits")
                                    .orElse("kept whole"),
                            result.words,
                            operandMinimumExponent.isPresent()
                                    ? "; operands are converted to f16 first"
                                    : "");
        }
    }

    /// One fused sum of block-scaled terms and C, rounded toward zero to f32.
    ///
    /// A term is the exact sum of `productsPerTerm` products times both scale factors. Of several
    /// products, only the scale factors' exponents count for the place of truncation.
    ///
    /// @param fractionBits    places kept below the largest exponent; empty for all
    /// @param productsPerTerm neighbours along k that are summed before scaling
    record ScaledSum(Optional<Integer> fractionBits, int productsPerTerm, List<Evidence> evidence)
            implements Accumulation {
        public ScaledSum {
            evidence = List.copyOf(evidence);
        }

        @Override
        public String description() {
            String products =
                    productsPerTerm == 1
                            ? "all products"
                            : "exact sums of " + productsPerTerm + " products";
            String terms =
                    fractionBits
                            .map(bits -> "truncated at " + bits + " fraction bits")
                            .orElse("kept whole");
            return "one fused sum of C and %s times their scale factors; terms %s, the sum rounded toward zero to f32"
                    .formatted(products, terms);
        }
    }

    /// A chain of IEEE fused multiply-adds, k ascending, beginning with C.
    ///
    /// The first NaN among B's element, the accumulator and A's element goes through, quieted; an
    /// invalid operation gives `0xfff8000000000000`.
    record MultiplyAddChain(Rounding rounding, List<Evidence> evidence) implements Accumulation {
        public MultiplyAddChain {
            evidence = List.copyOf(evidence);
        }

        @Override
        public String description() {
            return "a chain of f64 fused multiply-adds (.%s), k ascending, from C"
                    .formatted(rounding.ptxName());
        }
    }

    /// In which order scalar f32 operations make up an element of `m8n8k4`.
    enum StepOrder {
        /// Fused multiply-adds over k ascending, from +0; then C is added.
        PRODUCTS_THEN_C("f32 fused multiply-adds, k ascending, from zero, then an addition of C"),
        /// `(a0*b0 + a1*b1 + C) + (a2*b2 + a3*b3)`, the second product of each pair fused in, all
        /// in f32; then the conversion to f16.
        C_BETWEEN_PAIRS(
                "a0*b0, a1*b1 fused in, C added, then the sum of a2*b2 and a3*b3, all in f32;"
                        + " converted to f16 at the end");

        private final String words;

        StepOrder(String words) {
            this.words = words;
        }
    }

    /// Scalar f32 operations, each rounded to the nearest f32: how a GPU without an instruction
    /// of that shape computes `m8n8k4` with f16 operands. NaN is canonical.
    record ScalarSteps(StepOrder order, List<Evidence> evidence) implements Accumulation {
        public ScalarSteps {
            evidence = List.copyOf(evidence);
        }

        @Override
        public String description() {
            return order.words;
        }
    }

    /// What becomes of an integer sum beyond s32.
    enum Overflow {
        WRAPS("wrapped"),
        SATURATES("saturated once, at the end");

        private final String words;

        Overflow(String words) {
            this.words = words;
        }
    }

    /// The exact integer sum of all products and C.
    record IntegerSum(Overflow overflow, List<Evidence> evidence) implements Accumulation {
        public IntegerSum {
            evidence = List.copyOf(evidence);
        }

        /// The s32 code of an exact sum.
        public long code(long sum) {
            return overflow == Overflow.SATURATES
                    ? IntegerFormat.S32.clamp(sum)
                    : IntegerFormat.S32.wrap(sum);
        }

        @Override
        public String description() {
            return "the exact integer sum of all products and C, " + overflow.words;
        }
    }

    /// How two bits meet in a single-bit form.
    enum BitOperation {
        AND,
        XOR
    }

    /// The number of bits set in a logical combination of A's row and B's column, plus C,
    /// wrapped.
    record BitCount(BitOperation operation, List<Evidence> evidence) implements Accumulation {
        public BitCount {
            evidence = List.copyOf(evidence);
        }

        @Override
        public String description() {
            return "C plus the number of ones in the %s of row and column, wrapped"
                    .formatted(operation);
        }
    }
}
