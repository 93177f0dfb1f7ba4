package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// What bulk operations write to global memory is there once the thread that began them has waited
/// for their group; with `.read` it has waited for the reading alone.
@DisplayName("PTX ISA 9.7.9.25.4.3: global memory that bulk operations write")
final class BulkWritesTest {
    private static final int BYTES = 64;

    private static final String COPY =
            "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 16;";
    private static final String REDUCTION =
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [tile], 16;";

    /// Thread 0 writes 16 bytes in bulk; then comes what is tried.
    private static TinyKernel kernel(String operation, String then) {
        return TinyKernel.of(
                """
                setp.ne.u32 %%p1, %%r1, 0;
                @%%p1 bra BEHIND;
                mov.u32 %%r2, 7;
                st.shared.v4.u32 [tile], {%%r2, %%r2, %%r2, %%r2};
                fence.proxy.async;
                %s
                cp.async.bulk.commit_group;
                %s
                """
                        .formatted(operation, then));
    }

    private static String byItself(String wait, String access) {
        return wait + "\nfence.proxy.async;\n" + access + "\nBEHIND:";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ld.global.u32 %r3, [%rd1+12]; st.global.u32 [%rd1+32], %r3;",
                "st.global.u32 [%rd1+4], 1;",
                "ld.global.v2.u32 {%r3, %r4}, [%rd1+8]; st.global.u32 [%rd1+32], %r4;",
                "red.global.add.u64 [%rd1+8], 1;"
            })
    void areThereBehindAWait(String access) {
        for (String operation : new String[] {COPY, REDUCTION}) {
            kernel(operation, byItself("cp.async.bulk.wait_group 0;", access))
                    .run(1, new int[BYTES / 4]);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ld.global.u32 %r3, [%rd1+12]; st.global.u32 [%rd1+32], %r3;",
                "st.global.u32 [%rd1+4], 1;",
                "ld.global.v2.u32 {%r3, %r4}, [%rd1+8]; st.global.u32 [%rd1+32], %r4;"
            })
    void mayNotBeThereBehindAWaitForTheReading(String access) {
        for (String operation : new String[] {COPY, REDUCTION}) {
            for (String wait : new String[] {"", "cp.async.bulk.wait_group.read 0;"}) {
                Finding found = kernel(operation, byItself(wait, access)).finding(1, BYTES);
                assertThat(found.rule()).isEqualTo(Rule.DATA_RACE);
                assertThat(found.message())
                        .contains("races with a bulk operation that writes there")
                        .contains("cp.async.bulk.wait_group without .read");
            }
        }
    }

    /// Each element of a reduction is an atomic operation of its own.
    @ParameterizedTest
    @ValueSource(
            strings = {"red.global.add.u32 [%rd1], 1;", "atom.global.add.u32 %r3, [%rd1+4], 1;"})
    void areAtomicBesideOthers(String access) {
        kernel(REDUCTION, byItself("", access)).run(1, new int[BYTES / 4]);
        assertThat(kernel(COPY, byItself("", access)).finding(1, BYTES).rule())
                .isEqualTo(Rule.DATA_RACE);
    }

    /// Bytes behind are nobody's, and what is read and thrown away matters to nobody.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ld.global.u32 %r3, [%rd1+16]; st.global.u32 [%rd1+32], %r3;",
                "ld.global.u32 %r3, [%rd1];"
            })
    void doNotMatterElsewhere(String access) {
        kernel(COPY, byItself("", access)).run(1, new int[BYTES / 4]);
    }

    /// The cache of non-coherent loads knows of no wait.
    @Test
    void areNotLoadedNonCoherently() {
        String access = "ld.global.nc.u32 %r3, [%rd1]; st.global.u32 [%rd1+32], %r3;";
        Finding found =
                kernel(COPY, byItself("cp.async.bulk.wait_group 0;", access)).finding(1, BYTES);
        assertThat(found.rule()).isEqualTo(Rule.NON_COHERENT_READ);
        assertThat(found.message()).contains("which an asynchronous operation wrote");
    }

    /// Of two groups, a wait may be for the first.
    @ParameterizedTest
    @ValueSource(ints = {0, 16})
    void areThereByGroups(int at) {
        String second =
                """
                cp.async.bulk.global.shared::cta.bulk_group [%%rd1+16], [tile], 16;
                cp.async.bulk.commit_group;
                cp.async.bulk.wait_group 1;
                ld.global.u32 %%r3, [%%rd1+%d]; st.global.u32 [%%rd1+32], %%r3;
                BEHIND:
                """
                        .formatted(at);
        if (at == 0) {
            kernel(COPY, second).run(1, new int[BYTES / 4]);
        } else {
            assertThat(kernel(COPY, second).finding(1, BYTES).rule()).isEqualTo(Rule.DATA_RACE);
        }
    }

    /// Other threads of the CTA come to a barrier behind the wait.
    @ParameterizedTest
    @ValueSource(strings = {"", ".read"})
    void areThereForOthersBehindABarrier(String read) {
        TinyKernel kernel =
                kernel(
                        COPY,
                        """
                        cp.async.bulk.wait_group%s 0;
                        BEHIND:
                        bar.sync 0;
                        shl.b32 %%r4, %%r1, 2; cvt.u64.u32 %%rd2, %%r4; and.b64 %%rd3, %%rd2, 15;
                        add.u64 %%rd3, %%rd1, %%rd3; add.u64 %%rd2, %%rd1, %%rd2;
                        ld.global.u32 %%r3, [%%rd3];
                        st.global.u32 [%%rd2+64], %%r3;
                        """
                                .formatted(read));
        if (read.isEmpty()) {
            kernel.run(64, new int[80]);
        } else {
            assertThat(kernel.finding(64, 320).message())
                    .contains("a bulk operation that writes there");
        }
    }

    /// Who waits does so for its own groups.
    @Test
    void areThereForWhoHasWaited() {
        String both =
                """
                shl.b32 %r4, %r1, 4; cvt.u64.u32 %rd2, %r4; add.u64 %rd2, %rd1, %rd2;
                mov.u32 %r5, tile; add.u32 %r5, %r5, %r4;
                st.shared.v4.u32 [%r5], {%r1, %r1, %r1, %r1};
                fence.proxy.async;
                cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r5], 16;
                cp.async.bulk.commit_group;
                setp.eq.u32 %p1, %r1, 0;
                @%p1 cp.async.bulk.wait_groupREAD 0;
                @!%p1 cp.async.bulk.wait_group 0;
                fence.proxy.async;
                ld.global.u32 %r3, [%rd2];
                st.global.u32 [%rd2+32], %r3;
                """;
        TinyKernel.of(both.replace("READ", "")).run(2, new int[BYTES / 4]);
        assertThat(TinyKernel.of(both.replace("READ", ".read")).finding(2, BYTES).message())
                .contains("a bulk operation that writes there");
    }

    /// Of a sector that CTAs reduce into, words are looked at by themselves where others do more.
    @ParameterizedTest
    @ValueSource(strings = {"st.global.u32 [%rd1+4], 1;", "ld.global.u32 %r3, [%rd1+4];"})
    void raceWithOtherAccessesOfAnotherCta(String access) {
        String text =
                """
                .version 8.3
                .target sm_90
                .address_size 64
                .visible .entry k(.param .u64 out) {
                .reg .b64 %rd<3>; .reg .b32 %r<9>; .reg .pred %p<3>;
                .shared .align 16 .b8 tile[64];
                ld.param.u64 %rd1, [out];
                mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; mov.u32 %r3, 1;
                @%p1 bra REDUCE;
                ACCESS
                st.global.u32 [%rd1+64], %r3;
                ret;
                REDUCE:
                st.shared.v4.u32 [tile], {%r1, %r1, %r1, %r1};
                st.shared.v4.u32 [tile+16], {%r1, %r1, %r1, %r1};
                fence.proxy.async;
                cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [tile], 32;
                cp.async.bulk.commit_group;
                cp.async.bulk.wait_group 0;
                ret;
                }
                """;
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            Launch launch = Launch.grid(4).block(1).passing(Argument.zeros("out", 128));
            Kernel kernel = Kernel.of(text.replace("ACCESS", access), "k.ptx", "k");
            assertThat(machine.run(kernel, launch).findings()).hasSize(1);
            kernel = Kernel.of(text.replace("ACCESS", ""), "k.ptx", "k");
            assertThat(machine.run(kernel, launch).findings()).isEmpty();
        }
    }
}
