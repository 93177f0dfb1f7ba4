package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.isa.rule.Rule;
import dev.heddle.tensorcore.x86.Processor;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.report.Reporting;
import dev.heddle.vm.report.Suppressions;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Set;

/// Kernels with barriers, over many CTAs: machine code beside the interpreter.
@DisplayName("Whole CTAs in machine code")
final class WholeCtasTest {
    private static final Extent GRID = new Extent(7, 5, 4);
    private static final int WORDS = 140 * 128;

    /// %r1 tid, %r2 linear CTA, %rd1 out, %rd3 the thread's word of it; %r8 is the word's value.
    private static String module(String body) {
        return """
        .version 8.0
        .target sm_80
        .address_size 64
        .visible .entry k(.param .u64 out, .param .u32 n)
        {
            .reg .pred %%p<9>;
            .reg .b32 %%r<29>;
            .reg .b64 %%rd<9>;
            .shared .align 16 .b8 tile[544];
            ld.param.u64 %%rd1, [out];
            ld.param.u32 %%r9, [n];
            mov.u32 %%r1, %%tid.x;
            mov.u32 %%r3, %%ctaid.z;
            mov.u32 %%r4, %%ctaid.y;
            mov.u32 %%r5, %%ctaid.x;
            mad.lo.s32 %%r2, %%r3, 5, %%r4;
            mad.lo.s32 %%r2, %%r2, 7, %%r5;
            mad.lo.s32 %%r6, %%r2, 128, %%r1;
            mul.wide.u32 %%rd2, %%r6, 4;
            add.u64 %%rd3, %%rd1, %%rd2;
            mov.u32 %%r7, tile;
            mad.lo.s32 %%r7, %%r1, 4, %%r7;
            mov.b32 %%r8, 0;
            %s
            st.global.b32 [%%rd3], %%r8;
            ret;
        }
        """
                .formatted(body);
    }

    private static Launch launch(int threads) {
        return Launch.of(
                        GRID,
                        new Extent(threads, 1, 1),
                        Argument.buffer("out", new byte[4 * WORDS]),
                        Argument.s32(9))
                .withChecks(Set.of())
                .withThreads(1);
    }

