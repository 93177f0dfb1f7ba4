package dev.heddle.vm.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.Codes;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/// Random contents of buffers.
final class RandomContentsTest {
    private static final int LENGTH = 10_000;

    /// Ordinary numbers, some that are too large, and subnormal ones.
    @ParameterizedTest
    @ValueSource(doubles = {1, 70_000, 1e-5, 1e300})
    void halvesAreRoundedToNearestAndSaturate(double most) {
        BufferType type = new BufferType(FloatFormat.F16, List.of(LENGTH));
        Contents contents = new Contents.Random(type, 5, -most, most);

        byte[] bytes = Objects.requireNonNull(contents.load(Path.of("")).bytes());
        Codes codes = Codes.wrap(type.format(), LENGTH, bytes);

        SplittableRandom source = new SplittableRandom(5);
        for (int i = 0; i < LENGTH; i++) {
            float value = (float) (-most + 2 * most * source.nextDouble());
            assertThat(codes.bits(i))
                    .as("%s", value)
                    .isEqualTo(
                            FloatFormat.F16.encode(
                                    value, Rounding.NEAREST_EVEN, Overflow.SATFINITE));
        }
    }
}
