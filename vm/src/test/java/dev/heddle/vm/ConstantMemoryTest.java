package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Writes of constant memory (PTX ISA 5.1 and 9.7.9.11) by an address of another state space.
@DisplayName("PTX ISA 5.1: constant memory is only read")
final class ConstantMemoryTest {
    private static final String TABLE =
            """
            .const .align 16 .b8 before[16];
            .const .align 16 .b32 table[32];
            .global .align 16 .b32 counts[32];
            """;

    private static TinyKernel writing(String body) {
        return TinyKernel.of(
                TABLE,
                """
                mov.u64 %rd2, table; cvta.const.u64 %rd2, %rd2;
                mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd2, %rd3;
                """
                        + body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "st.u32 [%rd4], %r1;",
                "st.global.u32 [%rd4], %r1;",
                "st.relaxed.gpu.u32 [%rd4], %r1;",
                "setp.eq.u32 %p1, %r1, 31; @%p1 st.u8 [%rd2 + 127], %r1;",
                "setp.eq.u32 %p1, %r1, 31; @%p1 st.v4.u32 [%rd2 + 16], {%r1, %r1, %r1, %r1};",
                "setp.eq.u32 %p1, %r1, 31; mov.u64 %rd5, tile; @%p1 st.shared.v4.u32 [%rd5], {%r1,"
                        + " %r1, %r1, %r1}; fence.proxy.async; @%p1"
                        + " cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%rd5], 16;"
            })
    void isNotStoredTo(String store) {
        assertThat(writing(store).finding(32, 128))
                .satisfies(
                        finding -> {
                            assertThat(finding.rule()).isEqualTo(Rule.STORE_TO_CONSTANT_MEMORY);
                            assertThat(finding.message()).contains("table", "constant memory");
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "atom.add.u32 %r2, [%rd4], 1;",
                "red.global.add.u32 [%rd2], 1;",
                "atom.cas.b32 %r2, [%rd2], 0, 1;",
                "setp.eq.u32 %p1, %r1, 31; mov.u64 %rd5, tile; @%p1 st.shared.v4.u32 [%rd5], {%r1,"
                    + " %r1, %r1, %r1}; fence.proxy.async; @%p1"
                    + " cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd2], [%rd5],"
                    + " 16;"
            })
    void hasNoAtomicOperations(String update) {
        assertThat(writing(update).finding(32, 128).rule())
                .isEqualTo(Rule.ATOMIC_OUTSIDE_GLOBAL_OR_SHARED);
    }

    @ParameterizedTest
    @CsvSource({"0", "1"})
    void isToldAfterStoresToGlobalMemory(int turns) {
        // The same instruction has stored to a buffer before.
        assertThat(
                        writing(
                                        """
                                        add.u64 %%rd5, %%rd1, %%rd3; mov.u32 %%r2, 0;
                                        LOOP: st.u32 [%%rd5], %%r2;
                                        setp.eq.u32 %%p1, %%r2, %d;
                                        selp.b64 %%rd5, %%rd4, %%rd5, %%p1;
                                        add.u32 %%r2, %%r2, 1;
                                        setp.lt.u32 %%p1, %%r2, %d; @%%p1 bra LOOP;
                                        """
                                                .formatted(100 * turns, 100 * turns + 2))
                                .finding(32, 128)
                                .rule())
                .isEqualTo(Rule.STORE_TO_CONSTANT_MEMORY);
    }

    @Test
    void isReadByAnyAddressBesideStoresToVariables() {
        int[] result =
                writing(
                                """
                                mov.u64 %rd6, counts; cvta.global.u64 %rd6, %rd6;
                                add.u64 %rd7, %rd6, %rd3;
                                ld.u32 %r2, [%rd4]; ld.global.u32 %r4, [%rd4];
                                add.u32 %r2, %r2, %r4; add.u32 %r2, %r2, %r1;
                                st.u32 [%rd7], %r2; atom.add.u32 %r3, [%rd7], 5;
                                add.u64 %rd8, %rd1, %rd3; st.global.u32 [%rd8], %r3;
                                """)
                        .run(32, new int[32]);
        for (int i = 0; i < 32; i++) {
            assertThat(result[i]).isEqualTo(i);
        }
    }
}
