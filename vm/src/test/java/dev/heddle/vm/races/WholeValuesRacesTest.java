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
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// Two threads access the same place, one by 128 bits: operations are morally strong only where
/// they overlap completely. The elements of a vector are operations of their own (8.2.4).
@DisplayName("PTX ISA 8.2.1, 8.7: strong operations on 128 bits beside others")
final class WholeValuesRacesTest {
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
                .reg .pred %%p<4>; .reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .b128 %%q<5>;
                .shared .align 16 .b8 s[32];
                ld.param.u64 %%rd1, [out]; mov.u32 %%r3, s; mov.b64 %%rd2, 0; mov.b64 %%rd3, 1;
                mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x;
                mov.b128 %%q1, {%%rd2, %%rd2}; mov.b128 %%q2, {%%rd3, %%rd3};
                setp.eq.u32 %%p1, %%r1, 0;
                @%%p1 st.shared.v2.u64 [s], {%%rd2, %%rd2};
                @%%p1 st.shared.v2.u64 [s+16], {%%rd2, %%rd2};
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
                    atom.relaxed.gpu.global.cas.b128 %q3, [%rd1], %q1, %q2; | ld.relaxed.gpu.global.u64 %rd5, [%rd1];                 | true
                    atom.relaxed.gpu.global.cas.b128 %q3, [%rd1], %q1, %q2; | ld.relaxed.gpu.global.u64 %rd5, [%rd1+8];               | true
                    atom.relaxed.gpu.global.cas.b128 %q3, [%rd1], %q1, %q2; | ld.relaxed.gpu.global.u32 %r7, [%rd1+12];               | true
                    atom.relaxed.gpu.global.cas.b128 %q3, [%rd1], %q1, %q2; | ld.relaxed.gpu.global.v2.u64 {%rd5, %rd6}, [%rd1];      | true
                    atom.relaxed.gpu.global.cas.b128 %q3, [%rd1], %q1, %q2; | ld.volatile.global.u64 %rd5, [%rd1];                    | true
                    atom.relaxed.gpu.global.cas.b128 %q3, [%rd1], %q1, %q2; | atom.relaxed.gpu.global.add.u64 %rd5, [%rd1], 1;        | true
                    atom.relaxed.gpu.global.exch.b128 %q3, [%rd1], %q2;     | red.relaxed.gpu.global.add.u32 [%rd1+4], 1;             | true
                    atom.relaxed.gpu.global.cas.b128 %q3, [%rd1], %q1, %q2; | ld.relaxed.gpu.global.b128 %q4, [%rd1];                 | false
                    atom.relaxed.gpu.global.cas.b128 %q3, [%rd1], %q1, %q2; | st.relaxed.gpu.global.b128 [%rd1], %q2;                 | false
                    atom.relaxed.gpu.global.cas.b128 %q3, [%rd1], %q1, %q2; | atom.relaxed.gpu.global.cas.b128 %q4, [%rd1], %q1, %q2; | false
                    atom.relaxed.gpu.global.cas.b128 %q3, [%rd1], %q1, %q2; | ld.relaxed.gpu.global.u64 %rd5, [%rd1+16];              | false
                    st.relaxed.gpu.global.b128 [%rd1], %q2;                 | ld.relaxed.gpu.global.u64 %rd5, [%rd1];                 | true
                    st.relaxed.gpu.global.b128 [%rd1], %q2;                 | ld.relaxed.gpu.global.b128 %q4, [%rd1];                 | false
                    st.relaxed.gpu.global.u64 [%rd1], %rd3;                 | ld.relaxed.gpu.global.b128 %q4, [%rd1];                 | true
                    st.relaxed.gpu.global.v2.u64 [%rd1], {%rd3, %rd3};      | ld.relaxed.gpu.global.u64 %rd5, [%rd1];                 | false
                    st.relaxed.gpu.global.v2.u64 [%rd1], {%rd3, %rd3};      | ld.relaxed.gpu.global.v2.u64 {%rd5, %rd6}, [%rd1];      | false
                    ld.relaxed.gpu.global.b128 %q4, [%rd1];                 | ld.relaxed.gpu.global.u64 %rd5, [%rd1];                 | false
                    ld.relaxed.gpu.global.b128 %q4, [%rd1];                 | ld.global.u64 %rd5, [%rd1];                             | false
                    """)
    void inGlobalMemory(String one, String other, boolean races) {
        Launch launch = Launch.grid(2).block(32).passing(Argument.zeros("out", 64));
        tells(launch, one, other, races);
        tells(launch, other, one, races);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ld.relaxed.cta.shared.u64 %rd5, [%r3];              | true
                    ld.relaxed.cta.shared.u32 %r7, [%r3+8];             | true
                    atom.shared.add.u64 %rd5, [%r3+8], 1;               | true
                    st.relaxed.cta.shared.v2.u64 [%r3], {%rd2, %rd3};   | true
                    ld.relaxed.cta.shared.b128 %q4, [%r3];              | false
                    st.relaxed.cta.shared.b128 [%r3], %q2;              | false
                    atom.shared.exch.b128 %q4, [%r3], %q2;              | false
                    ld.relaxed.cta.shared.u64 %rd5, [%r3+16];           | false
                    """)
    void inSharedMemory(String other, boolean races) {
        Launch launch = Launch.grid(1).block(64).passing(Argument.zeros("out", 64));
        String whole = "atom.shared.cas.b128 %q3, [%r3], %q1, %q2;";
        tells(launch, whole, other, races);
        tells(launch, other, whole, races);
    }

    @DisplayName("a flag of 128 bits hands over what was stored before it")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "st.release.gpu.global.b128 [%rd1], %q2;",
                "atom.release.gpu.global.exch.b128 %q4, [%rd1], %q2;",
                "fence.acq_rel.gpu; st.relaxed.gpu.global.b128 [%rd1], %q2;"
            })
    void handOver(String release) {
        Launch launch = Launch.grid(2).block(32).passing(Argument.zeros("out", 64));
        String first = "st.global.u32 [%rd1+16], 7;" + release;
        String second =
                """
                LOOP: ld.acquire.gpu.global.b128 %q3, [%rd1]; mov.b128 {%rd5, %rd6}, %q3;
                setp.eq.u64 %p3, %rd5, 0; @%p3 bra LOOP;
                ld.global.u32 %r7, [%rd1+16]; st.global.u32 [%rd1+32], %r7;
                """;
        tells(launch, first, second, false);
        tells(launch, second, first, false);
        String relaxed = second.replace("acquire", "relaxed");
        tells(launch, first, relaxed, true);
    }
}
