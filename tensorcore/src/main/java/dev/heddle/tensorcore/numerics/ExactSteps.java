package dev.heddle.tensorcore.numerics;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Value;
import dev.heddle.tensorcore.numerics.Accumulation.ScalarSteps;

/// Scalar f32 operations in exact arithmetic, each rounded once.
final class ExactSteps {
    private static final FloatFormat F32 = FloatFormat.F32;

    /// Added to a product, it leaves the product's own sign of zero.
    private static final long NEGATIVE_ZERO = 0x8000_0000L;

    private static final long ONE = 0x3F80_0000L;

    private ExactSteps() {}

    static long element(ScalarSteps rule, ExactProduct.Terms terms, ExactProduct formats) {
        FloatFormat a = (FloatFormat) formats.a();
        long c = F32.encode(formats.c().value(terms.c()), Rounding.NEAREST_EVEN, Overflow.IEEE);
        long sum =
                switch (rule.order()) {
                    case PRODUCTS_THEN_C -> {
                        long products = 0;
                        for (int k = 0; k < terms.a().length; k++) {
                            products = fused(a, terms.a()[k], terms.b()[k], products);
                        }
                        yield fused(F32, products, ONE, c);
                    }
                    case C_BETWEEN_PAIRS ->
                            fused(
                                    F32,
                                    fused(F32, pair(a, terms, 0), ONE, c),
                                    ONE,
                                    pair(a, terms, 2));
                };
        return formats.d().encode(F32.value(sum), Rounding.NEAREST_EVEN, Overflow.IEEE);
    }

    private static long pair(FloatFormat format, ExactProduct.Terms terms, int k) {
        long first = fused(format, terms.a()[k], terms.b()[k], NEGATIVE_ZERO);
        return fused(format, terms.a()[k + 1], terms.b()[k + 1], first);
    }

    /// The f32 code of `x * y + addend`, rounded to the nearest.
    private static long fused(FloatFormat format, long x, long y, long addend) {
        Value product = ExactProduct.multiply(format.value(x), format.value(y));
        Value sum = ExactProduct.add(product, F32.value(addend));
        if (sum instanceof Value.Finite value && value.isZero()) {
            // IEEE 754 6.3: a zero sum is negative where both terms are, when rounding to nearest
            return ExactProduct.negative(product) && F32.isNegative(addend) ? NEGATIVE_ZERO : 0;
        }
        return F32.encode(sum, Rounding.NEAREST_EVEN, Overflow.IEEE);
    }
}
