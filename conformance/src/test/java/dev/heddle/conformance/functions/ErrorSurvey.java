package dev.heddle.conformance.functions;

import dev.heddle.formats.FloatFormat;
import dev.heddle.tensorcore.functions.ApproximateFunction;
import dev.heddle.tensorcore.functions.ErrorBound;
import dev.heddle.tensorcore.functions.ErrorBound.Inputs;
import dev.heddle.tensorcore.functions.ErrorBound.Measure;
import dev.heddle.tensorcore.functions.RealFunction;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The errors of a function of one operand, one sign and exponent field at a time.
///
/// The exact value is computed in double, within 2^-48 of it ([Nearly]); of `.f64` the error itself
/// is, from the product that would be one. An error in ulp of `.f32` is so known to 2^-24.
///
/// Where the exact value is not finite, or too large for the format, a result of the same kind has
/// no error and any other an infinite one; a NaN as input has none. With `.ftz` a zero has none
/// where the exact value lies below the normal ones.
final class ErrorSurvey {
    /// Parts of the fraction, by its upper bits.
    private static final int PART_BITS = 8;

    private static final int CHUNK = 1 << 12;
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

    private final ApproximateFunction function;
    private final FloatFormat format;
    private final RealFunction real;
    private final InputSpace[] spaces;

    /// Bits of an input's number: the high word's of `.f64`.
    private final int wordBits;

    private final int fractionBits;
    private final double leastNormal;
    private final double overflow;

    ErrorSurvey(ApproximateFunction function) {
        this.function = function;
        this.format = function.format();
        this.real = function.real().orElseThrow();
        this.spaces = spaces(function);
        this.wordBits = Math.min(32, format.bits());
        this.fractionBits = format.fractionBits() - (format.bits() - wordBits);
        this.leastNormal = format.toDouble(format.minNormal());
        double largest = format.toDouble(format.maxFinite());
        this.overflow = largest + Math.scalb(1.0, format.exponent(format.maxFinite()) - 1);
    }

    /// Where the half types are computed: in the packed form, the upper half zero.
    static InputSpace[] spaces(ApproximateFunction function) {
        return InputSpace.of(
                switch (function) {
                    case EX2_F16 -> ApproximateFunction.EX2_F16X2;
                    case EX2_FTZ_BF16 -> ApproximateFunction.EX2_FTZ_BF16X2;
                    case TANH_F16 -> ApproximateFunction.TANH_F16X2;
                    case TANH_BF16 -> ApproximateFunction.TANH_BF16X2;
                    default -> function;
                });
    }

    /// Signs and exponent fields.
    int blocks() {
        return 1 << wordBits - fractionBits;
    }

    /// Whether a sign and exponent field is looked at: of `.f64` every 61st, and both ends. Between
    /// them the error is that of the fraction and the exponent's last bit.
    boolean taken(int block) {
        int exponents = blocks() / 2;
        int field = block % exponents;
        return format != FloatFormat.F64 || field < 4 || field >= exponents - 4 || field % 61 == 0;
    }

    /// Inputs of each.
    long perBlock() {
        return (long) spaces.length << fractionBits;
    }

    int parts() {
        return 1 << Math.min(PART_BITS, fractionBits);
    }

    /// What the largest error is asked of: the bounds of the manual, all inputs in the measures of
    /// the bounds, and in ulp. The seeds of `.f64` have 20 bits only, so not in ulp.
    List<ErrorBound> questions() {
        Set<ErrorBound> questions = new LinkedHashSet<>();
        function.bounds().forEach(bound -> questions.add(question(bound, bound.inputs())));
        function.bounds().forEach(bound -> questions.add(question(bound, Inputs.ALL)));
        if (function == ApproximateFunction.EX2_F16) {
            questions.add(question(Measure.RELATIVE, Inputs.NORMAL_RESULTS));
        }
        if (real == RealFunction.RCP) {
            questions.add(question(Measure.RELATIVE, Inputs.DIVISORS));
        }
        if (format == FloatFormat.F64) {
            questions.add(question(Measure.RELATIVE, Inputs.ALL));
        }
        if (format != FloatFormat.F64 || !function.flushes()) {
            questions.add(question(Measure.ULPS, Inputs.ALL));
        }
        return List.copyOf(questions);
    }

