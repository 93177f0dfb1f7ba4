package dev.heddle.tensorcore.kernel;

import dev.heddle.formats.FloatFormat;
import dev.heddle.tensorcore.numerics.Accumulation.ScalarSteps;

/// `m8n8k4` with f16 operands by Java's own f32 arithmetic, element by element.
record StepElements(TermReader terms, ScalarSteps rule, FloatFormat formatC, FloatFormat formatD)
        implements ElementKernel.Element {
    @Override
    public long code(Inputs in, int row, int column) {
        terms.load(in, row, column);
        float c = value(formatC, terms.c(in, row, column));
        float sum =
                switch (rule.order()) {
                    case PRODUCTS_THEN_C -> {
                        float products = 0;
                        for (int k = 0; k < terms.a().length; k++) {
                            products = Math.fma(a(k), b(k), products);
                        }
                        yield products + c;
                    }
                    case C_BETWEEN_PAIRS -> pair(0) + c + pair(2);
                };
        if (Float.isNaN(sum)) {
            return formatD.canonicalNaN();
        }
        return formatD == FloatFormat.F16
                ? Float.floatToFloat16(sum) & formatD.mask()
                : Integer.toUnsignedLong(Float.floatToRawIntBits(sum));
    }

    private float pair(int k) {
        return Math.fma(a(k + 1), b(k + 1), a(k) * b(k));
    }

    private float a(int k) {
        return value(FloatFormat.F16, terms.a()[k]);
    }

    private float b(int k) {
        return value(FloatFormat.F16, terms.b()[k]);
    }

    private static float value(FloatFormat format, long code) {
        return format == FloatFormat.F16
                ? Float.float16ToFloat((short) code)
                : Float.intBitsToFloat((int) code);
    }
}
