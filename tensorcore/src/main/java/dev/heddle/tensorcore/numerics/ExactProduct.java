package dev.heddle.tensorcore.numerics;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Value;
import dev.heddle.tensorcore.numerics.Accumulation.BitCount;
import dev.heddle.tensorcore.numerics.Accumulation.BitOperation;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;
import dev.heddle.tensorcore.numerics.Accumulation.IntegerSum;
import dev.heddle.tensorcore.numerics.Accumulation.MultiplyAddChain;
import dev.heddle.tensorcore.numerics.Accumulation.ScalarSteps;
import dev.heddle.tensorcore.numerics.Accumulation.ScaledSum;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Computes one element of D from codes, by integers of any size: the definition in code of every
/// [Accumulation], slow and exact.
///
/// @param a format of A's elements
/// @param b format of B's elements
/// @param c format of C's elements
/// @param d format of D's elements
public record ExactProduct(Format a, Format b, Format c, Format d) {

    /// The smallest value that the largest exponent of a sum takes, whatever its terms.
    private static final int LEAST_EXPONENT = -133;

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

    /// A term of a fused sum: `significand * 2^lastPlace`, which enters the search for the
    /// largest exponent with `exponent`.
    private record Term(BigInteger significand, int lastPlace, int exponent) {

        BigInteger truncated(Optional<Integer> fractionBits, int largest, int unit) {
            BigInteger magnitude = significand.abs();
            if (fractionBits.isPresent()) {
                int cut = largest - fractionBits.get() - lastPlace;
                if (cut > 0) {
                    magnitude = magnitude.shiftRight(cut).shiftLeft(cut);
                }
            }
            BigInteger inUnits = shift(magnitude, lastPlace - unit);
            return significand.signum() < 0 ? inUnits.negate() : inUnits;
        }
    }

    /// The code of the element of D.
    public long element(Accumulation accumulation, Terms terms) {
        return switch (accumulation) {
            case FusedSum rule -> fusedSums(rule, terms);
            case ScaledSum rule -> scaledSum(rule, terms);
            case MultiplyAddChain rule -> chain(rule, terms);
            case ScalarSteps rule -> ExactSteps.element(rule, terms, this);
            case IntegerSum rule -> integerSum(rule, terms);
            case BitCount rule -> bitCount(rule, terms);
        };
    }

    private long fusedSums(FusedSum rule, Terms terms) {
        int count = terms.a.length;
        FloatFormat resultFormat = (FloatFormat) d;
        Value sum = rule.grouping().accumulatorLast() ? Value.of(0) : c.value(terms.c);
        FloatFormat sumFormat = rule.grouping().accumulatorLast() ? resultFormat : (FloatFormat) c;
        for (int group = 0; group < rule.grouping().groups(); group++) {
            List<Value> products = new ArrayList<>();
            List<Term> finite = new ArrayList<>();
            for (int k = 0; k < count; k++) {
                if (rule.grouping().group(k, count) == group) {
                    product(rule, terms, k, products, finite);
                }
            }
            sum = fusedSum(rule, products, finite, sum, sumFormat);
            sumFormat = resultFormat;
        }
        if (rule.grouping().accumulatorLast()) {
            sum = round(add(sum, c.value(terms.c)), resultFormat, Rounding.NEAREST_EVEN);
        }
        return resultFormat.encode(sum, Rounding.TOWARD_ZERO, Overflow.IEEE);
    }

    private void product(
            FusedSum rule, Terms terms, int k, List<Value> products, List<Term> finite) {
        FloatFormat formatA = (FloatFormat) a;
        FloatFormat formatB = (FloatFormat) b;
        Value product = multiply(formatA.value(terms.a[k]), formatB.value(terms.b[k]));
        if (terms.negateProducts) {
            product = negate(product);
        }
        products.add(product);
        if (product instanceof Value.Finite value && !value.isZero()) {
            finite.add(
                    new Term(
                            signed(value),
                            value.exponent(),
                            leading(formatA, terms.a[k], rule)
                                    + leading(formatB, terms.b[k], rule)));
        }
    }

    /// The exponent of an operand: that of its leading place, of a subnormal the smallest there
    /// is.
    private static int leading(FloatFormat format, long code, FusedSum rule) {
        int exponent = format.exponent(code) + format.fractionBits();
        if (rule.operandMinimumExponent().isEmpty()
                || format.significand(code) >>> format.fractionBits() != 0) {
            return exponent;
        }
        long significand = format.significand(code);
        int normalised =
                format.exponent(code) + Long.SIZE - 1 - Long.numberOfLeadingZeros(significand);
        return Math.max(normalised, rule.operandMinimumExponent().get());
    }

