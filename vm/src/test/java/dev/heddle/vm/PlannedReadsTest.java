package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Machine code looks once at many loads from one base: what they race with, and what nobody
/// wrote, is found all the same.
@DisplayName("loads from shared memory that are looked at together")
final class PlannedReadsTest {
    private static final int THREADS = 64;

    /// `%r4`: the thread's own word of the tile; `%r3`: its lane's in the first half, which all
    /// warps read, and 128 bytes further on in the second; `%p1`: the first warp; `%rd3`: its own
    /// word of the result.
    private static final String PLACES =
            """
            mov.u32 %r7, tile; mad.lo.u32 %r4, %r1, 4, %r7; and.b32 %r3, %r1, 31;
            mad.lo.u32 %r3, %r3, 4, %r7; setp.lt.u32 %p1, %r1, 32; mad.wide.u32 %rd3, %r1, 4, %rd1;
            mov.u32 %r9, 0; mov.u32 %r10, 0;
            """;

    private static final String SUMS =
            """
            ld.shared.u32 %r11, [%r3]; ld.shared.u32 %r12, [%r3+128];
            ld.shared.u32 %r13, [%r7+4]; ld.shared.u32 %r14, [%r7+132];
            add.u32 %r9, %r9, %r11; add.u32 %r9, %r9, %r12;
            add.u32 %r9, %r9, %r13; add.u32 %r9, %r9, %r14;
            """;

    private static final String RESULT = "st.global.u32 [%rd3], %r9;";

    @Test
    void whatBarriersOrderIsLetPass() {
        String loop =
                """
                LOOP: st.shared.u32 [%r4], %r1; bar.sync 0;
                """
                        + SUMS
                        + """
                        bar.sync 0; add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 3; @%p2 bra LOOP;
                        """;
        byte[] left = TinyKernel.of(PLACES + loop + RESULT).run(THREADS, new byte[4 * THREADS]);
        ByteBuffer words = ByteBuffer.wrap(left).order(ByteOrder.LITTLE_ENDIAN);
        for (int thread = 0; thread < THREADS; thread++) {
            int lane = thread % 32;
            // Three times: two words of its lane, and words 1 and 33.
            assertThat(words.getInt(4 * thread)).isEqualTo(3 * (lane + lane + 32 + 1 + 33));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "st.shared.u32 [%r4] %r1; bar.sync 0; st.shared.u32 [%r4] %r9, , , data-race",
        "st.shared.u32 [%r4] %r1; bar.sync 0, , st.shared.u32 [%r4] %r9, data-race",
        "st.shared.u32 [%r4] %r1; bar.sync 0, , @%p1 st.shared.u32 [%r7+132] %r9, data-race",
        "@%p1 st.shared.u32 [%r4] %r1; bar.sync 0, , , uninitialized-read",
        "st.shared.u32 [%r4] %r1; bar.sync 0, @%p1 st.shared.u32 [%r4] %r1, , data-race"
    })
    void whatIsNotInOrderIsFound(String before, String between, String after, String rule) {
        String body = PLACES + part(before) + SUMS + part(between) + SUMS + part(after) + RESULT;
        assertThat(TinyKernel.of(body).finding(THREADS, 4 * THREADS).rule())
                .isEqualTo(Rule.named(rule).orElseThrow());
    }

    /// A comma ends a column: `[%r4] %r1` stands for `[%r4], %r1`.
    private static String part(String text) {
        return text == null ? "" : text.replace("] %", "], %") + ";";
    }
}
