package dev.heddle.tensorcore.numerics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Value;
import dev.heddle.isa.Form;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.Random;

@DisplayName("PTX ISA 9.7.14.5.14: the definition in exact arithmetic")
final class ExactProductTest {
    private static final long SEED = 2511_10909;
    private static final int K = 16;
    private static final ExactProduct F16_TO_F32 =
            new ExactProduct(FloatFormat.F16, FloatFormat.F16, FloatFormat.F32, FloatFormat.F32);
    private static final FusedSum HOPPER =
            (FusedSum)
                    Numerics.of(
                                    Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
                                    Generation.SM_90)
                            .orElseThrow();

    @RepeatedTest(200)
    void withUnlimitedBitsItIsTheExactSumRoundedAndOtherwiseWithinTheBound(RepetitionInfo at) {
        Random random = new Random(SEED + at.getCurrentRepetition());
        long[] a = new long[K];
        long[] b = new long[K];
        BigDecimal sum = BigDecimal.ZERO;
        int largest = -133;
        for (int k = 0; k < K; k++) {
            a[k] = code(random);
            b[k] = code(random);
            double x = FloatFormat.F16.toDouble(a[k]);
            double y = FloatFormat.F16.toDouble(b[k]);
            sum = sum.add(new BigDecimal(x).multiply(new BigDecimal(y)));
            if (x != 0 && y != 0) {
                largest = Math.max(largest, exponent(x) + exponent(y));
            }
        }
        float c = (float) random.nextGaussian();
        largest = Math.max(largest, Math.getExponent(c));
        sum = sum.add(new BigDecimal(c));
        ExactProduct.Terms terms =
                new ExactProduct.Terms(
                        a, b, Float.floatToRawIntBits(c) & 0xFFFF_FFFFL, false, Optional.empty());

        long exact =
                FloatFormat.F32.encode(Value.Finite.of(sum), Rounding.TOWARD_ZERO, Overflow.IEEE);
        assertThat(F16_TO_F32.element(HOPPER.unlimited(), terms)).as("%s", at).isEqualTo(exact);

        // Each of K + 1 terms loses less than 2^(largest - 25), the rounding less than one place
        double result = FloatFormat.F32.toDouble(F16_TO_F32.element(HOPPER, terms));
        double bound = (K + 1) * Math.scalb(1.0, largest - 25) + Math.ulp((float) result);
        assertThat(new BigDecimal(result).subtract(sum).abs())
                .as("%s", at)
                .isLessThan(new BigDecimal(bound));
    }

    private static int exponent(double value) {
        return Math.max(Math.getExponent(value), -14);
    }

    private static long code(Random random) {
        double value = random.nextGaussian() * Math.scalb(1.0, random.nextInt(24) - 16);
        return FloatFormat.F16.encode(value, Rounding.NEAREST_EVEN, Overflow.SATFINITE);
    }

    @Test
    void zeroTermsDoNotPushOthersOutOfTheWindow() {
        long[] a = new long[K];
        long[] b = new long[K];
        a[0] = 0x0001; // 2^-24
        b[0] = 0x0001;
        b[1] = 0x7BFF; // 65504, times zero
        long d =
                F16_TO_F32.element(
                        HOPPER, new ExactProduct.Terms(a, b, 0, false, Optional.empty()));
        assertThat(Float.intBitsToFloat((int) d)).isEqualTo(0x1p-48f);
    }

    @Test
    void termsBelowTheWindowVanish() {
        long[] a = new long[K];
        long[] b = new long[K];
        a[0] = 0x3C00; // 1
        b[0] = 0x3C00;
        a[1] = 0x1000; // 2^-11
        b[1] = 0x0801; // a little more than 2^-13
        a[2] = 0x0C01; // 2^-12 and 2^-22
        b[2] = 0x0801;
        long d =
                F16_TO_F32.element(
                        HOPPER, new ExactProduct.Terms(a, b, 0, false, Optional.empty()));
        // Of the products, 2^-24 and 2^-25 remain, and the sum loses them to rounding toward zero
        assertThat(Float.intBitsToFloat((int) d)).isEqualTo(1f);
    }
}