    private static ErrorBound question(ErrorBound bound, Inputs inputs) {
        return question(
                bound.measure() == Measure.ULPS_FROM_ROUNDED ? Measure.ULPS : bound.measure(),
                inputs);
    }

    private static ErrorBound question(Measure measure, Inputs inputs) {
        return new ErrorBound(measure, Double.POSITIVE_INFINITY, inputs);
    }

    /// What was found among the inputs of one sign and exponent field.
    static final class Found {
        final double[] largest;
        final long[] operand;
        final long[] result;
        double profile;
        final double[] low;
        final double[] high;

        Found(int questions, int parts) {
            largest = new double[questions];
            Arrays.fill(largest, -1);
            operand = new long[questions];
            result = new long[questions];
            low = new double[parts];
            high = new double[parts];
        }

        /// The larger of each; of two equals the one that came first.
        void add(Found other) {
            for (int q = 0; q < largest.length; q++) {
                if (other.largest[q] > largest[q]) {
                    largest[q] = other.largest[q];
                    operand[q] = other.operand[q];
                    result[q] = other.result[q];
                }
            }
            for (int part = 0; part < low.length; part++) {
                low[part] = Math.min(low[part], other.low[part]);
                high[part] = Math.max(high[part], other.high[part]);
            }
        }
    }

    /// Consecutive inputs.
    private final class Chunk {
        final int size = (int) Math.min(CHUNK, (1L << fractionBits) / parts());

        /// Room for whole vectors; what is beyond the size has no error.
        final int room = Math.max(size, 16);

        final double[] inputs = new double[room];
        final double[] exact = new double[room];
        /// Result less exact value.
        final double[] errors = new double[room];
        /// The same in another measure, and the least and the greatest of them.
        final double[] measured = new double[room];
        double low;
        double high;
        final long[] words = new long[room];

        void fill(InputSpace space, long first) {
            space.model().results((int) first, words);
            for (int i = 0; i < size; i++) {
                words[i] &= format == FloatFormat.F64 ? -1L : (1L << wordBits) - 1;
                double input = value(operand(space, first + i));
                boolean flushed = function.flushes() && Math.abs(input) < leastNormal;
                inputs[i] = flushed ? Math.copySign(0, input) : input;
            }
            Nearly.values(real, inputs, exact);
            for (int i = 0; i < size; i++) {
                errors[i] = error(inputs[i], value(words[i]), exact[i]);
            }
        }

        void measure(Measure measure) {
            DoubleVector least = DoubleVector.zero(DOUBLES);
            DoubleVector greatest = least;
            for (int i = 0; i < room; i += DOUBLES.length()) {
                DoubleVector error = DoubleVector.fromArray(DOUBLES, errors, i);
                DoubleVector magnitude = DoubleVector.fromArray(DOUBLES, exact, i).abs();
                error =
                        switch (measure) {
                            case ABSOLUTE -> error;
                            case RELATIVE -> error.div(magnitude).blend(0, error.eq(0));
                            case ULPS, ULPS_FROM_ROUNDED -> error.mul(ulpsIn(magnitude));
                        };
                error.intoArray(measured, i);
                least = least.min(error);
                greatest = greatest.max(error);
            }
            low = least.reduceLanes(VectorOperators.MIN);
            high = greatest.reduceLanes(VectorOperators.MAX);
        }
    }

    /// Ulps in one. Just above a power of two those of below it are taken, for the exact value may
    /// lie there; but not of `.f64`, where that would be a hundred inputs.
    private DoubleVector ulpsIn(DoubleVector magnitude) {
        return magnitude
                .mul(format == FloatFormat.F64 ? 1 : 1 - 0x1p-46)
                .max(leastNormal)
                .viewAsIntegralLanes()
                .lanewise(VectorOperators.LSHR, 52)
                .neg()
                .add(format.fractionBits() + 2046)
                .lanewise(VectorOperators.LSHL, 52)
                .reinterpretAsDoubles();
    }

    private double value(long word) {
        return format == FloatFormat.F32 ? Float.intBitsToFloat((int) word) : format.toDouble(word);
    }

    private long operand(InputSpace space, long number) {
        return format == FloatFormat.F64 ? space.word((int) number) : number;
    }

