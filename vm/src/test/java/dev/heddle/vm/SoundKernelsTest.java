package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.ir.Extent;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

/// Kernels that look like broken ones and are right: no finding.
@DisplayName("what must not be reported")
final class SoundKernelsTest {
    private static final String HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n";
    private static final Machine COMPILER = Machine.compiler();

    private static void isSound(String body, int ctas, int threads, int workers) {
        Kernel kernel =
                Kernel.of(
                        HEAD
                                + ".visible .entry k(.param .u64 out) {\n"
                                + ".reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<4>;\n"
                                + ".shared .align 16 .b8 tile[256];\n"
                                + ".local .align 16 .b8 depot[32];\n"
                                + "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n"
                                // A word for each thread.
                                + "mov.u32 %r7, %ctaid.x; mov.u32 %r8, %ntid.x;\n"
                                + "mad.lo.u32 %r8, %r7, %r8, %r1;\n"
                                + "mad.wide.u32 %rd8, %r8, 4, %rd1;\n"
                                + body
                                + "\nret;\n}\n",
                        "k.ptx",
                        "k");
        Launch launch =
                Launch.of(
                                new Extent(ctas, 1, 1),
                                new Extent(threads, 1, 1),
                                Argument.zeros("out", 4096))
                        .withThreads(workers)
                        .withLimits(
                                new Launch.Bounds(
                                        1 << 26, 1 << 16, 1L << 32, Duration.ofSeconds(20)));
        for (Machine machine : new Machine[] {Machine.interpreter(), COMPILER}) {
            assertThat(
                            machine.run(kernel, launch).findings().stream()
                                    .map(finding -> finding.text(kernel.source()::line)))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @DisplayName("PTX ISA 9.7.13.1: a barrier waits for threads that have not exited")
    @ValueSource(ints = {5, 33, 60})
    void lanesThatOnlyLeaveBeforeABarrier(int last) {
        isSound(
                "setp.ge.u32 %p1, %r1, "
                        + last
                        + ";\n@%p1 bra END;\nbar.sync 0;\nst.global.u32 [%rd8], %r1;\nEND:",
                1,
                64,
                1);
    }

    @ParameterizedTest
    @DisplayName("PTX ISA 9.7.9.6: lanes that the mask names take part, the others go on")
    @ValueSource(ints = {1, 2})
    void aShuffleAmongSixteenLanes(int workers) {
        isSound(
                """
                setp.gt.u32 %p1, %r1, 15;
                @%p1 bra END;
                shfl.sync.down.b32 %r2, %r1, 8, 4127, 0x0000ffff;
                st.global.u32 [%rd8], %r2;
                END:\
                """,
                2, 32, workers);
    }

    @ParameterizedTest
    @DisplayName("a register that every lane writes under one of two opposite predicates")
    @ValueSource(ints = {8, 32, 40})
    void oppositePredicates(int threads) {
        isSound(
                """
                setp.lt.u32 %p1, %r1, 9;
                @%p1 mov.u32 %r2, 1;
                @!%p1 mov.u32 %r2, 2;
                st.global.u32 [%rd8], %r2;\
                """,
                1, threads, 1);
    }

    @ParameterizedTest
    @DisplayName("a copy of a register nobody wrote, used only where it was written")
    @ValueSource(ints = {8, 32})
    void copiesAreNoUse(int threads) {
        isSound(
                """
                setp.lt.u32 %p1, %r1, 9;
                @%p1 mov.u32 %r2, 1;
                mov.u32 %r3, %r2;
                @%p1 st.global.u32 [%rd8], %r3;\
                """,
                1, threads, 1);
    }

    @ParameterizedTest
    @DisplayName("a CTA that waits for a later one")
    @ValueSource(ints = {1, 2, 3})
    void spinsOnAnotherCta(int workers) {
        isSound(
                """
                mov.u32 %r2, %ctaid.x;
                setp.ne.u32 %p1, %r2, 0;
                @%p1 bra WRITE;
                SPIN: ld.acquire.gpu.global.u32 %r3, [%rd1];
                setp.ne.u32 %p2, %r3, 199;
                @%p2 bra SPIN;
                bra END;
                WRITE: setp.ne.u32 %p3, %r1, 0;
                @%p3 bra END;
                red.release.gpu.global.add.u32 [%rd1], 1;
                END:\
                """,
                200, 32, workers);
    }

    @ParameterizedTest
    @DisplayName("a lane that waits for its neighbour behind it in the code")
    @ValueSource(ints = {32, 64})
    void spinsOnItsNeighbour(int threads) {
        isSound(
                """
                setp.ne.u32 %p1, %r1, 0;
                @%p1 bra WRITE;
                SPIN: ld.volatile.global.u32 %r3, [%rd1];
                setp.eq.u32 %p2, %r3, 0;
                @%p2 bra SPIN;
                WRITE: st.volatile.global.u32 [%rd1], 1;\
                """,
                1, threads, 1);
    }

    @ParameterizedTest
    @DisplayName("local memory that each thread wrote before it reads it")
    @ValueSource(ints = {1, 32})
    void localMemory(int threads) {
        isSound(
                """
                mov.u64 %rd2, depot;
                st.local.u32 [%rd2+4], %r1;
                ld.local.u32 %r2, [%rd2+4];
                st.global.u32 [%rd8], %r2;\
                """,
                1, threads, 1);
    }
}