    private static Value fusedSum(
            FusedSum rule,
            List<Value> products,
            List<Term> finite,
            Value accumulator,
            FloatFormat accumulatorFormat) {
        Optional<Value> special = special(products, accumulator);
        if (special.isPresent()) {
            return special.get();
        }
        List<Term> terms = new ArrayList<>(finite);
        term(accumulator, accumulatorFormat).ifPresent(terms::add);
        Value.Finite sum = sum(terms, rule.fractionBits());
        return switch (rule.result()) {
            case F32_TOWARD_ZERO -> truncate(sum, FloatFormat.F32.fractionBits());
            case F32_13_BITS_TOWARD_ZERO -> truncate(sum, 13);
            case F16_NEAREST_EVEN -> round(sum, FloatFormat.F16, Rounding.NEAREST_EVEN);
        };
    }

    private static Optional<Term> term(Value accumulator, FloatFormat format) {
        if (!(accumulator instanceof Value.Finite value) || value.isZero()) {
            return Optional.empty();
        }
        int leading = value.exponent() + value.significand().bitLength() - 1;
        return Optional.of(
                new Term(signed(value), value.exponent(), Math.max(leading, 1 - format.bias())));
    }

    /// NaN and infinities by IEEE 754; empty if all terms are finite.
    private static Optional<Value> special(List<Value> products, Value accumulator) {
        Value sum = accumulator;
        boolean special = !(accumulator instanceof Value.Finite);
        for (Value product : products) {
            if (!(product instanceof Value.Finite)) {
                special = true;
                sum = add(sum, product);
            }
        }
        return special ? Optional.of(sum) : Optional.empty();
    }

    /// The exact sum of truncated terms.
    private static Value.Finite sum(List<Term> terms, Optional<Integer> fractionBits) {
        int largest = LEAST_EXPONENT;
        int unit = 0;
        for (Term term : terms) {
            largest = Math.max(largest, term.exponent);
            unit = Math.min(unit, term.lastPlace);
        }
        BigInteger sum = BigInteger.ZERO;
        for (Term term : terms) {
            sum = sum.add(term.truncated(fractionBits, largest, unit));
        }
        return new Value.Finite(sum.signum() < 0, sum.abs(), unit);
    }

    private long scaledSum(ScaledSum rule, Terms terms) {
        Scales scales = terms.scales.orElseThrow();
        FloatFormat formatA = (FloatFormat) a;
        FloatFormat formatB = (FloatFormat) b;
        List<Value> special = new ArrayList<>();
        List<Term> finite = new ArrayList<>();
        for (int from = 0; from < terms.a.length; from += rule.productsPerTerm()) {
            Value sum = Value.of(0);
            int exponent = 0;
            for (int k = from; k < from + rule.productsPerTerm(); k++) {
                sum = add(sum, multiply(formatA.value(terms.a[k]), formatB.value(terms.b[k])));
                if (rule.productsPerTerm() == 1) {
                    exponent =
                            formatA.exponent(terms.a[k])
                                    + formatA.fractionBits()
                                    + formatB.exponent(terms.b[k])
                                    + formatB.fractionBits();
                }
            }
            Value scaled = multiply(sum, scales.format.value(scales.a[from]));
            scaled = multiply(scaled, scales.format.value(scales.b[from]));
            if (scaled instanceof Value.Finite value) {
                if (!value.isZero()) {
                    exponent += leading(scales.format, scales.a[from]);
                    exponent += leading(scales.format, scales.b[from]);
                    finite.add(new Term(signed(value), value.exponent(), exponent));
                }
            } else {
                special.add(scaled);
            }
        }
        Value accumulator = c.value(terms.c);
        Optional<Value> notFinite = special(special, accumulator);
        if (notFinite.isPresent()) {
            return d.encode(notFinite.get(), Rounding.TOWARD_ZERO, Overflow.IEEE);
        }
        term(accumulator, (FloatFormat) c).ifPresent(finite::add);
        Value sum = truncate(sum(finite, rule.fractionBits()), FloatFormat.F32.fractionBits());
        return d.encode(sum, Rounding.TOWARD_ZERO, Overflow.IEEE);
    }

    private static int leading(FloatFormat format, long code) {
        return format.exponent(code) + format.fractionBits();
    }

    private long chain(MultiplyAddChain rule, Terms terms) {
        long sum = terms.c;
        for (int k = 0; k < terms.a.length; k++) {
            sum = multiplyAdd(terms.a[k], terms.b[k], sum, rule.rounding());
        }
        return sum;
    }

    private static long multiplyAdd(long a, long b, long c, Rounding rounding) {
        FloatFormat f64 = FloatFormat.F64;
        for (long operand : new long[] {b, c, a}) {
            if (f64.isNaN(operand)) {
                return operand | 1L << 51;
            }
        }
        Value product = multiply(f64.value(a), f64.value(b));
        Value sum = add(product, f64.value(c));
        return switch (sum) {
            case Value.NaN _ -> 0xFFF8_0000_0000_0000L;
            case Value.Finite value when value.isZero() -> {
                // IEEE 754 6.3: the sign of an exact zero sum of unlike signs follows the rounding
                boolean both = negative(product) && f64.isNegative(c);
                boolean mixed = negative(product) != f64.isNegative(c);
                yield both || (mixed && rounding == Rounding.DOWN) ? Long.MIN_VALUE : 0;
            }
            default -> f64.encode(sum, rounding, Overflow.IEEE);
        };
    }

