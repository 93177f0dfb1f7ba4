package dev.heddle.vm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.ir.Addresses;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;

@DisplayName("Which bytes were written, with large ranges marked by blocks")
final class WrittenMarksTest {
    private static final int BYTES = 1 << 20;

    private static byte[] marks(GlobalMemory memory, Buffer buffer) {
        return memory.written()
                .asSlice(buffer.address() - Addresses.GLOBAL, buffer.bytes())
                .toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    @DisplayName("marks are those of a map of bytes, whatever is marked in which order")
    void anyOrder() {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            try (GlobalMemory memory = new GlobalMemory(2 * BYTES, true)) {
                memory.allocate("before", random.nextInt(10_000));
                Buffer buffer = memory.allocate("buffer", BYTES);
                byte[] expected = new byte[BYTES];
                for (int i = 0; i < 6; i++) {
                    int from = random.nextInt(BYTES);
                    int count = random.nextInt(BYTES - from);
                    memory.markWritten(buffer.address() + from, count);
                    Arrays.fill(expected, from, from + count, (byte) 1);
                    assertThat(marks(memory, buffer)).as("seed %d", seed).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    @DisplayName("memory that was freed and taken again, or restored, is marked again")
    void again() {
        try (GlobalMemory memory = new GlobalMemory(BYTES + 1024, true)) {
            Buffer first = memory.allocate("first", BYTES);
            MemorySnapshot fresh = memory.snapshot();
            memory.markWritten(first.address(), BYTES);
            memory.restore(fresh);
            assertThat(marks(memory, first)).containsOnly(0);
            memory.markWritten(first.address(), BYTES);
            assertThat(marks(memory, first)).containsOnly(1);
            memory.free(first.address());
            Buffer second = memory.allocate("second", BYTES);
            assertThat(second.address()).isEqualTo(first.address());
            assertThat(marks(memory, second)).containsOnly(0);
            memory.markWritten(second.address(), BYTES);
            assertThat(marks(memory, second)).containsOnly(1);
        }
    }
}
