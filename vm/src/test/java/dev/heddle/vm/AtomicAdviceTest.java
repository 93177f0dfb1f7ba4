package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.advice.Advice;
import dev.heddle.vm.advice.Advisor;
import dev.heddle.vm.state.StepListener;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;
import java.util.Set;

/// The expected figures are counters of an H100 80GB HBM3, driver 580.159.04, 2026-11-25: one warp
/// executes the instruction once.
@DisplayName("what atomic operations cost")
final class AtomicAdviceTest {
    private static Map<String, Object> metrics(String offset, String instruction) {
        Kernel kernel =
                Kernel.of(
                        """
                        .version 8.0
                        .target sm_90
                        .address_size 64
                        .visible .entry k(.param .u64 out) {
                        .reg .b64 %rd<9>; .reg .b32 %r<19>; .reg .f32 %f<3>; .reg .pred %p<4>;
                        .shared .align 16 .b8 tile[8192];
                        ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r9, 0;
                        mov.u32 %r8, tile; cvt.u64.u32 %rd4, %r1; cvt.rn.f32.u32 %f1, %r1;
                        mov.u32 %r2, %r9;
                        CLEAR: add.u32 %r3, %r8, %r2; st.shared.u32 [%r3], 0;
                        add.u32 %r2, %r2, 4; setp.lt.u32 %p1, %r2, 8192; @%p1 bra CLEAR;
                        bar.warp.sync -1;
                        OFFSET
                        cvt.u64.u32 %rd2, %r2; add.u64 %rd2, %rd2, %rd1; add.u32 %r2, %r2, %r8;
                        INSTRUCTION
                        setp.eq.u32 %p1, %r7, 7777; @%p1 st.global.u32 [%rd1+60000], %r7;
                        setp.eq.u64 %p1, %rd7, 7777; @%p1 st.global.u32 [%rd1+60000], %r7;
                        ret;
                        }
                        """
                                .replace("OFFSET", "mov.u32 %r7, 0; mov.u64 %rd7, 0; " + offset)
                                .replace("INSTRUCTION", instruction),
                        "k.ptx",
                        "k");
        Advisor advisor = new Advisor();
        Launch launch =
                Launch.grid(1)
                        .block(32)
                        .withThreads(1)
                        .withChecks(Set.of())
                        .passing(Argument.zeros("out", 1 << 16));
        Observer observer =
                new Observer() {
                    @Override
                    public StepListener steps() {
                        return advisor;
                    }
                };
        assertThat(Machine.interpreter().run(kernel, launch, observer).findings()).isEmpty();
        Advice advice = advisor.advice();
        return advice.metrics();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "shl.b32 %r2, %r1, 2;   | red.shared.add.u32 [%r2], %r1;       | 1  | 0",
                "mov.u32 %r2, 0;        | red.shared.add.u32 [%r2], 1;         | 1  | 0",
                "mov.u32 %r2, 0;        | red.shared.add.u32 [%r2], %r1;       | 1  | 0",
                "shl.b32 %r2, %r1, 3;   | red.shared.add.u32 [%r2], %r1;       | 2  | 1",
                "shl.b32 %r2, %r1, 7;   | red.shared.add.u32 [%r2], %r1;       | 32 | 31",
                "mov.u32 %r2, 0;        | atom.shared.add.u32 %r7, [%r2], %r1; | 1  | 0",
                "and.b32 %r2, %r1, 3; shl.b32 %r2, %r2, 2; | atom.shared.add.u32 %r7, [%r2], %r1;"
                        + " | 8 | 7",
                "and.b32 %r2, %r1, 3; shl.b32 %r2, %r2, 8; | red.shared.add.u32 [%r2], %r1;"
                        + " | 32 | 31",
                "mul.lo.u32 %r2, %r1, -1640531535; shr.u32 %r2, %r2, 28; shl.b32 %r2, %r2, 2;"
                        + " | atom.shared.add.u32 %r7, [%r2], %r1; | 3 | 2",
                "shl.b32 %r2, %r1, 2;   | atom.shared.add.u32 %r7, [%r2], %r1; | 1  | 0",
                "shl.b32 %r2, %r1, 2;   | atom.shared.exch.b32 %r7, [%r2], %r1; | 1 | 0",
                "and.b32 %r2, %r1, 3; shl.b32 %r2, %r2, 2; | atom.shared.max.u32 %r7, [%r2], %r1;"
                        + " | 8 | 7",
                "mov.u32 %r2, 0;        | atom.shared.or.b32 %r7, [%r2], %r1;  | 32 | 31",
                "and.b32 %r2, %r1, 1; shl.b32 %r2, %r2, 7; shr.u32 %r3, %r1, 1;"
                        + " mad.lo.u32 %r2, %r3, 4, %r2;"
                        + " | atom.shared.add.u32 %r7, [%r2], %r1; | 2 | 1",
                "mov.u32 %r2, 0;        | atom.shared.exch.b32 %r7, [%r2], %r1; | 32 | 31",
                "mov.u32 %r2, 0;        | atom.shared.max.u32 %r7, [%r2], %r1; | 32 | 31",
                "mov.u32 %r2, 0;        | atom.shared.inc.u32 %r7, [%r2], %r1; | 32 | 31",
                "shl.b32 %r2, %r1, 3;   | atom.shared.exch.b64 %rd7, [%r2], %rd4; | 2 | 0",
                "mov.u32 %r2, 0;        | atom.shared.exch.b64 %rd7, [%r2], %rd4; | 32 | 30"
            })
    void inSharedMemoryABankServesOneLaneAtATime(
            String offset, String instruction, long wavefronts, long conflicts) {
        assertThat(metrics(offset, instruction))
                .containsEntry("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", wavefronts)
                .containsEntry(
                        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", conflicts);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "shl.b32 %r2, %r1, 2; | red.global.add.u32 [%rd2], %r1;        | red  | 4",
                "mov.u32 %r2, 0;      | red.global.add.u32 [%rd2], 1;          | red  | 1",
                "mov.u32 %r2, 0;      | red.global.add.u32 [%rd2], %r1;        | red  | 1",
                "mov.u32 %r2, 0;      | red.global.max.u32 [%rd2], %r1;        | red  | 1",
                "mov.u32 %r2, 0;      | red.global.or.b32 [%rd2], %r1;         | red  | 1",
                "mov.u32 %r2, 0;      | red.global.inc.u32 [%rd2], %r1;        | red  | 32",
                "mov.u32 %r2, 0;      | red.global.add.f32 [%rd2], %f1;        | red  | 32",
                "shl.b32 %r2, %r1, 2; | red.global.add.f32 [%rd2], %f1;        | red  | 4",
                "shl.b32 %r2, %r1, 5; | red.global.add.u32 [%rd2], %r1;        | red  | 32",
                "shl.b32 %r2, %r1, 2; | atom.global.add.u32 %r7, [%rd2], %r1;  | atom | 4",
                "mov.u32 %r2, 0;      | atom.global.add.u32 %r7, [%rd2], %r1;  | atom | 1",
                "shl.b32 %r2, %r1, 5; | atom.global.add.u32 %r7, [%rd2], %r1;  | atom | 32",
                "shl.b32 %r2, %r1, 7; | atom.global.exch.b32 %r7, [%rd2], %r1; | atom | 32",
                "shl.b32 %r2, %r1, 3; | red.global.add.u64 [%rd2], 1;          | red  | 8",
                "and.b32 %r2, %r1, 3; shl.b32 %r2, %r2, 2; | red.global.add.u32 [%rd2], %r1;"
                        + " | red | 8",
                "and.b32 %r2, %r1, 3; shl.b32 %r2, %r2, 2; | red.global.add.f32 [%rd2], %f1;"
                        + " | red | 8",
                "mul.lo.u32 %r2, %r1, -1640531535; shr.u32 %r2, %r2, 28; shl.b32 %r2, %r2, 6;"
                        + " | red.global.add.u32 [%rd2], %r1; | red | 32",
                "and.b32 %r2, %r1, 3; shl.b32 %r2, %r2, 3; | red.global.add.u64 [%rd2], 1;"
                        + " | red | 8",
                "and.b32 %r2, %r1, 7; shl.b32 %r2, %r2, 5; | red.global.add.u32 [%rd2], %r1;"
                        + " | red | 32",
                "shr.u32 %r2, %r1, 1; shl.b32 %r2, %r2, 2; | red.global.add.u32 [%rd2], %r1;"
                        + " | red | 4",
                "mul.lo.u32 %r2, %r1, -1640531535; shr.u32 %r2, %r2, 28; shl.b32 %r2, %r2, 2;"
                        + " | red.global.add.u32 [%rd2], %r1; | red | 6",
                "setp.lt.u32 %p2, %r1, 16; shl.b32 %r2, %r1, 2; selp.b32 %r2, %r2, 0, %p2;"
                        + " | red.global.add.u32 [%rd2], %r1; | red | 18"
            })
    void inGlobalMemoryTheLanesAtAPlaceTakeTurns(
            String offset, String instruction, String counter, long sectors) {
        assertThat(metrics(offset, instruction))
                .containsEntry(
                        "l1tex__t_sectors_pipe_lsu_mem_global_op_" + counter + ".sum", sectors)
                .containsEntry("l1tex__t_requests_pipe_lsu_mem_global_op_" + counter + ".sum", 1L);
    }

    /// `ptxas` 13.0 makes a `RED` of such an `atom` for sm_90.
    @Test
    void anAtomicOperationWhoseOldValueNobodyReadsIsAReduction() {
        assertThat(metrics("shl.b32 %r2, %r1, 2;", "atom.global.add.u32 %r6, [%rd2], %r1;"))
                .containsEntry("l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", 4L)
                .containsEntry("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", 0L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "red.shared.add.f32 [%r2], %f1;",
                "red.shared.add.u64 [%r2], %rd4;",
                "atom.shared.cas.b32 %r7, [%r2], 0, %r1;"
            })
    void whatMachineCodeLoopsForInSharedMemoryIsNotCounted(String instruction) {
        assertThat(metrics("shl.b32 %r2, %r1, 3;", instruction))
                .containsEntry("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", 0L);
    }
}
