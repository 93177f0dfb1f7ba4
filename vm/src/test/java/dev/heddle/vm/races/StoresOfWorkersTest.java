package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.util.Set;

/// Without definedness nothing is looked at twice: what the workers see is what is told.
@DisplayName("PTX ISA 8.7.1: CTAs that store to the same memory on several workers at once")
final class StoresOfWorkersTest {
    private static Kernel kernel(String value) {
        return Kernel.of(
                """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 out) {
                .reg .b64 %%rd<9>; .reg .b32 %%r<9>; .reg .pred %%p<4>;
                ld.param.u64 %%rd1, [out];
                mov.u32 %%r1, 0;
                mov.u32 %%r2, %%ctaid.x;
                L:
                mul.lo.u32 %%r3, %%r1, 7;
                %s
                st.global.u32 [%%rd1], %%r3;
                add.u64 %%rd1, %%rd1, 4;
                add.u32 %%r1, %%r1, 1;
                setp.lt.u32 %%p1, %%r1, 512;
                @%%p1 bra L;
                ret;
                }
                """
                        .formatted(value),
                "k.ptx",
                "k");
    }

    private static Outcome run(String value) {
        Launch launch =
                Launch.grid(8)
                        .block(32)
                        .withThreads(4)
                        .withChecks(Set.of(RuleGroup.RACES))
                        .passing(Argument.poison("out", 2048));
        return Machine.tiered().run(kernel(value), launch);
    }

    @RepeatedTest(10)
    void valuesThatAreTheSameAreNoRace() {
        assertThat(run("").findings()).isEmpty();
    }

    @Test
    void valuesThatAreOthersAreOne() {
        assertThat(run("add.u32 %r3, %r3, %r2;").findings())
                .singleElement()
                .extracting(Finding::rule)
                .isEqualTo(Rule.DATA_RACE);
    }
}