    private static void agree(String body, Launch launch) {
        assumeTrue(Processor.runsMachineCode(), "needs AVX-512 or AVX2");
        Kernel kernel = Kernel.of(module(body), "k.ptx", "k");
        Outcome expected = Machine.interpreter().run(kernel, launch);
        for (int workers : new int[] {1, 3}) {
            Outcome found =
                    Machine.compiler(new Compilations(0))
                            .run(kernel, launch.withThreads(expected.isClean() ? workers : 1));
            assertThat(found.findings().toString()).isEqualTo(expected.findings().toString());
            assertThat(found.buffer("out")).as(body).isEqualTo(expected.buffer("out"));
            if (expected.isClean()) {
                assertThat(found.report().instructions())
                        .isEqualTo(expected.report().instructions());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // A word goes round through shared memory.
                """
                mov.b32 %r10, 0;
                add.s32 %r8, %r1, %r2;
                L: st.shared.b32 [%r7], %r8;
                bar.sync 0;
                xor.b32 %r11, %r7, 68;
                ld.shared.b32 %r12, [%r11];
                bar.sync 0;
                mad.lo.s32 %r8, %r12, 3, %r10;
                add.s32 %r10, %r10, 1;
                setp.lt.s32 %p1, %r10, %r9;
                @%p1 bra L;
                """,
                // Shared memory is zero in each CTA until it is written.
                """
                ld.shared.b32 %r8, [%r7];
                add.s32 %r8, %r8, 5;
                st.shared.b32 [%r7], %r8;
                ld.shared.b32 %r8, [%r7+32];
                """,
                // Registers are zero until they are written, in each CTA.
                "add.s32 %r8, %r20, 1; mov.b32 %r20, %r2; add.s32 %r21, %r20, %r21;",
                // Warps end before others, and lanes of a warp before others.
                """
                st.shared.b32 [%r7], %r6;
                setp.gt.u32 %p1, %r1, 70;
                @%p1 ret;
                bar.sync 0;
                setp.eq.u32 %p2, %r1, 3;
                @%p2 exit;
                bar.sync 0;
                ld.shared.b32 %r8, [%r7+128];
                """,
                // Lanes part, meet, and count.
                """
                and.b32 %r10, %r1, 7;
                L: add.s32 %r8, %r8, %r10;
                sub.s32 %r10, %r10, 1;
                setp.gt.s32 %p1, %r10, 0;
                @%p1 bra L;
                bar.sync 0;
                setp.lt.u32 %p2, %r1, 9;
                @%p2 bra M;
                add.s32 %r8, %r8, 100;
                bra N;
                M: mul.lo.s32 %r8, %r8, %r1;
                N: bar.sync 0;
                """,
                // A warp that runs for long by itself, not without end.
                """
                mov.b32 %r10, 0;
                setp.ne.u32 %p1, %r2, 17;
                @%p1 bra M;
                L: add.s32 %r8, %r8, %r10;
                add.s32 %r10, %r10, 1;
                setp.lt.u32 %p1, %r10, 60000;
                @%p1 bra L;
                M: bar.sync 0;
                """
            })
    @DisplayName("Memory, counts and output are the interpreter's")
    void agree(String body) {
        for (int threads : new int[] {128, 96, 45, 32, 7}) {
            agree(body, launch(threads));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // A store out of bounds in the middle of the grid, behind a barrier.
                """
                st.shared.b32 [%r7], %r6;
                bar.sync 0;
                ld.shared.b32 %r8, [%r7];
                setp.eq.u32 %p1, %r2, 77;
                selp.b32 %r10, 600, 0, %p1;
                add.s32 %r10, %r10, %r7;
                setp.gt.u32 %p2, %r1, 37;
                @%p2 st.shared.b32 [%r10], %r8;
                """,
                // Behind a barrier that half a warp reaches first, all warps do wrong: the last to
                // arrive is the first to be found.
                """
                setp.lt.u32 %p1, %r1, 80;
                @%p1 bra M;
                bar.sync 0;
                bra N;
                M: bar.sync 0;
                N: st.shared.b32 [%r7+4096], %r8;
                """,
                // Some threads end, others wait at a barrier for a warp that is in a circle.
                """
                setp.lt.u32 %p1, %r1, 5;
                @%p1 ret;
                setp.eq.u32 %p2, %r2, 3;
                setp.lt.u32 %p3, %r1, 64;
                and.pred %p4, %p2, %p3;
                @!%p4 bar.sync 0;
                L: @%p4 bra L;
                """,
                // Half of a warp at one barrier, half at another.
                """
                setp.ne.u32 %p3, %r2, 30;
                @%p3 bra N;
                setp.lt.u32 %p1, %r1, 5;
                @%p1 bra M;
                bar.sync 0;
                bra N;
                M: bar.sync 0;
                N: add.s32 %r8, %r1, 1;
                """
            })
    @DisplayName("What goes wrong in one of them is said as the interpreter says it")
    void faults(String body) {
        agree(body, launch(96));
        agree(body, launch(96).reporting(new Reporting(Reporting.Scope.ALL, Suppressions.NONE)));
    }

    @Test
    @DisplayName("A store that fails tells the values that the interpreter tells")
    void values() {
        agree(
                """
                mad.lo.s32 %r11, %r1, 3, 7;
                add.u32 %r12, %r7, 8192;
                st.shared.u16 [%r12], %r11;
                """,
                launch(128));
    }

    @Test
    @DisplayName("A bound on steps holds")
    void steps() {
        String body = "L: add.s32 %r8, %r8, 1; bar.sync 0; setp.lt.u32 %p1, %r8, 1000; @%p1 bra L;";
        Launch launch = launch(96);
        Launch bounded = launch.withLimits(launch.limits().withSteps(1_000_000));
        assumeTrue(Processor.runsMachineCode(), "needs AVX-512 or AVX2");
        Kernel kernel = Kernel.of(module(body), "k.ptx", "k");
        Outcome found = Machine.compiler(new Compilations(0)).run(kernel, bounded);
        assertThat(found.findings())
                .singleElement()
                .satisfies(one -> assertThat(one.rule()).isEqualTo(Rule.TIME_LIMIT_REACHED));
    }
}
