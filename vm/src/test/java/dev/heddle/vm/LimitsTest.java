package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Verdict;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

@DisplayName("what bounds a launch")
final class LimitsTest {
    private static final String HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n";

    @ParameterizedTest
    @CsvSource({"1, 100000", "1, 1000000", "2, 1000000", "4, 2000000"})
    @DisplayName("--max-instructions is passed by 64 Ki at most")
    void instructionsAreCounted(int workers, long most) {
        Kernel kernel =
                Kernel.of(
                        HEAD
                                + ".visible .entry k() {\n"
                                + ".reg .b32 %r<3>;\n"
                                + "mov.u32 %r1, 0;\n"
                                + "AGAIN:\n"
                                + "add.u32 %r1, %r1, 1;\n".repeat(8)
                                + "bra AGAIN;\n}\n",
                        "k.ptx",
                        "k");
        Launch launch =
                Launch.of(new Extent(workers, 1, 1), new Extent(64, 1, 1))
                        .withThreads(workers)
                        .withLimits(
                                new Launch.Bounds(1 << 26, 1 << 16, most, Duration.ofSeconds(60)));
        for (Machine machine : new Machine[] {Machine.interpreter(), Machine.compiler()}) {
            Outcome outcome = machine.run(kernel, launch);
            assertThat(outcome.findings())
                    .extracting(Finding::verdict)
                    .containsExactly(Verdict.RESOURCE_EXHAUSTED);
            assertThat(outcome.report().instructions().get("add.u32"))
                    .isBetween(most - 65_536, most + 65_536);
        }
    }

    @Test
    void whetherAValueMattersIsNotKnownBehindTheLimit() {
        Launch.Bounds bounds = new Launch.Bounds(1 << 26, 1 << 16, 500_000, Duration.ofMinutes(5));
        Launch launch = Launch.of(new Extent(1, 1, 1), new Extent(32, 1, 1)).withLimits(bounds);
        for (Machine machine : new Machine[] {Machine.interpreter(), Machine.compiler()}) {
            assertThat(machine.run(storesWhatNobodyWrote(10), launch).findings()).isEmpty();
            Outcome cut = machine.run(storesWhatNobodyWrote(1_000_000), launch);
            assertThat(cut.findings())
                    .extracting(Finding::verdict)
                    .containsExactly(Verdict.RESOURCE_EXHAUSTED);
            assertThat(cut.findings().getFirst().notes())
                    .extracting(Finding.Note::message)
                    .anySatisfy(
                            one ->
                                    assertThat(one)
                                            .contains("st.shared.u32 reads %r2")
                                            .endsWith("was not seen until then"));
        }
    }

    private static Kernel storesWhatNobodyWrote(int rounds) {
        return Kernel.of(
                HEAD
                        + """
                        .visible .entry k() {
                        .reg .b32 %r<3>; .reg .pred %p<2>; .shared .b32 tile;
                        st.shared.u32 [tile], %r2;
                        mov.u32 %r1, 0;
                        AGAIN: add.u32 %r1, %r1, 1;
                        """
                        + "setp.lt.u32 %p1, %r1, "
                        + rounds
                        + "; @%p1 bra AGAIN;\nret;\n}\n",
                "k.ptx",
                "k");
    }
}
