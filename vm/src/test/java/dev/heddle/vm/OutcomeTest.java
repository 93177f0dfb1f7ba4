package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Set;

@DisplayName("What a launch leaves in buffers")
final class OutcomeTest {
    private static final int LARGE = 2 << 20;

    private static final Kernel KERNEL =
            Kernel.of(
                    """
                    .version 8.0
                    .target sm_80
                    .address_size 64
                    .visible .entry first(.param .u64 a)
                    {
                        .reg .b64 %a;
                        ld.param.u64 %a, [a];
                        st.global.u32 [%a], 7;
                        ret;
                    }
                    """,
                    "first.ptx", "first");

    private static Outcome run(int bytes, byte... contents) {
        Launch launch = Launch.grid(1).passing(new Argument.Buffer("a", bytes, contents));
        return Machine.compiler().run(KERNEL, launch.withChecks(Set.of()));
    }

    @Test
    @DisplayName("a large buffer is to be read until the outcome is closed, a small one for ever")
    void closing() {
        byte[] ones = new byte[LARGE];
        Arrays.fill(ones, (byte) 1);
        MemorySegment large;
        try (Outcome outcome = run(LARGE, ones)) {
            large = outcome.segment("a");
            assertThat(outcome.ints("a")).startsWith(7, 0x0101_0101).hasSize(LARGE / 4);
            assertThat(large.get(ValueLayout.JAVA_BYTE, LARGE - 1)).isEqualTo((byte) 1);
            assertThatThrownBy(() -> large(outcome).set(ValueLayout.JAVA_BYTE, 0, (byte) 2))
                    .isInstanceOf(RuntimeException.class);
        }
        assertThatThrownBy(() -> large.get(ValueLayout.JAVA_BYTE, 0))
                .isInstanceOf(IllegalStateException.class);
        Outcome small = run(8, new byte[8]);
        small.close();
        small.close();
        assertThat(small.ints("a")).containsExactly(7, 0);
    }

    private static MemorySegment large(Outcome outcome) {
        return outcome.segment("a");
    }

    @Test
    @DisplayName("nothing of an earlier launch: behind its contents a buffer is zero")
    void memoryOfEarlierLaunches() {
        for (int i = 0; i < 3; i++) {
            byte[] ones = new byte[LARGE];
            Arrays.fill(ones, (byte) 1);
            run(LARGE, ones).close();
            try (Outcome outcome = run(LARGE, (byte) 5, (byte) 5, (byte) 5, (byte) 5, (byte) 9)) {
                byte[] left = outcome.buffer("a");
                assertThat(left).startsWith(7, 0, 0, 0, 9);
                assertThat(Arrays.copyOfRange(left, 5, LARGE)).containsOnly(0);
            }
        }
    }

    @Test
    @DisplayName("what is no whole element is left out")
    void wholeElements() {
        try (Outcome outcome = run(11, new byte[11])) {
            assertThat(outcome.ints("a")).containsExactly(7, 0);
            assertThat(outcome.longs("a")).containsExactly(7);
            assertThat(outcome.shorts("a")).hasSize(5);
            assertThat(outcome.buffer("a")).hasSize(11);
        }
    }
}
