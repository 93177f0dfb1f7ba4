package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;

/// CTAs of earlier launches serve again: registers, shared and local memory, and what is known of
/// them, are as in a first launch.
@DisplayName("A later launch of a kernel is like the first")
final class SpareClustersTest {
    private static final int THREADS = 1024;

    /// Each thread puts its number and an addend into shared memory, into local memory and into a
    /// register, but for one thread of each, and takes its neighbour's. Where `meet` is 0, they do
    /// not wait.
    private static final Kernel KERNEL =
            Kernel.of(
                    """
                    .version 8.0
                    .target sm_80
                    .address_size 64
                    .visible .entry k(
                        .param .u64 out, .param .u32 addend, .param .u32 shared, .param .u32 local,
                        .param .u32 register, .param .u32 meet)
                    {
                        .reg .pred %p<5>;
                        .reg .b32 %r<20>;
                        .reg .b64 %rd<5>;
                        .shared .b32 s[1024];
                        .local .b32 l[4];
                        ld.param.u64 %rd1, [out];
                        ld.param.u32 %r1, [addend];
                        ld.param.u32 %r2, [shared];
                        ld.param.u32 %r3, [local];
                        ld.param.u32 %r4, [register];
                        ld.param.u32 %r5, [meet];
                        mov.u32 %r6, %tid.x;
                        add.u32 %r7, %r6, %r1;
                        mov.u32 %r8, s;
                        mad.lo.u32 %r9, %r6, 4, %r8;
                        setp.ne.u32 %p1, %r6, %r2;
                        setp.ne.u32 %p2, %r6, %r3;
                        setp.ne.u32 %p3, %r6, %r4;
                        setp.eq.u32 %p4, %r5, 0;
                        @%p1 st.shared.u32 [%r9], %r7;
                        @%p2 st.local.u32 [l], %r7;
                        @%p3 mov.u32 %r10, %r7;
                        @%p4 bra on;
                        bar.sync 0;
                    on:
                        xor.b32 %r11, %r6, 32;
                        mad.lo.u32 %r12, %r11, 4, %r8;
                        ld.shared.u32 %r13, [%r12];
                        ld.local.u32 %r14, [l];
                        add.u32 %r15, %r13, %r14;
                        add.u32 %r15, %r15, %r10;
                        mul.wide.u32 %rd2, %r6, 4;
                        add.u64 %rd3, %rd1, %rd2;
                        st.global.u32 [%rd3], %r15;
                        ret;
                    }
                    """,
                    "k.ptx", "k");

    private static Launch launch(int addend, int shared, int local, int register, int meet) {
        // Wherever the buffer is, it is elsewhere the next time.
        return Launch.grid(3)
                .block(THREADS)
                .passing(
                        Argument.poison("out", 4L * THREADS * addend),
                        Argument.s32(addend),
                        Argument.s32(shared),
                        Argument.s32(local),
                        Argument.s32(register),
                        Argument.s32(meet))
                .withThreads(1);
    }

