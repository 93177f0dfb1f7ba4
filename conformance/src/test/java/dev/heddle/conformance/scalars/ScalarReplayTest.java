package dev.heddle.conformance.scalars;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Machine;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The interpreter against what an H100 computed, a test for each form: so Pitest holds a mutant
/// against the forms that reach it, and no others (`docs/evidence/mutation.md`).
///
/// A build takes forms that have every operation between them, `-Dheddle.scalars=all` all.
@DisplayName("PTX ISA 9.7.1 to 9.7.9 and 9.7.18: the interpreter has the bits of an H100")
final class ScalarReplayTest {

    private static Predicate<String> replayed() {
        return "all".equals(System.getProperty("heddle.scalars"))
                ? _ -> true
                : RecordedOperations.formsOfEachOperation()::contains;
    }

    @TestFactory
    Stream<DynamicTest> hasTheRecordedBits() throws IOException {
        ScalarGoldens goldens = ScalarGoldensTest.goldens();
        ScalarMachine interpreter = ScalarMachine.of(Machine.interpreter(Generation.SM_90));
        Predicate<String> replayed = replayed();
        return goldens.records().stream()
                .filter(golden -> replayed.test(golden.text()))
                .map(
                        golden ->
                                DynamicTest.dynamicTest(
                                        golden.text(),
                                        () ->
                                                assertThat(
                                                                Scalars.difference(
                                                                        goldens,
                                                                        golden,
                                                                        interpreter))
                                                        .isEmpty()));
    }
}
