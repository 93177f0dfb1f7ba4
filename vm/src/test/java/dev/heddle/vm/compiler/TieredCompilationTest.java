package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.ir.Extent;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Kernels that are interpreted first and compiled beside the launch.
class TieredCompilationTest {
    private static final int ROUNDS = 2_000;

    /// Each thread adds 2 x tid, ROUNDS times, by a function, to its word.
    private static final String CALLS =
            """
            .version 8.3
            .target sm_90
            .address_size 64
            .func (.reg .b32 %%out) twice(.reg .b32 %%in) {
            add.s32 %%out, %%in, %%in;
            ret;
            }
            .visible .entry k(.param .u64 out) {
            .reg .b64 %%rd<4>; .reg .b32 %%r<9>; .reg .pred %%p;
            ld.param.u64 %%rd1, [out];
            mov.u32 %%r1, %%tid.x;
            mov.u32 %%r3, 0;
            mov.u32 %%r4, 0;
            L: call (%%r2), twice, (%%r1);
            add.s32 %%r3, %%r3, %%r2;
            add.s32 %%r4, %%r4, 1;
            setp.lt.s32 %%p, %%r4, %1$d;
            @%%p bra L;
            mad.wide.u32 %%rd2, %%r1, 4, %%rd1;
            st.global.u32 [%%rd2], %%r3;
            ret;
            }
            """
                    .formatted(ROUNDS);

    /// The same without a function, for many CTAs: machine code where this processor has it.
    private static final String LOOP =
            CALLS.replace("call (%r2), twice, (%r1)", "add.s32 %r2, %r1, %r1")
                    .replace("mov.u32 %r3, 0;", "mov.u32 %r5, %ctaid.x; mov.u32 %r3, %r5;")
                    .replace(
                            "mad.wide.u32 %rd2, %r1,",
                            "mad.lo.u32 %r6, %r5, 32, %r1;" + " mad.wide.u32 %rd2, %r6,");

    private static Outcome run(Machine machine, String text, int ctas, Set<RuleGroup> checks) {
        Launch launch =
                Launch.of(
                                new Extent(ctas, 1, 1),
                                new Extent(32, 1, 1),
                                Argument.buffer("out", new byte[128 * ctas]))
                        .withChecks(checks);
        return machine.run(Kernel.of(text, "k.ptx", "k"), launch);
    }

    private static void requireSums(Outcome outcome, boolean plusCta) {
        assertThat(outcome.findings()).isEmpty();
        int[] sums = outcome.ints("out");
        for (int i = 0; i < sums.length; i++) {
            assertThat(sums[i]).isEqualTo(2 * (i % 32) * ROUNDS + (plusCta ? i / 32 : 0));
        }
    }

    @Test
    @Timeout(120)
    @DisplayName("a launch ends while its function is still compiled; a later one runs the code")
    void goesOnMeanwhile() throws InterruptedException {
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch used = new CountDownLatch(1);
        Compilations compilations =
                new Compilations(
                        0,
                        (blocks, analysis, vectors) -> {
                            try {
                                released.await();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            CompiledCode code = FunctionCompiler.compile(blocks, analysis, vectors);
                            return (frame, block, mask) -> {
                                used.countDown();
                                return code.run(frame, block, mask);
                            };
                        },
                        CompileQueue.beside());
        Machine machine = Machine.compiler(compilations);
        requireSums(run(machine, CALLS, 1, RuleGroup.CHECKS), false);
        assertThat(used.getCount()).isEqualTo(1);
        released.countDown();
        do {
            requireSums(run(machine, CALLS, 1, RuleGroup.CHECKS), false);
        } while (!used.await(1, TimeUnit.MILLISECONDS));
    }

    @Test
    @DisplayName("what is interpreted in the beginning and compiled later gives the same words")
    void changesOverInTheMiddle() {
        Machine machine = Machine.tiered();
        for (int i = 0; i < 3; i++) {
            requireSums(run(machine, LOOP, 64, Set.of()), true);
            requireSums(run(machine, LOOP, 64, RuleGroup.CHECKS), true);
        }
    }
}
