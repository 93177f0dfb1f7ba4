package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.List;

@DisplayName("CUDA Programming Guide, CUDA Dynamic Parallelism: kernels start kernels")
final class NestedLaunchesTest {
    enum On {
        INTERPRETER(Machine.interpreter()),
        COMPILER(Machine.compiler());

        private final Machine machine;

        On(Machine machine) {
            this.machine = machine;
        }
    }

    /// `descend(out, n, at)` stores n at out + at and starts itself with n - 1 until n is 0.
    private static final String DESCEND =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2
              (.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
            .extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2 (.param .b64 p, .param .b64 s);
            .visible .entry descend(.param .u64 out, .param .u32 n, .param .u32 step) {
                .reg .pred %p<2>;
                .reg .b32 %r<6>;
                .reg .b64 %rd<6>;
                ld.param.u64 %rd1, [out];
                ld.param.u32 %r1, [n];
                ld.param.u32 %r2, [step];
                st.global.u32 [%rd1], %r1;
                setp.eq.u32 %p1, %r1, 0;
                @%p1 ret;
                mov.u64 %rd2, descend;
                { .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s;
                  .param .b64 r;
                  st.param.b64 [f], %rd2;
                  st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
                  st.param.b32 [b], 1; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
                  st.param.b32 [s], 0;
                  call.uni (r), __cudaCDP2GetParameterBufferV2, (f, g, b, s);
                  ld.param.b64 %rd3, [r]; }
                cvt.u64.u32 %rd4, %r2;
                add.u64 %rd5, %rd1, %rd4;
                add.u32 %r3, %r1, -1;
                st.u64 [%rd3], %rd5;
                st.u32 [%rd3+8], %r3;
                st.u32 [%rd3+12], %r2;
                { .param .b64 p; .param .b64 s; .param .b32 r;
                  st.param.b64 [p], %rd3; st.param.b64 [s], 0;
                  call.uni (r), __cudaCDP2LaunchDeviceV2, (p, s);
                  ld.param.b32 %r4, [r]; }
                ret;
            }
            """;

    /// The same by the functions of CUDA 5, whose launch names the kernel.
    private static final String DESCEND_BEFORE_12 =
            DESCEND.replaceFirst(
                            "(?s)\\.extern .func \\(.param .b64 r\\).*?\\.visible",
                            """
                            .extern .func (.param .b64 r) cudaGetParameterBuffer
                              (.param .b64 alignment, .param .b64 size);
                            .extern .func (.param .b32 r) cudaLaunchDevice
                              (.param .b64 f, .param .b64 p, .param .align 4 .b8 g[12],
                               .param .align 4 .b8 b[12], .param .b32 s, .param .b64 t);
                            .visible\
                            """)
                    .replaceFirst(
                            "(?s)\\{ .param .b64 f;.*?ld.param.b64 %rd3",
                            """
                            { .param .b64 a; .param .b64 n; .param .b64 r;
                              st.param.b64 [a], 8; st.param.b64 [n], 16;
                              call.uni (r), cudaGetParameterBuffer, (a, n);
                              ld.param.b64 %rd3\
                            """)
                    .replaceFirst(
                            "(?s)\\{ .param .b64 p;.*?ld.param.b32 %r4",
                            """
                            { .param .b64 f; .param .b64 p; .param .align 4 .b8 g[12];
                              .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 t; .param .b32 r;
                              st.param.b64 [f], %rd2; st.param.b64 [p], %rd3;
                              st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
                              st.param.b32 [b], 1; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
                              st.param.b32 [s], 0; st.param.b64 [t], 0;
                              call.uni (r), cudaLaunchDevice, (f, p, g, b, s, t);
                              ld.param.b32 %r4\
                            """);

    private static Outcome descend(On on, int levels, int step) {
        return descend(on, DESCEND, levels, step);
    }

    private static Outcome descend(On on, String module, int levels, int step) {
        return on.machine.run(
                Kernel.of(module, "descend.ptx", ""),
                Launch.grid(1)
                        .passing(
                                Argument.poison("out", 128),
                                Argument.s32(levels),
                                Argument.s32(step)));
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void eachLevelRunsWithTheParametersThatItsParentWrote(On on) {
        Outcome outcome = descend(on, 24, 4);
        assertThat(outcome.findings()).isEmpty();
        int[] expected = new int[25];
        Arrays.setAll(expected, i -> 24 - i);
        assertThat(Arrays.copyOf(outcome.ints("out"), 25)).isEqualTo(expected);
        assertThat(outcome.report().instructions()).containsEntry("st.global.u32", 25L);
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void theLaunchOfCuda5NamesTheKernelItself(On on) {
        assertThat(DESCEND_BEFORE_12).doesNotContain("CDP2");
        Outcome outcome = descend(on, DESCEND_BEFORE_12, 24, 4);
        assertThat(outcome.findings()).isEmpty();
        int[] expected = new int[25];
        Arrays.setAll(expected, i -> 24 - i);
        assertThat(Arrays.copyOf(outcome.ints("out"), 25)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void aLaunchThatNamesNoKernelIsAnError(On on) {
        Outcome outcome =
                descend(
                        on,
                        DESCEND_BEFORE_12
                                .replace("mov.u64 %rd2, descend", "mov.u64 %rd2, 0")
                                .replace("ret;\n}", "st.global.u32 [%rd1+4], %r4;\nret;\n}"),
                        1,
                        4);
        assertThat(outcome.findings()).isEmpty();
        assertThat(outcome.ints("out")[1]).isEqualTo(98);
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void noMoreThanTwentyFourLevels(On on) {
        Outcome outcome = descend(on, 25, 4);
        assertThat(outcome.findings())
                .singleElement()
                .satisfies(
                        finding -> {
                            assertThat(finding.rule()).isEqualTo(Rule.MEMORY_LIMIT_REACHED);
                            assertThat(finding.message()).contains("more than 24 deep");
                        });
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void whatAChildDoesWrongNamesWhoStartedIt(On on) {
        Outcome outcome = descend(on, 2, 128);
        assertThat(outcome.findings())
                .singleElement()
                .satisfies(
                        finding -> {
                            assertThat(finding.rule()).isEqualTo(Rule.OUT_OF_BOUNDS);
                            assertThat(finding.message()).contains("store of 4 bytes");
                            assertThat(List.copyOf(finding.notes()).getLast().message())
                                    .isEqualTo("started here, by CTA 0 of descend");
                        });
    }
}
