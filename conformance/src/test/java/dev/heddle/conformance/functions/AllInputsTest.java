package dev.heddle.conformance.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.tensorcore.functions.ApproximateFunction;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;

/// Some exponent blocks of each function, other ones for each; `dev.heddle.conformance.functions`
/// runs all of them.
@DisplayName("The approximate functions have the checksums of an H100")
final class AllInputsTest {
    private static final long SEED = 20_261_122;

    @Test
    void someBlocksOfEachFunction() {
        Map<String, long[]> stored = AllInputs.stored();
        SplittableRandom random = new SplittableRandom(SEED);
        Set<String> seen = new HashSet<>();
        List<String> different = new ArrayList<>();
        for (ApproximateFunction function : ApproximateFunction.values()) {
            for (InputSpace space : InputSpace.of(function)) {
                seen.add(space.toString());
                // An exponent from 2^-8 to 2^7, where functions of .f32 do most, with either sign.
                int block = 119 + random.nextInt(16) + 256 * random.nextInt(2);
                long[] expected = Objects.requireNonNull(stored.get(space.toString()));
                if (AllInputs.checksum(space, block) != expected[block]) {
                    different.add(space + ", block " + block);
                }
            }
        }
        assertThat(different).isEmpty();
        assertThat(stored.keySet()).isEqualTo(seen);
    }
}
