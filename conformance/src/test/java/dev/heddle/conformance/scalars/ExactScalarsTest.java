package dev.heddle.conformance.scalars;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Machine;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// Doubles, halves, comparisons and their kin against exact numbers, on operands with all
/// corners: every operator of every type, also those that no GPU recorded.
///
/// `-Dheddle.exact=N` takes N operands of each form, 256 without it.
@DisplayName("PTX ISA 9.7.1, 9.7.3, 9.7.4, 9.7.6, 9.7.7, 9.7.9: as exact arithmetic has it")
final class ExactScalarsTest {
    private static final int CASES = Integer.getInteger("heddle.exact", 256);
    private static final int DEALT = 4096;
    private static final long SEED = 12;

    private static List<ExactScalar> forms() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        ExactScalarsTest.class.getResourceAsStream("comparisons.txt"))) {
            String more = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            return Stream.concat(ScalarForm.all().stream(), ScalarForm.read(more).stream())
                    .distinct()
                    .map(ExactScalar::of)
                    .filter(ExactScalar::isCovered)
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"compiler", "interpreter"})
    void everyFormHasTheExactResult(String executor) throws IOException {
        ScalarMachine machine =
                ScalarMachine.of(
                        executor.equals("compiler")
                                ? Machine.compiler(Generation.SM_90)
                                : Machine.interpreter(Generation.SM_90));
        assertThat(
                        forms().parallelStream()
                                .flatMap(form -> differences(form, machine).stream().limit(2))
                                .toList())
                .isEmpty();
    }

    private static List<String> differences(ExactScalar exact, ScalarMachine machine) {
        ScalarForm form = exact.form();
        long[] operands = some(form);
        int sources = form.sources().length();
        int destinations = form.destinations().length();
        List<String> differences = new ArrayList<>();
        long[] found;
        try {
            found = exact.settled(machine.run(form, operands, CASES));
        } catch (ScalarMachine.Missing e) {
            return List.of(form + " " + e.getMessage());
        }
        for (int i = 0; i < CASES; i++) {
            long[] row = new long[sources];
            for (int s = 0; s < sources; s++) {
                row[s] = operands[s * CASES + i];
            }
            long[] expected = exact.results(row);
            for (int d = 0; d < destinations; d++) {
                if (found[d * CASES + i] != expected[d]) {
                    differences.add(
                            "%s %s: %x, exactly %x"
                                    .formatted(
                                            form,
                                            ScalarGoldens.words(form, operands, i, CASES),
                                            found[d * CASES + i],
                                            expected[d]));
                }
            }
        }
        return differences;
    }

    /// Operands from all that are dealt, evenly apart: pairs of corners, and random ones.
    private static long[] some(ScalarForm form) {
        long[] all = ScalarOperands.of(form, SEED, DEALT);
        int sources = form.sources().length();
        long[] some = new long[sources * CASES];
        for (int s = 0; s < sources; s++) {
            for (int i = 0; i < CASES; i++) {
                some[s * CASES + i] = all[s * DEALT + (int) (i * 997L % DEALT)];
            }
        }
        return some;
    }

    /// 1/3 up and down, the root of the least number, a sum that only `.rp` moves; worked by hand.
    @Test
    void theExactNumbersAreRight() {
        assertThat(result("div.rp.f64 $L, $l, $l;", 0x3ff0000000000000L, 0x4008000000000000L))
                .isEqualTo(0x3fd5555555555556L);
        assertThat(result("div.rz.f64 $L, $l, $l;", 0x3ff0000000000000L, 0x4008000000000000L))
                .isEqualTo(0x3fd5555555555555L);
        assertThat(result("sqrt.rn.f64 $L, $l;", 1)).isEqualTo(0x1e60000000000000L);
        assertThat(result("add.rp.f64 $L, $l, $l;", 0x3ff0000000000000L, 1))
                .isEqualTo(0x3ff0000000000001L);
        assertThat(result("add.rm.f64 $L, $l, $l;", 0x3ff0000000000000L, 0xbff0000000000000L))
                .isEqualTo(Long.MIN_VALUE);
        assertThat(result("mul.rz.f64 $L, $l, $l;", 0x7fefffffffffffffL, 0x4000000000000000L))
                .isEqualTo(0x7fefffffffffffffL);
        assertThat(result("mul.rm.f64 $L, $l, $l;", 0x8000000000000001L, 0x3fe0000000000000L))
                .isEqualTo(0x8000000000000001L);
    }

    private static long result(String form, long... operands) {
        return ExactScalar.of(ScalarForm.of(form)).results(operands)[0];
    }
}
