package dev.heddle.conformance.scalars;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Machine;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// The compiler against what an H100 computed: 4,096 operands of every form, all corners. The
/// interpreter: [ScalarReplayTest].
@DisplayName("PTX ISA 9.7.1 to 9.7.9 and 9.7.18: every scalar form has the bits of an H100")
final class ScalarGoldensTest {
    static ScalarGoldens goldens() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        ScalarGoldensTest.class.getResourceAsStream("h100.bin.gz"))) {
            return ScalarGoldens.read(in);
        }
    }

    @Test
    void theCompilerHasThem() throws IOException {
        assertThat(
                        Scalars.differences(
                                goldens(),
                                ScalarMachine.of(Machine.compiler(Generation.SM_90)),
                                _ -> true))
                .isEmpty();
    }

    @Test
    void everyFormIsRecorded() throws IOException {
        Set<String> recorded = new TreeSet<>();
        goldens().records().forEach(golden -> recorded.add(golden.text()));
        Set<String> listed = new TreeSet<>();
        ScalarForm.all().forEach(form -> listed.add(form.text()));
        assertThat(recorded).isEqualTo(listed);
    }
}
