package dev.heddle.tensorcore.numerics;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Value;
import dev.heddle.tensorcore.numerics.Accumulation.BitCount;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;
import dev.heddle.tensorcore.numerics.Accumulation.Grouping;
import dev.heddle.tensorcore.numerics.Accumulation.IntegerSum;
import dev.heddle.tensorcore.numerics.Accumulation.MultiplyAddChain;
import dev.heddle.tensorcore.numerics.Accumulation.Result;
import dev.heddle.tensorcore.numerics.Accumulation.ScalarSteps;
import dev.heddle.tensorcore.numerics.Accumulation.ScaledSum;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Computes one element of D from codes, by integers of any size: the definition in code of every
/// [Accumulation], slow and exact, which shows its steps as a [Trace].
///
/// @param a format of A's elements
/// @param b format of B's elements
/// @param c format of C's elements
/// @param d format of D's elements
public record ExactProduct(Format a, Format b, Format c, Format d) {

    /// What one element of D is made of.
    ///
    /// @param a              codes of a row of A; of a sparse A, the stored ones
    /// @param b              the codes of B that they multiply
    /// @param c              the accumulator's code
    /// @param negateProducts whether products change sign (`imm-scale-a` and `imm-scale-b`
    ///     differ)
    /// @param scales         the scale factors of each product; empty if the form has none
    @SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
    public record Terms(
            long[] a, long[] b, long c, boolean negateProducts, Optional<Scales> scales) {}

    /// The scale factors of the products of one element.
    ///
    /// @param format ue8m0 or ue4m3
    /// @param a      the code that scales each element of A
    /// @param b      the code that scales each element of B
    @SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
    public record Scales(FloatFormat format, long[] a, long[] b) {}

    /// The code of the element of D.
    public long element(Accumulation accumulation, Terms terms) {
        return trace(accumulation, terms).code();
    }

    /// How the element of D comes about.
    public Trace trace(Accumulation accumulation, Terms terms) {
        return switch (accumulation) {
            case FusedSum rule -> fusedSums(rule, terms);
            case ScaledSum rule -> scaledSum(rule, terms);
            case MultiplyAddChain rule -> chain(rule, terms);
            case ScalarSteps rule -> new ExactSteps(this, terms).trace(rule);
            case IntegerSum rule -> integerSum(rule, terms);
            case BitCount rule -> bitCount(rule, terms);
        };
    }

    private Trace fusedSums(FusedSum rule, Terms terms) {
        int count = terms.a.length;
        Grouping grouping = rule.grouping();
        List<Trace.Pass> passes = new ArrayList<>();
        for (int group = 0; group < grouping.groups(); group++) {
            ExactPass pass = new ExactPass();
            for (int k = 0; k < count; k++) {
                if (grouping.group(k, count) == group) {
                    pass.add(new Trace.Product(k, 1), product(terms, k), exponent(rule, terms, k));
                }
            }
            if (group > 0) {
                Value before = passes.getLast().result();
                pass.add(new Trace.Earlier(group - 1), before, leading(before, (FloatFormat) d));
            } else if (!grouping.accumulatorLast()) {
                Value value = c.value(terms.c);
                pass.add(new Trace.Accumulator(), value, leading(value, (FloatFormat) c));
            }
            passes.add(pass.aligned(rule.fractionBits(), sum -> rounded(sum, rule.result())));
        }
        if (grouping.accumulatorLast()) {
            ExactPass pass = new ExactPass();
            pass.add(new Trace.Earlier(passes.size() - 1), passes.getLast().result());
            pass.add(new Trace.Accumulator(), c.value(terms.c));
            passes.add(pass.whole(sum -> ExactArithmetic.round(sum, (FloatFormat) d)));
        }
        return ofLastResult(passes);
    }

    private Trace ofLastResult(List<Trace.Pass> passes) {
        Value result = passes.getLast().result();
        return new Trace(passes, d.encode(result, Rounding.TOWARD_ZERO, Overflow.IEEE));
    }

    private Value product(Terms terms, int k) {
        Value product = ExactArithmetic.multiply(a.value(terms.a[k]), b.value(terms.b[k]));
        return terms.negateProducts ? ExactArithmetic.negate(product) : product;
    }

    private int exponent(FusedSum rule, Terms terms, int k) {
        return leading((FloatFormat) a, terms.a[k], rule)
                + leading((FloatFormat) b, terms.b[k], rule);
    }

    /// The exponent of an operand: that of its leading place, of a subnormal the smallest there
    /// is.
    private static int leading(FloatFormat format, long code, FusedSum rule) {
        int exponent = leading(format, code);
        if (rule.operandMinimumExponent().isEmpty()
                || format.significand(code) >>> format.fractionBits() != 0) {
            return exponent;
        }
        long significand = format.significand(code);
        int normalised =
                format.exponent(code) + Long.SIZE - 1 - Long.numberOfLeadingZeros(significand);
        return Math.max(normalised, rule.operandMinimumExponent().get());
    }

    private static int leading(FloatFormat format, long code) {
        return format.exponent(code) + format.fractionBits();
    }

    /// The exponent of an accumulator; of one that is zero or not finite it does not matter.
    private static int leading(Value accumulator, FloatFormat format) {
        int smallest = 1 - format.bias();
        return accumulator instanceof Value.Finite value && !value.isZero()
                ? Math.max(ExactArithmetic.leading(value), smallest)
                : smallest;
    }

