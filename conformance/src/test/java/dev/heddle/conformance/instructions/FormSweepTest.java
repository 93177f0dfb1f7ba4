package dev.heddle.conformance.instructions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.conformance.ptxas.Ptxas;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.List;

/// `-Dheddle.sweep=20000 -Dheddle.sweep.seed=1` deals more, or others.
@DisplayName("PTX ISA 9.7: the syntax lines and the assembler judge instructions alike")
final class FormSweepTest {

    private static final int COUNT = Integer.getInteger("heddle.sweep", 1500);
    private static final long SEED = Long.getLong("heddle.sweep.seed", 1);

    @ParameterizedTest
    @CsvSource({"sm_75, 6.5", "sm_80, 7.4", "sm_90a, 9.0", "sm_100a, 9.0", "sm_120a, 8.8"})
    void ninetyNineOfAHundredVerdictsAgree(String architecture, String version)
            throws IOException, InterruptedException {
        assumeTrue(Ptxas.release().isPresent(), "needs ptxas on the path");
        List<FormSweep.Line> differing =
                new FormSweep(SEED)
                        .sweep(COUNT, architecture, version).stream()
                                .filter(line -> !line.agrees() && !line.isExempt())
                                .toList();
        System.getLogger("heddle.sweep")
                .log(
                        System.Logger.Level.INFO,
                        "{0} {1}: {2} instructions from seed {3}, {4} differ: {5}",
                        architecture,
                        version,
                        COUNT,
                        SEED,
                        differing.size(),
                        differing);
        assertThat(differing).hasSizeLessThanOrEqualTo(COUNT / 100);
    }

    @Test
    void qualifiersStandInTheOrdersThatTheAssemblerTakes()
            throws IOException, InterruptedException {
        assumeTrue(Ptxas.release().isPresent(), "needs ptxas on the path");
        assertThat(new FormSweep(SEED).everyOrder(1, "sm_100a", "9.0"))
                .hasSizeGreaterThan(5000)
                .filteredOn(line -> !line.agrees() && !line.isExempt())
                .isEmpty();
    }

    /// `-Dheddle.sweep.registers=1` tries all five targets: 160,000 instructions, two minutes.
    @ParameterizedTest
    @CsvSource({"sm_75, 6.5", "sm_80, 7.4", "sm_90a, 9.0", "sm_100a, 9.0", "sm_120a, 8.8"})
    void noRegisterTypeIsTakenThatTheAssemblerRefuses(String architecture, String version)
            throws IOException, InterruptedException {
        assumeTrue(Ptxas.release().isPresent(), "needs ptxas on the path");
        assumeTrue(Integer.getInteger("heddle.sweep.registers", 0) > 0, "asked for by property");
        assertThat(new FormSweep(SEED).everyRegister(1, architecture, version))
                .filteredOn(line -> line.ours().isEmpty() && !line.assembler().isEmpty())
                .filteredOn(line -> !line.isExempt())
                .isEmpty();
    }
}
