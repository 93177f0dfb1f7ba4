package dev.heddle.conformance.scalars;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.conformance.instructions.LoweredOperations;
import dev.heddle.vm.ir.Operation;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Interpreter and compiler compute many operations by the same method: where that is wrong, their
/// agreement does not show it. So each operation has a witness that is neither of them.
@DisplayName("every operation is held against a GPU or exact arithmetic")
final class RecordedOperationsTest {
    /// Operations that no H100 recorded, and the test that holds them against the manual's words.
    private static final Map<String, String> EXACT =
            Map.ofEntries(
                    Map.entry("cvt.bf16.ue8m0", "NarrowConversionTest"),
                    Map.entry("cvt.f16.e2m1", "NarrowConversionTest"),
                    Map.entry("cvt.f16.e2m3", "NarrowConversionTest"),
                    Map.entry("cvt.f16.e3m2", "NarrowConversionTest"),
                    Map.entry("cvt.rn.e2m1.f32", "NarrowConversionTest"),
                    Map.entry("cvt.rn.e2m3.f32", "NarrowConversionTest"),
                    Map.entry("cvt.rn.e3m2.f32", "NarrowConversionTest"),
                    Map.entry("cvt.rp.ue8m0.f32", "NarrowConversionTest"),
                    Map.entry("cvt.rs.bf16.f32", "StochasticRoundingTest"),
                    Map.entry("cvt.rs.e2m1.f32", "StochasticRoundingTest"),
                    Map.entry("cvt.rs.e2m3.f32", "StochasticRoundingTest"),
                    Map.entry("cvt.rs.e3m2.f32", "StochasticRoundingTest"),
                    Map.entry("cvt.rs.e4m3.f32", "StochasticRoundingTest"),
                    Map.entry("cvt.rs.e5m2.f32", "StochasticRoundingTest"),
                    Map.entry("cvt.rs.f16.f32", "StochasticRoundingTest"),
                    Map.entry("cvt.rz.ue8m0.f32", "NarrowConversionTest"),
                    Map.entry("high.b32.b64", "WideValuesTest"),
                    Map.entry("pack.b64.b32", "WideValuesTest"));

    @Test
    void noneIsWithoutAWitness() {
        Set<Operation> recorded = RecordedOperations.all();
        Set<String> open = new TreeSet<>();
        for (Operation operation : LoweredOperations.ofEveryLine().operations()) {
            if (!recorded.contains(operation)) {
                open.add(operation.toString());
            }
        }
        assertThat(open).isEqualTo(new TreeSet<>(EXACT.keySet()));
    }

    @Test
    void theTestsNamedExist() {
        for (String test : EXACT.values()) {
            assertThat(Path.of("../vm/src/test/java/dev/heddle/vm", test + ".java")).exists();
        }
    }
}