    private double error(double input, double result, double exact) {
        double magnitude = Math.abs(exact);
        if (magnitude < leastNormal && result == 0 && function.flushes() || Double.isNaN(input)) {
            return 0;
        }
        if (!(magnitude <= Double.MAX_VALUE && Math.abs(result) <= Double.MAX_VALUE)) {
            double rounded = magnitude >= overflow ? exact * Double.POSITIVE_INFINITY : exact;
            boolean same = Double.isNaN(exact) ? Double.isNaN(result) : result == rounded;
            return same ? 0 : Double.POSITIVE_INFINITY;
        }
        return format == FloatFormat.F64 ? relative(input, result) * magnitude : result - exact;
    }

    /// The relative error of a `.f64` result y. For a reciprocal it is x * y - 1; for that of a
    /// root x * y * y is (1 + e)^2.
    private double relative(double x, double y) {
        if (Math.abs(x) < Double.MIN_NORMAL) {
            return relative(x * 0x1p54, y * (real == RealFunction.RCP ? 0x1p-54 : 0x1p-27));
        }
        int even = Math.getExponent(x) & -2;
        double scaled = Math.scalb(x, -even); // in [1, 4), so that nothing below is subnormal
        if (real == RealFunction.RCP) {
            return Math.fma(scaled, Math.scalb(y, even), -1);
        }
        double root = Math.scalb(y, even / 2);
        double square = root * root;
        double squareRest = Math.fma(root, root, -square);
        double product = square * scaled;
        double productRest = Math.fma(square, scaled, -product);
        double excess = product - 1 + (productRest + squareRest * scaled);
        return excess / (1 + Math.sqrt(1 + excess));
    }

    /// The errors of one sign and exponent field.
    Found block(int block) {
        Found found = new Found(questions().size(), parts());
        for (int part = 0; part < parts(); part++) {
            survey(block, part, found);
        }
        return found;
    }

    /// The errors of one part of its fractions.
    Found part(int block, int part) {
        Found found = new Found(questions().size(), parts());
        survey(block, part, found);
        return found;
    }

    private void survey(int block, int part, Found found) {
        List<ErrorBound> questions = questions();
        Chunk chunk = new Chunk();
        long span = (1L << fractionBits) / parts();
        long first = ((long) block << fractionBits) + part * span;
        for (InputSpace space : spaces) {
            for (long at = first; at < first + span; at += chunk.size) {
                chunk.fill(space, at);
                add(questions, chunk, space, at, part, found);
            }
        }
    }

    private void add(
            List<ErrorBound> questions,
            Chunk chunk,
            InputSpace space,
            long first,
            int part,
            Found found) {
        Set<Measure> done = EnumSet.noneOf(Measure.class);
        for (ErrorBound one : questions) {
            if (!done.add(one.measure())) {
                continue;
            }
            chunk.measure(one.measure());
            for (int q = 0; q < questions.size(); q++) {
                if (questions.get(q).measure() == one.measure()) {
                    ask(questions.get(q).inputs(), q, chunk, space, first, found);
                }
            }
            if (done.size() == 1) {
                profile(one.inputs(), chunk, part, found);
            }
        }
    }

    private void ask(Inputs inputs, int q, Chunk chunk, InputSpace space, long first, Found found) {
        if (Math.max(chunk.high, -chunk.low) <= found.largest[q]) {
            return;
        }
        for (int i = 0; i < chunk.size; i++) {
            double error = Math.abs(chunk.measured[i]);
            if (error > found.largest[q] && ErrorTables.include(inputs, chunk.inputs[i])) {
                found.largest[q] = error;
                found.operand[q] = operand(space, first + i);
                found.result[q] = chunk.words[i];
            }
        }
    }

    private void profile(Inputs inputs, Chunk chunk, int part, Found found) {
        double largest = Math.max(chunk.high, -chunk.low);
        found.profile = Math.max(found.profile, largest);
        double input = chunk.inputs[0];
        if (input >= leastNormal
                && input < overflow
                && ErrorTables.include(inputs, chunk.inputs[0])
                && ErrorTables.include(inputs, chunk.inputs[chunk.size - 1])) {
            found.low[part] = Math.min(found.low[part], chunk.low);
            found.high[part] = Math.max(found.high[part], chunk.high);
        }
    }
}
