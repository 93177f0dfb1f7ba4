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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// Two threads change the same word, one by a packed operation: that is one of two bytes for each
/// half.
@DisplayName("PTX ISA 8.2.5, 8.7.1: packed atomic operations beside others")
final class PackedAtomicsRacesTest {
    private static final List<Machine> MACHINES =
            List.of(
                    Machine.interpreter(),
                    Machine.compiler(),
                    Machine.compiler(new Compilations(0)));

    private static void tells(Launch launch, String first, String second, boolean races) {
        String module =
                """
                .version 8.3
                .target sm_90
                .address_size 64
                .visible .entry k(.param .u64 out)
                {
                .reg .pred %%p<3>; .reg .b16 %%h<3>; .reg .b32 %%r<9>; .reg .b64 %%rd<3>;
                .shared .align 8 .b8 s[8];
                ld.param.u64 %%rd1, [out]; mov.u32 %%r3, s;
                mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x;
                mov.b16 %%h1, 0x3c00; mov.b32 %%r4, 0x3c003c00;
                setp.eq.u32 %%p1, %%r1, 0; @%%p1 st.shared.v2.u32 [s], {0, 0};
                bar.sync 0;
                and.b32 %%r5, %%r1, 31; setp.ne.u32 %%p1, %%r5, 0; @%%p1 bra END;
                add.u32 %%r6, %%r1, %%r2; setp.ne.u32 %%p2, %%r6, 0; @%%p2 bra OTHER;
                %s bra END;
                OTHER: %s
                END: ret;
                }
                """
                        .formatted(first, second);
        for (Machine machine : MACHINES) {
            List<Finding> findings =
                    machine.run(Kernel.of(module, "k.ptx", "k"), launch).findings();
            assertThat(findings.stream().anyMatch(it -> it.rule() == Rule.DATA_RACE))
                    .as("%s beside %s: %s", first, second, findings)
                    .isEqualTo(races);
            assertThat(findings).allMatch(it -> it.rule() == Rule.DATA_RACE);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    f16x2         | %r4        | red.relaxed.gpu.global.add.noftz.f16 [%rd1], %h1;     | false
                    f16x2         | %r4        | red.relaxed.gpu.global.add.noftz.f16 [%rd1+2], %h1;   | false
                    bf16x2        | %r4        | red.relaxed.gpu.global.add.noftz.bf16 [%rd1], %h1;    | false
                    v2.f16x2      | {%r4, %r4} | red.relaxed.gpu.global.add.noftz.f16 [%rd1+4], %h1;   | false
                    f16x2         | %r4        | red.relaxed.gpu.global.add.noftz.f16x2 [%rd1], %r4;   | false
                    f16x2         | %r4        | ld.relaxed.gpu.global.u16 %h2, [%rd1];                | false
                    f16x2         | %r4        | ld.relaxed.gpu.global.u32 %r7, [%rd1];                | true
                    f16x2         | %r4        | red.relaxed.gpu.global.add.u32 [%rd1], 1;             | true
                    f16x2         | %r4        | atom.global.cas.b32 %r7, [%rd1], 0, 1;                | true
                    v2.bf16x2     | {%r4, %r4} | red.relaxed.gpu.global.add.u32 [%rd1+4], 1;           | true
                    """)
    void inGlobalMemory(String type, String value, String other, boolean races) {
        Launch launch = Launch.grid(2).block(32).passing(Argument.zeros("out", 32));
        String packed = "red.relaxed.gpu.global.add.noftz.%s [%%rd1], %s;".formatted(type, value);
        tells(launch, packed, other, races);
        tells(launch, other, packed, races);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    atom.shared.add.noftz.f16 %h2, [%r3], %h1;     | false
                    atom.shared.add.noftz.f16 %h2, [%r3+2], %h1;   | false
                    atom.shared.add.noftz.f16x2 %r8, [%r3], %r4;   | false
                    atom.shared.add.u32 %r7, [%r3], 1;             | true
                    ld.relaxed.cta.shared.u32 %r7, [%r3];          | true
                    """)
    void inSharedMemory(String other, boolean races) {
        Launch launch = Launch.grid(1).block(64).passing(Argument.zeros("out", 32));
        String packed = "atom.shared.add.noftz.f16x2 %r8, [%r3], %r4;";
        tells(launch, packed, other, races);
        tells(launch, other, packed, races);
    }

    /// Halves of their own, and yet one operand: it is aligned as a whole.
    @Test
    void areAlignedToFourBytes() {
        Launch launch = Launch.grid(1).block(1).passing(Argument.zeros("out", 32));
        String module =
                """
                .version 8.3
                .target sm_90
                .address_size 64
                .visible .entry k(.param .u64 out)
                {
                .reg .b64 %rd1; .reg .b32 %r4;
                ld.param.u64 %rd1, [out]; mov.b32 %r4, 0;
                red.relaxed.gpu.global.add.noftz.f16x2 [%rd1+2], %r4;
                ret;
                }
                """;
        for (Machine machine : MACHINES) {
            assertThat(machine.run(Kernel.of(module, "k.ptx", "k"), launch).findings())
                    .extracting(Finding::rule)
                    .containsExactly(Rule.MISALIGNED_ACCESS);
        }
    }
}
