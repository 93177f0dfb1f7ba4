package dev.heddle.tensorcore.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.tensorcore.numerics.Evidence;
import dev.heddle.tensorcore.numerics.Generation;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;

@DisplayName("The table of approximate functions")
final class ApproximateFunctionTest {
    @Test
    void formsAreFoundByOpcode() {
        assertThat(ApproximateFunction.of("ex2.approx.ftz.f32"))
                .contains(ApproximateFunction.EX2_FTZ_F32);
        assertThat(ApproximateFunction.of("ex2.approx.ftz.f16")).isEmpty();
        assertThat(ApproximateFunction.values()).hasSize(30);
    }

    @Test
    void onlySm90IsMeasured() {
        for (ApproximateFunction function : ApproximateFunction.values()) {
            for (Generation generation : Generation.values()) {
                assertThat(function.evidence(generation))
                        .singleElement()
                        .isInstanceOf(
                                generation == Generation.SM_90
                                        ? Evidence.Compared.class
                                        : Evidence.Assumed.class);
            }
        }
    }

    @Test
    void boundsReadLikeTheManual() {
        assertThat(ApproximateFunction.RSQRT_F32.bounds())
                .hasToString("[relative error at most 2^-22.9 for all positive finite inputs]");
        assertThat(ApproximateFunction.SIN_F32.bounds())
                .hasToString(
                        "[absolute error at most 2^-20.5 for inputs in [-2pi, 2pi],"
                                + " absolute error at most 2^-14.7 for inputs in [-100pi, 100pi]]");
        assertThat(ApproximateFunction.DIV_FULL_F32.bounds())
                .hasToString("[at most 2 ulp for all inputs]");
    }

    /// The example in the package's description.
    @Test
    void theWorkedExampleIsTrue() {
        int[] row = Coefficients.of("ex2")[19];
        assertThat(row).containsExactly(41220967, 27902, 609);
        assertThat(Interpolator.square(0x6666)).isEqualTo(1309);
        assertThat(Interpolator.EX2.value(19, 0x6666)).isEqualTo(0x4ecb122313L);
        assertThat(Mufu.ex2(0x3e99999a)).isEqualTo(0x3f9d9624);
    }

    /// The ranges that the measurement found, function by function.
    @ParameterizedTest
    @CsvSource({
        "rcp, 128, 16513, 65534, 130, 1013",
        "rsq, 128, 16578, 65531, 97, 754",
        "sqrt, 128, 32897, 65535, 182, 714",
        "ex2, 64, 22713, 44936, 494, 980",
        "lg2, 64, 23823, 47272, 186, 727",
        "sin, 64, 632, 25737, 14, 1265",
        "tanh, 51, 1, 64532, 1, 9823"
    })
    void theRowsHaveTheMeasuredRanges(
            String core, int rows, int leastC1, int mostC1, int leastC2, int mostC2) {
        int[][] all = Coefficients.of(core);
        assertThat(all).hasDimensions(rows, 3);
        assertThat(Arrays.stream(all).mapToInt(row -> Math.abs(row[1])).min()).hasValue(leastC1);
        assertThat(Arrays.stream(all).mapToInt(row -> Math.abs(row[1])).max()).hasValue(mostC1);
        assertThat(Arrays.stream(all).mapToInt(row -> Math.abs(row[2])).min()).hasValue(leastC2);
        assertThat(Arrays.stream(all).mapToInt(row -> Math.abs(row[2])).max()).hasValue(mostC2);
    }
}
