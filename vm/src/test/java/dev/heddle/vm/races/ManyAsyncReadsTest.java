package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// A thread copies many pieces of shared memory to global memory, and another writes the first of
/// them again before anybody has waited.
@DisplayName("PTX ISA 9.7.9.25.4: many bulk copies that read shared memory")
final class ManyAsyncReadsTest {
    private static final int MOST = 3000;

    /// @param step bytes from one piece to the next
    private static String kernel(int count, int step, String wait) {
        return """
        .version 8.3
        .target sm_90a
        .address_size 64
        .visible .entry k(.param .u64 out)
        {
        .reg .pred %%p<3>; .reg .b32 %%r<9>; .reg .b64 %%rd<9>;
        .shared .align 16 .b8 s[%d];
        mov.u32 %%r1, %%tid.x; shl.b32 %%r2, %%r1, 4; mov.u32 %%r3, s;
        FILL: add.u32 %%r4, %%r3, %%r2; st.shared.v4.u32 [%%r4], {%%r1, %%r1, %%r1, %%r1};
        add.u32 %%r2, %%r2, 512; setp.lt.u32 %%p1, %%r2, %d; @%%p1 bra FILL;
        fence.proxy.async;
        bar.warp.sync -1;
        ld.param.u64 %%rd1, [out]; cvta.to.global.u64 %%rd1, %%rd1;
        setp.ne.u32 %%p1, %%r1, 0; @%%p1 bra BEHIND;
        mov.u32 %%r5, 0;
        COPY: cp.async.bulk.global.shared::cta.bulk_group [%%rd1], [%%r3], 16;
        cp.async.bulk.commit_group;
        add.u64 %%rd1, %%rd1, 16; add.u32 %%r3, %%r3, %d;
        add.u32 %%r5, %%r5, 1; setp.lt.u32 %%p1, %%r5, %d; @%%p1 bra COPY;
        %s
        BEHIND: bar.warp.sync -1;
        mov.u32 %%r3, s;
        setp.eq.u32 %%p2, %%r1, 1; @%%p2 st.shared.u32 [%%r3], %%r1;
        ret;
        }
        """
                .formatted(16 * MOST, 16 * MOST, step, count, wait);
    }

    @ParameterizedTest
    @CsvSource({"100, 16", "300, 16", "3000, 16", "3000, 0"})
    void noneIsForgotten(int count, int step) {
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            assertThat(run(machine, kernel(count, step, "")).findings())
                    .as("%s, %d copies", machine.name(), count)
                    .extracting(Finding::rule)
                    .containsExactly(Rule.ASYNC_WRITE_BEFORE_COMPLETION);
            String waits = kernel(count, step, "cp.async.bulk.wait_group.read 0;");
            assertThat(run(machine, waits).findings()).isEmpty();
        }
    }

    private static Outcome run(Machine machine, String ptx) {
        Launch launch = Launch.grid(1).block(32).passing(Argument.zeros("out", 16 * MOST));
        return machine.run(Kernel.of(ptx, "k.ptx", "k"), launch);
    }
}