    private long integerSum(IntegerSum rule, Terms terms) {
        IntegerFormat formatA = (IntegerFormat) a;
        IntegerFormat formatB = (IntegerFormat) b;
        BigInteger sum = BigInteger.valueOf(IntegerFormat.S32.toLong(terms.c));
        for (int k = 0; k < terms.a.length; k++) {
            sum =
                    sum.add(
                            BigInteger.valueOf(
                                    formatA.toLong(terms.a[k]) * formatB.toLong(terms.b[k])));
        }
        return switch (rule.overflow()) {
            case WRAPS -> IntegerFormat.S32.wrap(sum.longValue());
            case SATURATES -> IntegerFormat.S32.clamp(sum);
        };
    }

    private static long bitCount(BitCount rule, Terms terms) {
        long count = IntegerFormat.S32.toLong(terms.c);
        for (int k = 0; k < terms.a.length; k++) {
            count +=
                    1
                            & (rule.operation() == BitOperation.AND
                                    ? terms.a[k] & terms.b[k]
                                    : terms.a[k] ^ terms.b[k]);
        }
        return IntegerFormat.S32.wrap(count);
    }

    /// Toward zero to that many fraction bits of f32's exponent range; from 2^128 on, infinity.
    private static Value truncate(Value.Finite value, int fractionBits) {
        int leading = value.exponent() + value.significand().bitLength() - 1;
        if (value.isZero()) {
            return Value.of(0);
        }
        if (leading > FloatFormat.F32.bias()) {
            return new Value.Infinity(value.negative());
        }
        int lastPlace = Math.max(leading, 1 - FloatFormat.F32.bias()) - fractionBits;
        BigInteger kept = shift(value.significand(), value.exponent() - lastPlace);
        return kept.signum() == 0
                ? Value.of(0)
                : new Value.Finite(value.negative(), kept, lastPlace);
    }

    private static Value round(Value value, FloatFormat format, Rounding rounding) {
        Value rounded = format.value(format.encode(value, rounding, Overflow.IEEE));
        return rounded instanceof Value.Finite finite && finite.isZero() ? Value.of(0) : rounded;
    }

    static Value multiply(Value x, Value y) {
        boolean negative = negative(x) != negative(y);
        if (x instanceof Value.NaN || y instanceof Value.NaN) {
            return new Value.NaN(false, 0);
        }
        if (x instanceof Value.Finite a && y instanceof Value.Finite b) {
            return new Value.Finite(
                    negative,
                    a.significand().multiply(b.significand()),
                    a.exponent() + b.exponent());
        }
        return isZero(x) || isZero(y) ? new Value.NaN(false, 0) : new Value.Infinity(negative);
    }

    static Value add(Value x, Value y) {
        if (x instanceof Value.NaN || y instanceof Value.NaN) {
            return new Value.NaN(false, 0);
        }
        if (x instanceof Value.Infinity(boolean negative)) {
            return y instanceof Value.Infinity(boolean other) && other != negative
                    ? new Value.NaN(false, 0)
                    : x;
        }
        if (y instanceof Value.Infinity) {
            return y;
        }
        Value.Finite a = (Value.Finite) x;
        Value.Finite b = (Value.Finite) y;
        int unit = Math.min(a.exponent(), b.exponent());
        BigInteger sum =
                shift(signed(a), a.exponent() - unit).add(shift(signed(b), b.exponent() - unit));
        return new Value.Finite(sum.signum() < 0, sum.abs(), unit);
    }

    private static Value negate(Value value) {
        return switch (value) {
            case Value.Finite(boolean negative, BigInteger significand, int exponent) ->
                    new Value.Finite(!negative, significand, exponent);
            case Value.Infinity(boolean negative) -> new Value.Infinity(!negative);
            case Value.NaN nan -> nan;
        };
    }

    static boolean negative(Value value) {
        return switch (value) {
            case Value.Finite finite -> finite.negative();
            case Value.Infinity(boolean negative) -> negative;
            case Value.NaN _ -> false;
        };
    }

    private static boolean isZero(Value value) {
        return value instanceof Value.Finite finite && finite.isZero();
    }

    private static BigInteger signed(Value.Finite value) {
        return value.negative() ? value.significand().negate() : value.significand();
    }

    private static BigInteger shift(BigInteger value, int places) {
        return places >= 0 ? value.shiftLeft(places) : value.shiftRight(-places);
    }
}
