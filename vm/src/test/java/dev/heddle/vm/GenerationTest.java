package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Verdict;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.report.Finding;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("whose tensor cores compute a matrix product")
final class GenerationTest {
    /// C is 2^24, to which four products of 1/2 are added. Where the sum keeps 24 fraction bits of
    /// the largest term, each of them is lost; where it keeps 25, they make 2, the last place of
    /// the result.
    private static final String PTX =
            """
            .version 8.0
            .target TARGET
            .address_size 64
            .visible .entry k(.param .u64 d) {
            .reg .b64 %p; .reg .b32 %t, %a, %b, %z; .reg .f32 %c, %d<4>; .reg .pred %two;
            ld.param.u64 %p, [d];
            mov.u32 %t, %laneid;
            and.b32 %t, %t, 3;
            setp.lt.u32 %two, %t, 2;
            selp.b32 %b, 0x3c003c00, 0, %two;
            mov.b32 %a, 0x38003800;
            mov.b32 %z, 0;
            mov.f32 %c, 0f4B800000;
            mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3},
                {%a, %a, %a, %a}, {%b, %z}, {%c, %c, %c, %c};
            st.global.f32 [%p], %d0;
            ret;
            }
            """;

    private static Outcome run(Machine machine, String target) {
        return machine.run(
                Kernel.of(PTX.replace("TARGET", target), "k.ptx", "k"),
                Launch.of(new Extent(1, 1, 1), new Extent(32, 1, 1), Argument.poison("d", 4)));
    }

    private static @Nullable Generation generation(@Nullable String name) {
        return name == null ? null : Generation.of(name);
    }

    /// Ampere keeps 24 bits (arXiv 2511.10909), Hopper 25 (measured on an H200).
    @ParameterizedTest
    @CsvSource({
        "sm_80, , sm_80, 4b800000",
        "sm_86, , sm_86, 4b800000",
        "sm_90, , sm_90, 4b800001",
        "sm_90a, , sm_90, 4b800001",
        "sm_80, sm_90, sm_90, 4b800001",
        "sm_90, sm_80, sm_80, 4b800000",
    })
    @DisplayName("the one that is asked for, else the one that the target names")
    void isTheTargetsUnlessAsked(
            String target, @Nullable String asked, String expected, String bits) {
        for (Machine machine :
                new Machine[] {
                    Machine.interpreter(generation(asked)), Machine.compiler(generation(asked))
                }) {
            Outcome outcome = run(machine, target);
            assertThat(outcome.findings()).isEmpty();
            assertThat(outcome.ints("d")).containsExactly(Integer.parseInt(bits, 16));
            assertThat(outcome.report().generation()).isEqualTo(expected);
            assertThat(outcome.report().numerics())
                    .containsOnlyKeys("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
            assertThat(outcome.report().numerics().firstEntry().getValue())
                    .startsWith(expected.equals("sm_90") ? "MEASURED NVIDIA H200" : "PUBLISHED");
        }
    }

    @Test
    @DisplayName("a generation without the form is a gap, not a bug of the kernel")
    void aGenerationWithoutTheForm() {
        String text =
                """
                .version 8.7
                .target sm_120a
                .address_size 64
                .visible .entry k() {
                .reg .b32 %z; .reg .f32 %d<4>;
                mov.b32 %z, 0;
                mov.f32 %d0, 0f00000000;
                mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0
                    {%d0, %d1, %d2, %d3}, {%z, %z, %z, %z}, {%z, %z}, {%d0, %d0, %d0, %d0},
                    {%z}, {0, 0}, {%z}, {0, 0};
                ret;
                }
                """;
        Launch launch = Launch.of(new Extent(1, 1, 1), new Extent(32, 1, 1));
        Kernel kernel = Kernel.of(text, "k.ptx", "k");
        assertThat(Machine.interpreter().run(kernel, launch).findings()).isEmpty();
        Outcome older = Machine.interpreter(Generation.SM_90).run(kernel, launch);
        assertThat(older.findings())
                .singleElement()
                .returns(Verdict.UNSUPPORTED, Finding::verdict)
                .extracting(Finding::message)
                .asString()
                .contains("on sm_90");
    }
}
