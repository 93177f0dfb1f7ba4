package dev.heddle.formats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.math.BigDecimal;
import java.util.List;

@DisplayName("The unit in the last place is the distance of neighbours")
final class UlpTest {
    static final List<FloatFormat> SMALL =
            List.of(
                    FloatFormat.F16,
                    FloatFormat.BF16,
                    FloatFormat.E4M3,
                    FloatFormat.E5M2,
                    FloatFormat.E2M1);
    private static final BigDecimal THIRD = new BigDecimal("0.333333333333333333333333333");

    @ParameterizedTest
    @FieldSource("SMALL")
    void betweenAnyTwo(FloatFormat format) {
        for (long code = 0; code < format.maxFinite(); code++) {
            BigDecimal value = value(format, code);
            BigDecimal distance = value(format, code + 1).subtract(value);
            BigDecimal between = value.add(distance.multiply(THIRD));
            for (BigDecimal of : List.of(value, between, between.negate())) {
                assertThat(format.ulp(of)).as("%s %s", format, of).isEqualByComparingTo(distance);
            }
        }
    }

    @ParameterizedTest
    @FieldSource("SMALL")
    void beyondTheLargestIsThatOfTheLargest(FloatFormat format) {
        long last = format.maxFinite();
        BigDecimal distance = value(format, last).subtract(value(format, last - 1));
        for (BigDecimal of : List.of(value(format, last), BigDecimal.TEN.pow(400))) {
            assertThat(format.ulp(of)).isEqualByComparingTo(distance);
        }
    }

    private static BigDecimal value(FloatFormat format, long code) {
        return new BigDecimal(format.toDouble(code));
    }
}
