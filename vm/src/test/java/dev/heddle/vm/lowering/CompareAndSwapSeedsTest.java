package dev.heddle.vm.lowering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.ir.Step;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A plain load that only seeds a compare-and-swap loop counts as relaxed")
final class CompareAndSwapSeedsTest {
    private static final String LOAD = "ld.global.b32 %r1, [%rd1];";
    private static final String COMPUTE = "add.s32 %r2, %r1, 3;";
    private static final String SWAP = "atom.cta.global.cas.b32 %r3, [%rd1], %r1, %r2;";
    private static final String COMPARE = "setp.ne.s32 %p, %r1, %r3;";

    private static Access accessOfLoad(String load, String compute, String swap, String compare) {
        String text =
                """
                .version 8.0
                .target sm_80
                .address_size 64
                .global .align 4 .b32 g[2];
                .visible .entry k(.param .u64 p)
                {
                .reg .b32 %%r<5>;
                .reg .b64 %%rd<4>;
                .reg .pred %%p;
                .reg .pred %%q;
                mov.u64 %%rd1, g;
                ld.param.u64 %%rd3, [p];
                %s
                L:
                %s
                %s
                %s
                mov.b32 %%r1, %%r3;
                @%%p bra L;
                st.global.b32 [%%rd3], %%r1;
                ret;
                }
                """
                        .formatted(load, compute, swap, compare);
        Program program = Lowering.lower(BoundModule.of(Ptx.parse(text, "k.ptx")));
        return program.codes().getFirst().blocks().stream()
                .flatMap(block -> block.steps().stream())
                .filter(step -> step instanceof Step.Load it && it.access().bytes() == 4)
                .map(step -> ((Step.Load) step).access())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void isRelaxedInTheScopeOfTheOperation() {
        Access access = accessOfLoad(LOAD, COMPUTE, SWAP, COMPARE);
        assertThat(access.order()).isEqualTo(MemoryOrder.RELAXED);
        assertThat(access.scope()).isEqualTo(Scope.CTA);
    }

    @Test
    void knowsTheAddressThroughCopiesAndDistances() {
        String load = "add.s64 %rd2, %rd1, 8; ld.global.b32 %r1, [%rd2+-8];";
        assertThat(accessOfLoad(load, COMPUTE, SWAP, COMPARE).isStrong()).isTrue();
        assertThat(accessOfLoad("ld.global.b32 %r1, [g];", COMPUTE, SWAP, COMPARE).isStrong())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ld.global.b32 %r1, [%rd1+4];", // another address
                "ld.global.b32 %r1, [%rd3];",
                "ld.global.b32 %r1, [%rd1]; st.global.b32 [%rd3], %r1;", // others see the value
                "ld.global.b32 %r1, [%rd1]; setp.gt.s32 %q, %r1, 7; @%q bra L; ret;" // it decides
            })
    void staysWeakWhereItsValueGoesElsewhere(String load) {
        assertThat(accessOfLoad(load, COMPUTE, SWAP, COMPARE).isStrong()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "add.s32 %r2, %r1, 3; st.global.b32 [%rd3], %r2;",
                "add.s32 %r2, %r1, 3; add.s32 %r1, %r1, 0;", // another value is compared
                "add.s32 %r2, %r1, 3; setp.gt.s32 %q, %r2, 7; @%q bra L;"
            })
    void staysWeakWhereWhatIsComputedGoesElsewhere(String compute) {
        assertThat(accessOfLoad(LOAD, compute, SWAP, COMPARE).isStrong()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "atom.global.exch.b32 %r3, [%rd1], %r2;",
                "atom.global.cas.b64 %rd2, [%rd1], 1, 2;",
                "atom.global.cas.b32 %r3, [%rd1], %r2, %r1;"
            })
    void staysWeakWithoutACompareAndSwapOfIt(String swap) {
        assertThat(accessOfLoad(LOAD, COMPUTE, swap, COMPARE).isStrong()).isFalse();
    }

    @Test
    void staysWeakWhereTheAddressMovesOn() {
        String moved = "add.s64 %rd1, %rd1, 4; " + SWAP;
        assertThat(accessOfLoad(LOAD, COMPUTE, moved, COMPARE).isStrong()).isFalse();
        String advanced = "add.s64 %rd3, %rd3, 4; atom.global.cas.b32 %r3, [%rd3], %r1, %r2;";
        assertThat(
                        accessOfLoad("ld.global.b32 %r1, [%rd3];", COMPUTE, advanced, COMPARE)
                                .isStrong())
                .isFalse();
    }

    @Test
    void staysWeakWhereItIsComparedWithAnythingElse() {
        assertThat(accessOfLoad(LOAD, COMPUTE, SWAP, "setp.ne.s32 %p, %r1, 5;").isStrong())
                .isFalse();
    }
}
