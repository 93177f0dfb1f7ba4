package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.Kernel;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What lanes compute together in machine code, beside the interpreter: without Java where all
/// lanes are there, and with its help where some are not.
@DisplayName("Machine code exchanges values of lanes as the interpreter does")
final class ExchangeMachineCodeTest {
    private static void agree(String text) {
        Kernel kernel = Kernel.of(MachineCodeKernel.module(text), "k.ptx", "k");
        assertThat(kernel.program().codes().getFirst().blocks())
                .noneMatch(
                        block ->
                                NativeSteps.isForeign(block.exit())
                                        && !Barriers.isPlain(block.exit()));
        MachineCodeTest.agree(text, true, MachineCodeKernel::inputs, MachineCodeKernel.THREADS);
    }

    @ParameterizedTest
    @CsvSource({
        "up, 0x0",
        "up, 0x1c00",
        "down, 0x1f",
        "down, 0x181f",
        "bfly, 0x1f",
        "bfly, 0x100f",
        "idx, 0x1f",
        "idx, 0x181f",
        "idx, 0x1807"
    })
    @DisplayName("shfl")
    void shuffles(String mode, String clamp) {
        for (String from : new String[] {"1", "16", "31", "%r3", "%r9"}) {
            agree("shfl.sync.%s.b32 %%r9|%%p2, %%r2, %s, %s, -1;".formatted(mode, from, clamp));
        }
        agree("shfl.sync.%s.b32 %%r9, %%r9, %%r3, %s, -1;".formatted(mode, clamp));
        // As nvcc has it.
        agree(
                "mov.b32 %%r5, %s; mov.b32 %%r6, -1; shfl.sync.%s.b32 %%r9|%%p2, %%r2, 3, %%r5, %%r6;"
                        .formatted(clamp, mode));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "vote.sync.ballot.b32 %r9, %p1, -1;",
                "vote.sync.ballot.b32 %r9, !%p1, -1;",
                "vote.sync.any.pred %p2, %p1, -1;",
                "vote.sync.all.pred %p2, %p1, -1;",
                "vote.sync.uni.pred %p2, %p1, -1;",
                "setp.ne.s32 %p3, %r1, -1; vote.sync.all.pred %p2, %p3, -1;",
                "setp.ne.s32 %p3, %r1, -1; vote.sync.uni.pred %p2, %p3, -1;",
                "setp.eq.s32 %p3, %r1, -1; vote.sync.uni.pred %p2, %p3, -1;",
                "setp.eq.s32 %p3, %r1, -1; vote.sync.any.pred %p2, %p3, -1;",
                "setp.eq.s32 %p3, %r1, -1; vote.sync.all.pred %p2, %p3, -1;",
                "activemask.b32 %r9;",
                "@%p1 bra A; activemask.b32 %r9; A: add.s32 %r9, %r9, 3;",
                "elect.sync %r9|%p2, -1;",
                "redux.sync.add.u32 %r9, %r2, -1;",
                "redux.sync.add.s32 %r9, %r9, -1;",
                "redux.sync.min.s32 %r9, %r2, -1;",
                "redux.sync.max.s32 %r9, %r2, -1;",
                "redux.sync.min.u32 %r9, %r2, -1;",
                "redux.sync.max.u32 %r9, %r2, -1;",
                "redux.sync.and.b32 %r9, %r2, -1;",
                "redux.sync.or.b32 %r9, %r2, -1;",
                "redux.sync.xor.b32 %r9, %r2, -1;"
            })
    @DisplayName("votes and reductions")
    void votes(String text) {
        agree(text);
        // The last warp has no more than 13 lanes.
        MachineCodeTest.agree(text, true, MachineCodeKernel::inputs, 45);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Members that are named by a register; lanes that are not all there.
                "activemask.b32 %r5; shfl.sync.bfly.b32 %r9, %r2, 1, 0x1f, %r5;",
                """
                and.b32 %r5, %r1, 31;
                setp.lt.u32 %p3, %r5, 8;
                mov.b32 %r6, 0xff;
                @!%p3 bra A;
                shfl.sync.bfly.b32 %r9, %r2, 1, 0x1f, %r6;
                A: add.s32 %r9, %r9, 1;
                """,
                // A sum of a warp in a loop, and one of the CTA.
                """
                mov.b32 %r5, 16;
                mov.b32 %r9, %r2;
                A: shfl.sync.down.b32 %r6, %r9, %r5, 0x1f, -1;
                add.s32 %r9, %r9, %r6;
                shr.u32 %r5, %r5, 1;
                setp.ne.u32 %p3, %r5, 0;
                @%p3 bra A;
                and.b32 %r7, %r1, 31;
                shr.u32 %r8, %r1, 5;
                mov.u32 %r10, tile;
                mad.lo.s32 %r8, %r8, 4, %r10;
                setp.eq.u32 %p4, %r7, 0;
                @%p4 st.shared.b32 [%r8], %r9;
                bar.sync 0;
                ld.shared.b32 %r9, [%r10];
                shfl.sync.idx.b32 %r9, %r9, 0, 0x1f, -1;
                """
            })
    @DisplayName("in branches and loops, and between barriers")
    void control(String text) {
        agree(text);
    }
}
