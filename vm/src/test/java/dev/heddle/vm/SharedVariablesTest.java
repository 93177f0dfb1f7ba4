package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PTX ISA 5.1.7: a kernel has room for the shared variables that it reaches")
final class SharedVariablesTest {
    /// As nvcc writes it with `-rdc=true`: the kernels' own variables are declared in the module.
    private static final String MODULE =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .shared .align 4 .b8 ofFirst[160000];
            .shared .align 4 .b8 ofSecond[120000];
            .shared .align 4 .u32 common;
            .func store(.reg .b32 %value) { st.shared.u32 [common], %value; ret; }
            .visible .entry first(.param .u64 out) {
                .reg .b32 %r<4>;
                .reg .b64 %rd<2>;
                ld.param.u64 %rd1, [out];
                mov.u32 %r1, 5;
                call store, (%r1);
                mov.u32 %r2, 8;
                st.shared.u32 [ofFirst+159996], %r2;
                ld.shared.u32 %r3, [common];
                st.global.u32 [%rd1], %r3;
                ld.shared.u32 %r3, [ofFirst+159996];
                st.global.u32 [%rd1+4], %r3;
                ret;
            }
            .visible .entry second(.param .u64 out) {
                .reg .b32 %r<4>;
                .reg .b64 %rd<2>;
                ld.param.u64 %rd1, [out];
                mov.u32 %r1, 6;
                call store, (%r1);
                mov.u32 %r2, 9;
                st.shared.u32 [ofSecond], %r2;
                ld.shared.u32 %r3, [common];
                st.global.u32 [%rd1], %r3;
                ld.shared.u32 %r3, [ofSecond];
                st.global.u32 [%rd1+4], %r3;
                ret;
            }
            """;

    @Test
    void thoseOfDifferentKernelsLieOverOneAnother() {
        for (String name : new String[] {"first", "second"}) {
            Kernel kernel = Kernel.of(MODULE, "shared.ptx", name);
            assertThat(kernel.code().sharedBytes()).isEqualTo(160_004);
            assertThat(kernel.code().ownSharedBytes())
                    .isEqualTo(name.equals("first") ? 160_004 : 120_004);
            Outcome outcome =
                    Machine.compiler()
                            .run(kernel, Launch.grid(1).passing(Argument.poison("out", 8)));
            assertThat(outcome.findings()).isEmpty();
            assertThat(outcome.ints("out"))
                    .containsExactly(name.equals("first") ? new int[] {5, 8} : new int[] {6, 9});
        }
    }
}
