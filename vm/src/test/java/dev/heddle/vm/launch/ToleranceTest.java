package dev.heddle.vm.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.FloatFormat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

@DisplayName("How near a result must come")
final class ToleranceTest {
    private static byte[] bytes(float value) {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(value).array();
    }

    @ParameterizedTest(name = "{0} for {1}, relative {2}, absolute {3}: {4}")
    @CsvSource({
        "1.0e-6, 0, 0, 1e-5, true",
        "1.0e-6, 0, 1e-3, 0, false",
        "2.0e-5, 0, 0, 1e-5, false",
        "-1e-6, 1e-6, 0, 1e-5, true",
        "100.5, 100, 0, 1, true",
        "101.5, 100, 0, 1, false",
        "101.5, 100, 0.01, 1, true",
        "102.5, 100, 0.01, 1, false",
        "100.5, 100, 0.01, 0, true",
        "NaN, 1, 1, 1, false",
        "Infinity, Infinity, 0, 1, true",
        "Infinity, 1, 0, 1, false"
    })
    void near(float got, float expected, double relative, double absolute, boolean holds) {
        Agreement agreement =
                new Tolerance.Near(relative, absolute)
                        .compare(BufferType.row(FloatFormat.F32, 4), bytes(got), bytes(expected));
        assertThat(agreement.holds()).isEqualTo(holds);
    }
}