    private static void requireSums(Outcome outcome, int addend) {
        assertThat(outcome.findings()).isEmpty();
        int[] sums = outcome.ints("out");
        for (int thread = 0; thread < THREADS; thread++) {
            int neighbour = thread / 32 % 2 == 0 ? thread + 32 : thread - 32;
            assertThat(sums[thread]).isEqualTo(neighbour + 2 * thread + 3 * addend);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void computesWithItsOwnParametersAndMemory(boolean checked) {
        Machine machine = Machine.compiler();
        for (int addend = 1; addend < 40; addend++) {
            Launch launch = launch(addend, -1, -1, -1, 1);
            Launch asked = launch.withChecks(checked ? RuleGroup.CHECKS : Set.of());
            try (Outcome outcome = machine.run(KERNEL, asked)) {
                requireSums(outcome, addend);
            }
        }
    }

    /// One thread leaves out what it should write, or all leave out the barrier.
    @ParameterizedTest
    @CsvSource({"40, -1, -1, 1", "-1, 5, -1, 1", "-1, -1, 6, 1", "-1, -1, -1, 0"})
    void findsWhatAFirstLaunchFinds(int shared, int local, int register, int meet) {
        Launch broken = launch(1, shared, local, register, meet).withChecks(RuleGroup.CHECKS);
        Launch sound = launch(1, -1, -1, -1, 1).withChecks(RuleGroup.CHECKS);
        for (Machine machine : List.of(Machine.compiler(), Machine.interpreter())) {
            Outcome first = machine.run(KERNEL, broken);
            assertThat(first.findings()).isNotEmpty();
            Outcome once = machine.run(KERNEL, sound);
            requireSums(once, 1);
            // CTAs store the same: a warning.
            assertThat(once.warnings()).isNotEmpty();
            assertThat(machine.run(KERNEL, sound).found()).isEqualTo(once.found());
            assertThat(machine.run(KERNEL, broken).found()).isEqualTo(first.found());
            requireSums(machine.run(KERNEL, sound), 1);
        }
    }

    /// CTA 0 writes, CTA 1 reads behind a fence. Where `meet` is 0, CTA 0 has no fence, and CTA 1
    /// does not wait.
    private static final Kernel HAND_OVER =
            Kernel.of(
                    """
                    .version 8.0
                    .target sm_80
                    .address_size 64
                    .visible .entry k(.param .u64 out, .param .u32 meet)
                    {
                        .reg .pred %p<5>;
                        .reg .b32 %r<9>;
                        .reg .b64 %rd<5>;
                        ld.param.u64 %rd1, [out];
                        ld.param.u32 %r1, [meet];
                        mov.u32 %r2, %ctaid.x;
                        setp.ne.u32 %p1, %r2, 0;
                        setp.eq.u32 %p2, %r1, 0;
                        @%p1 bra second;
                        st.global.u32 [%rd1], 7;
                        @%p2 ret;
                        fence.sc.gpu;
                        st.relaxed.gpu.global.u32 [%rd1+4], 1;
                        ret;
                    second:
                        @%p2 bra behind;
                    spin:
                        ld.relaxed.gpu.global.u32 %r3, [%rd1+4];
                        setp.eq.u32 %p3, %r3, 0;
                        @%p3 bra spin;
                    behind:
                        fence.sc.gpu;
                        ld.global.u32 %r4, [%rd1];
                        st.global.u32 [%rd1+8], %r4;
                        ret;
                    }
                    """,
                    "k.ptx", "k");

    /// Where CTAs may come before one another, what they hand over ends with their launch.
    @Test
    void ordersNothingBehindAnEarlierLaunch() {
        for (Machine machine : List.of(Machine.compiler(), Machine.interpreter())) {
            for (int round = 0; round < 3; round++) {
                try (Outcome sound = machine.run(HAND_OVER, handOver(1))) {
                    assertThat(sound.findings()).isEmpty();
                    assertThat(sound.ints("out")[2]).isEqualTo(7);
                }
                try (Outcome broken = machine.run(HAND_OVER, handOver(0))) {
                    assertThat(broken.findings())
                            .extracting(Finding::rule)
                            .containsExactly(Rule.DATA_RACE);
                }
            }
        }
    }

    private static Launch handOver(int meet) {
        return Launch.grid(2)
                .block(1)
                .passing(Argument.of("out", new int[3]), Argument.s32(meet))
                .withChecks(RuleGroup.CHECKS);
    }

    @Test
    void takesNoMemoryForRegistersAgain() {
        Launch launch = launch(1, -1, -1, -1, 1).withChecks(RuleGroup.CHECKS);
        Machine machine = Machine.interpreter();
        allocated(machine, launch);
        long first = allocated(Machine.interpreter(), launch);
        // Of each warp, twenty registers of 128 bytes or more.
        assertThat(allocated(machine, launch)).isLessThan(first - 4 * 20 * THREADS);
    }

    private static long allocated(Machine machine, Launch launch) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        machine.run(KERNEL, launch).close();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
