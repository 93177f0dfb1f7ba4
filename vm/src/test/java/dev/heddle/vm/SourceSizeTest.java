package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;

@DisplayName("PTX ISA 9.7.9.25.3.1: bytes that cp.async takes from global memory")
final class SourceSizeTest {
    private static TinyKernel copying(String size) {
        return TinyKernel.of(
                """
                .shared .align 16 .b8 rows[512];
                mul.wide.u32 %%rd3, %%r1, 16; add.u64 %%rd4, %%rd1, %%rd3;
                mov.u32 %%r4, rows; cvt.u32.u64 %%r5, %%rd3; add.u32 %%r4, %%r4, %%r5;
                mov.u32 %%r2, 16; mov.u32 %%r6, 15;
                setp.eq.u32 %%p1, %%r1, 7; selp.b32 %%r7, 17, 16, %%p1;
                cp.async.cg.shared.global [%%r4], [%%rd4], 16, %s;
                cp.async.wait_all;
                ld.shared.v4.u32 {%%r10, %%r11, %%r12, %%r13}, [%%r4];
                st.global.v4.u32 [%%rd4], {%%r13, %%r12, %%r11, %%r10};
                """
                        .formatted(size));
    }

    @ParameterizedTest
    @ValueSource(strings = {"17", "%r7", "0xffffffff"})
    void areToldBeyondTheSize(String size) {
        assertThat(copying(size).finding(32, 512))
                .satisfies(
                        finding -> {
                            assertThat(finding.rule()).isEqualTo(Rule.WRONG_SOURCE_SIZE);
                            assertThat(finding.message()).contains("of 16 bytes takes");
                        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"16", "%r2"})
    void mayBeAll(String size) {
        int[] words = new int[128];
        for (int i = 0; i < words.length; i++) {
            words[i] = i;
        }
        int[] result = copying(size).run(32, words);
        for (int i = 0; i < words.length; i++) {
            assertThat(result[i]).isEqualTo(i ^ 3);
        }
    }

    @Test
    void mayBeFewer() {
        int[] words = new int[128];
        Arrays.fill(words, -1);
        int[] result = copying("%r6").run(32, words);
        for (int i = 0; i < words.length; i++) {
            assertThat(result[i]).isEqualTo(i % 4 == 0 ? 0x00ff_ffff : -1);
        }
    }
}
