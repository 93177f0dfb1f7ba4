package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

@DisplayName("PTX ISA 8.7.1: what a message says of two lanes that race at one instruction")
final class OneInstructionTest {
    private static final String TOGETHER = "lanes of a warp at one instruction are in no order";
    private static final String MISSING = "no barrier stands between them";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "st.shared.u32 [s], %r1;                             | true",
                "st.global.u32 [%rd1], %r1;                          | true",
                "st.shared.u8 [s+3], %r1;                            | true",
                "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [s], 5; @!%p1 st.shared.u32 [s], 6;   "
                        + " | false",
                "setp.eq.u32 %p1, %r1, 0; @%p1 st.global.u32 [%rd1], 5; @!%p1 st.global.u32 [%rd1],"
                        + " 6; | false",
            })
    void saysSo(String stores, boolean together) {
        String module =
                """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 out)
                {
                .reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<3>; .shared .align 4 .b8 s[8];
                ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;
                STORES
                ret;
                }
                """
                        .replace("STORES", stores);
        for (Machine machine :
                List.of(
                        Machine.interpreter(),
                        Machine.compiler(),
                        Machine.compiler(new Compilations(0)))) {
            List<Finding> findings =
                    machine.run(
                                    Kernel.of(module, "k.ptx", "k"),
                                    Launch.grid(1).block(2).passing(Argument.zeros("out", 4)))
                            .findings();
            assertThat(findings).extracting(Finding::rule).containsExactly(Rule.DATA_RACE);
            assertThat(findings.getFirst().message()).contains(together ? TOGETHER : MISSING);
        }
    }
}
