package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Rounding;
import dev.heddle.tensorcore.numerics.Accumulation.MultiplyAddChain;
import dev.heddle.tensorcore.numerics.ExactProduct;

import java.util.Optional;

/// Chains of f64 fused multiply-adds, element by element; exact integers where Java's own does not
/// serve: for directed rounding, and for NaN, whose payload Java leaves open.
record ChainElements(TermReader terms, MultiplyAddChain rule) implements ElementKernel.Element {
    private static final ExactProduct EXACT =
            new ExactProduct(FloatFormat.F64, FloatFormat.F64, FloatFormat.F64, FloatFormat.F64);

    @Override
    public long code(Inputs in, int row, int column) {
        terms.load(in, row, column);
        long c = terms.c(in, row, column);
        if (rule.rounding() == Rounding.NEAREST_EVEN) {
            double sum = Double.longBitsToDouble(c);
            for (int k = 0; k < terms.a().length; k++) {
                sum =
                        Math.fma(
                                Double.longBitsToDouble(terms.a()[k]),
                                Double.longBitsToDouble(terms.b()[k]),
                                sum);
            }
            if (!Double.isNaN(sum)) {
                return Double.doubleToRawLongBits(sum);
            }
        }
        return EXACT.element(
                rule, new ExactProduct.Terms(terms.a(), terms.b(), c, false, Optional.empty()));
    }
}
