package dev.heddle.tensorcore.numerics;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Value;
import dev.heddle.tensorcore.numerics.Accumulation.ScalarSteps;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Scalar f32 operations in exact arithmetic, each rounded once: every operation is a pass.
final class ExactSteps {
    private static final FloatFormat F32 = FloatFormat.F32;

    private final ExactProduct formats;
    private final ExactProduct.Terms terms;
    private final List<Trace.Pass> passes = new ArrayList<>();

    private record Operand(Trace.Source source, Value value) {}

    ExactSteps(ExactProduct formats, ExactProduct.Terms terms) {
        this.formats = formats;
        this.terms = terms;
    }

    Trace trace(ScalarSteps rule) {
        Operand c = new Operand(new Trace.Accumulator(), formats.c().value(terms.c()));
        switch (rule.order()) {
            case PRODUCTS_THEN_C -> {
                Operand sum = new Operand(new Trace.Zero(), Value.of(0));
                for (int k = 0; k < terms.a().length; k++) {
                    sum = operation(product(k), sum);
                }
                operation(sum, c);
            }
            case C_BETWEEN_PAIRS -> {
                Operand first = operation(pair(0), c);
                operation(first, pair(2));
            }
        }
        FloatFormat formatD = (FloatFormat) formats.d();
        if (formatD != F32) {
            ExactPass conversion = new ExactPass();
            Value sum = passes.getLast().result();
            conversion.add(new Trace.Earlier(passes.size() - 1), sum);
            passes.add(conversion.whole(_ -> nearest(sum, formatD)));
        }
        Value result = passes.getLast().result();
        return new Trace(passes, formatD.encode(result, Rounding.NEAREST_EVEN, Overflow.IEEE));
    }

    private Operand product(int k) {
        Value a = formats.a().value(terms.a()[k]);
        Value b = formats.b().value(terms.b()[k]);
        return new Operand(new Trace.Product(k, 1), ExactArithmetic.multiply(a, b));
    }

    /// A product, rounded, and the next one fused in.
    private Operand pair(int k) {
        return operation(product(k + 1), operation(product(k)));
    }

    /// The sum of one or two operands, rounded to the nearest f32.
    private Operand operation(Operand... operands) {
        ExactPass pass = new ExactPass();
        for (Operand operand : operands) {
            pass.add(operand.source, operand.value);
        }
        // IEEE 754 6.3: a zero sum is negative where all terms are, when rounding to nearest
        boolean negative =
                Stream.of(operands).allMatch(term -> ExactArithmetic.negative(term.value));
        passes.add(
                pass.whole(
                        sum ->
                                ExactArithmetic.isZero(sum)
                                        ? F32.value(negative ? 0x8000_0000L : 0)
                                        : nearest(sum, F32)));
        return new Operand(new Trace.Earlier(passes.size() - 1), passes.getLast().result());
    }

    private static Value nearest(Value value, FloatFormat format) {
        return format.value(format.encode(value, Rounding.NEAREST_EVEN, Overflow.IEEE));
    }
}
