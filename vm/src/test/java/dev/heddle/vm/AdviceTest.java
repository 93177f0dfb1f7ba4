package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.heddle.vm.advice.Advice;
import dev.heddle.vm.advice.Advisor;
import dev.heddle.vm.state.StepListener;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.stream.Collectors;

/// The strides are those of the CUDA C++ programming guide, figure "Strided Shared Memory
/// Accesses": stride 1 and 3 are free of conflicts, stride 2 has two-way ones; those of global
/// memory follow from sectors of 32 bytes.
@DisplayName("what a launch costs, in kernels whose costs are known")
final class AdviceTest {
    private static Advice advice(int threads, String body) {
        Kernel kernel =
                Kernel.of(
                        """
                        .version 8.0
                        .target sm_80
                        .address_size 64
                        .visible .entry k(.param .u64 out) {
                        .reg .b64 %rd<9>; .reg .b32 %r<19>; .reg .pred %p<4>;
                        .shared .align 16 .b8 tile[16384];
                        ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r9, tile;
                        """
                                + body
                                + "\nret;\n}\n",
                        "k.ptx",
                        "k");
        Advisor advisor = new Advisor();
        Launch launch =
                Launch.grid(1)
                        .block(threads)
                        .withThreads(1)
                        .passing(Argument.poison("out", 1 << 16));
        Outcome outcome =
                Machine.interpreter()
                        .run(
                                kernel,
                                launch,
                                new Observer() {
                                    @Override
                                    public StepListener steps() {
                                        return advisor;
                                    }
                                });
        assertThat(outcome.findings()).isEmpty();
        return advisor.advice();
    }

    @ParameterizedTest
    @CsvSource({
        // stride in words, wavefronts, ways
        "0, 1, 1",
        "1, 1, 1",
        "2, 2, 2",
        "3, 1, 1",
        "4, 4, 4",
        "8, 8, 8",
        "16, 16, 16",
        "31, 1, 1",
        "32, 32, 32",
        "33, 1, 1",
        "64, 32, 32"
    })
    void wordsAtAStride(int stride, int wavefronts, int ways) {
        Advice advice =
                advice(
                        32,
                        "mul.lo.u32 %%r2, %%r1, %d; add.u32 %%r2, %%r2, %%r9; st.shared.u32 [%%r2], 7;"
                                .formatted(4 * stride));
        assertThat(advice.shared())
                .extracting(
                        Advice.Shared::requests,
                        Advice.Shared::wavefronts,
                        Advice.Shared::ideal,
                        Advice.Shared::ways)
                .containsExactly(tuple(1L, (long) wavefronts, 1L, ways));
        assertThat(advice.metrics())
                .containsEntry(
                        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
                        (long) wavefronts - 1);
    }

    /// Sixteen bytes a lane side by side: four quarters of a warp, none with a conflict; 32 bytes
    /// apart, each quarter meets two rows of banks.
    @ParameterizedTest
    @CsvSource({"16, 4", "32, 8"})
    void vectorsOfFourWords(int apart, int wavefronts) {
        Advice advice =
                advice(
                        32,
                        "mul.lo.u32 %%r2, %%r1, %d; add.u32 %%r2, %%r2, %%r9; st.shared.v4.u32 [%%r2], {1, 2, 3, 4};"
                                .formatted(apart));
        assertThat(advice.shared().getFirst().wavefronts()).isEqualTo(wavefronts);
        assertThat(advice.shared().getFirst().ideal()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({
        // stride in words, first word, sectors, sectors at best
        "1, 0, 4, 4",
        "1, 1, 5, 4",
        "2, 0, 8, 4",
        "8, 0, 32, 4",
        "32, 0, 32, 4",
        "0, 0, 1, 1"
    })
    void sectorsOfGlobalMemory(int stride, int first, int sectors, int ideal) {
        Advice advice =
                advice(
                        32,
                        "mul.wide.u32 %%rd2, %%r1, %d; add.s64 %%rd2, %%rd2, %%rd1; st.global.u32 [%%rd2+%d], 7;"
                                .formatted(4 * stride, 4 * first));
        Advice.Global store = advice.global().getFirst();
        assertThat(store.sectors()).isEqualTo(sectors);
        assertThat(store.ideal()).isEqualTo(ideal);
        assertThat(store.bytes()).isEqualTo(stride == 0 ? 4 : 128);
        assertThat(advice.metrics())
                .containsEntry("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", (long) sectors)
                .containsEntry("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 1L);
    }

    @Test
    void aBranchWithinAWarpParts() {
        String text = "setp.lt.u32 %%p1, %%r1, %d; @%%p1 bra OVER; st.global.u32 [%%rd1], 7; OVER:";
        assertThat(advice(64, text.formatted(32)).branches().getFirst())
                .extracting(Advice.Branch::executed, Advice.Branch::divergent)
                .containsExactly(2L, 0L);
        assertThat(advice(64, text.formatted(48)).branches().getFirst())
                .extracting(Advice.Branch::executed, Advice.Branch::divergent)
                .containsExactly(2L, 1L);
    }

    /// The first barrier is between a store and the load of it by another thread, the second
    /// between that load and nothing.
    @Test
    void aBarrierThatOrdersNothing() {
        Advice advice =
                advice(
                        64,
                        """
                        shl.b32 %r2, %r1, 2; add.u32 %r3, %r2, %r9; xor.b32 %r4, %r3, 128;
                        st.shared.u32 [%r3], %r1;
                        bar.sync 0;
                        ld.shared.u32 %r5, [%r4];
                        bar.sync 0;
                        cvt.u64.u32 %rd2, %r2; add.s64 %rd2, %rd2, %rd1; st.global.u32 [%rd2], %r5;
                        """);
        assertThat(advice.barriers())
                .extracting(Advice.Barrier::executed, Advice.Barrier::needed)
                .containsExactly(tuple(1L, 1L), tuple(1L, 0L));
        assertThat(advice.lines())
                .anySatisfy(line -> assertThat(line).contains("redundant in this launch"));
    }

    /// Of what stands between two, one may go and not both: the later is named; where one is
    /// executed twice, it stays.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bar.sync 0; bar.sync 0; | 1 of 1, 0 of 1",
                "bar.sync 0; bar.sync 0; bar.sync 0; | 1 of 1, 0 of 1, 0 of 1",
                "bar.sync 0; st.shared.u32 [%r3+256], 1; bar.sync 0; | 1 of 1, 0 of 1",
                "bar.sync 0; ld.shared.u32 %r5, [%r4]; bar.sync 0; | 1 of 1, 0 of 1",
                "mov.u32 %r6, 0; L: bar.sync 0; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 2;"
                        + " @%p1 bra L; | 1 of 2",
                "mov.u32 %r6, 0; L: bar.sync 0; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 40;"
                        + " @%p1 bra L; bar.sync 0; | 1 of 40, 0 of 1",
            })
    void barriersInARow(String between, String counts) {
        Advice advice =
                advice(
                        64,
                        "shl.b32 %r2, %r1, 2; add.u32 %r3, %r2, %r9; xor.b32 %r4, %r3, 128;"
                                + "st.shared.u32 [%r3], %r1;"
                                + between
                                + "ld.shared.u32 %r5, [%r4]; cvt.u64.u32 %rd2, %r2;"
                                + "add.s64 %rd2, %rd2, %rd1; st.global.u32 [%rd2], %r5;");
        assertThat(
                        advice.barriers().stream()
                                .map(one -> one.needed() + " of " + one.executed())
                                .collect(Collectors.joining(", ")))
                .isEqualTo(counts);
    }
}