    private static Value rounded(Value sum, Result result) {
        Value.Finite finite = (Value.Finite) sum;
        return switch (result) {
            case F32_TOWARD_ZERO ->
                    ExactArithmetic.truncateToF32(finite, FloatFormat.F32.fractionBits());
            case F32_13_BITS_TOWARD_ZERO -> ExactArithmetic.truncateToF32(finite, 13);
            case F16_NEAREST_EVEN -> ExactArithmetic.round(finite, FloatFormat.F16);
        };
    }

    private Trace scaledSum(ScaledSum rule, Terms terms) {
        ExactPass pass = new ExactPass();
        for (int from = 0; from < terms.a.length; from += rule.productsPerTerm()) {
            addScaled(pass, rule, terms, from);
        }
        Value accumulator = c.value(terms.c);
        pass.add(new Trace.Accumulator(), accumulator, leading(accumulator, (FloatFormat) c));
        return ofLastResult(
                List.of(
                        pass.aligned(
                                rule.fractionBits(), sum -> rounded(sum, Result.F32_TOWARD_ZERO))));
    }

    private void addScaled(ExactPass pass, ScaledSum rule, Terms terms, int from) {
        Scales scales = terms.scales.orElseThrow();
        Value sum = Value.of(0);
        for (int k = from; k < from + rule.productsPerTerm(); k++) {
            sum = ExactArithmetic.add(sum, product(terms, k));
        }
        sum = ExactArithmetic.multiply(sum, scales.format.value(scales.a[from]));
        sum = ExactArithmetic.multiply(sum, scales.format.value(scales.b[from]));
        int exponent =
                leading(scales.format, scales.a[from]) + leading(scales.format, scales.b[from]);
        if (rule.productsPerTerm() == 1) {
            exponent += leading((FloatFormat) a, terms.a[from]);
            exponent += leading((FloatFormat) b, terms.b[from]);
        }
        pass.add(new Trace.Product(from, rule.productsPerTerm()), sum, exponent);
    }

    private Trace chain(MultiplyAddChain rule, Terms terms) {
        List<Trace.Pass> passes = new ArrayList<>();
        long accumulator = terms.c;
        for (int k = 0; k < terms.a.length; k++) {
            ExactPass pass = new ExactPass();
            pass.add(new Trace.Product(k, 1), product(terms, k));
            pass.add(
                    k == 0 ? new Trace.Accumulator() : new Trace.Earlier(k - 1),
                    FloatFormat.F64.value(accumulator));
            long next = multiplyAdd(terms.a[k], terms.b[k], accumulator, rule.rounding());
            passes.add(pass.whole(_ -> FloatFormat.F64.value(next)));
            accumulator = next;
        }
        return new Trace(passes, accumulator);
    }

    private static long multiplyAdd(long a, long b, long c, Rounding rounding) {
        FloatFormat f64 = FloatFormat.F64;
        for (long operand : new long[] {b, c, a}) {
            if (f64.isNaN(operand)) {
                return operand | 1L << 51;
            }
        }
        Value product = ExactArithmetic.multiply(f64.value(a), f64.value(b));
        Value sum = ExactArithmetic.add(product, f64.value(c));
        return switch (sum) {
            case Value.NaN _ -> 0xFFF8_0000_0000_0000L;
            case Value.Finite value when value.isZero() -> {
                // IEEE 754 6.3: the sign of an exact zero sum of unlike signs follows the rounding
                boolean both = ExactArithmetic.negative(product) && f64.isNegative(c);
                boolean mixed = ExactArithmetic.negative(product) != f64.isNegative(c);
                yield both || (mixed && rounding == Rounding.DOWN) ? Long.MIN_VALUE : 0;
            }
            default -> f64.encode(sum, rounding, Overflow.IEEE);
        };
    }

    private Trace integerSum(IntegerSum rule, Terms terms) {
        ExactPass pass = new ExactPass();
        for (int k = 0; k < terms.a.length; k++) {
            pass.add(new Trace.Product(k, 1), product(terms, k));
        }
        return integer(pass, terms.c, rule.overflow());
    }

    private Trace bitCount(BitCount rule, Terms terms) {
        ExactPass pass = new ExactPass();
        for (int k = 0; k < terms.a.length; k++) {
            long bit =
                    switch (rule.operation()) {
                        case AND -> terms.a[k] & terms.b[k];
                        case XOR -> terms.a[k] ^ terms.b[k];
                    };
            pass.add(new Trace.Product(k, 1), Value.of(bit & 1));
        }
        return integer(pass, terms.c, Accumulation.Overflow.WRAPS);
    }

    private static Trace integer(ExactPass terms, long c, Accumulation.Overflow overflow) {
        terms.add(new Trace.Accumulator(), IntegerFormat.S32.value(c));
        Trace.Pass pass = terms.whole(sum -> IntegerFormat.S32.value(code(sum, overflow)));
        return new Trace(List.of(pass), code(pass.sum(), overflow));
    }

    private static long code(Value sum, Accumulation.Overflow overflow) {
        return switch (overflow) {
            case WRAPS -> IntegerFormat.S32.wrap(ExactArithmetic.toInteger(sum).longValue());
            case SATURATES -> IntegerFormat.S32.clamp(ExactArithmetic.toInteger(sum));
        };
    }
}
