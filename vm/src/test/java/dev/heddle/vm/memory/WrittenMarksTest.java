package dev.heddle.vm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.ir.Addresses;

import org.jspecify.annotations.Nullable;
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
    @DisplayName(
            "what was not written is that of a map of bytes, whatever is marked and asked before")
    void unwritten() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            try (GlobalMemory memory = new GlobalMemory(BYTES, true)) {
                memory.allocate("before", random.nextInt(10_000));
                Buffer buffer = memory.allocate("buffer", 1 << random.nextInt(4, 15));
                int bytes = (int) buffer.bytes();
                byte[] expected = new byte[bytes];
                for (int i = 0; i < 40; i++) {
                    int from = random.nextInt(bytes);
                    int count = 1 + random.nextInt(bytes - from);
                    long address = buffer.address() + from;
                    switch (random.nextInt(4)) {
                        case 0 -> {
                            memory.discard(address - Addresses.GLOBAL, count / 8);
                            Arrays.fill(expected, from, from + count / 8, (byte) 0);
                        }
                        case 1 -> {
                            int to = random.nextInt(bytes - count + 1);
                            memory.copyMarks(address, buffer.address() + to, count);
                            System.arraycopy(expected, from, expected, to, count);
                        }
                        default -> {
                            memory.markWritten(address, count);
                            Arrays.fill(expected, from, from + count, (byte) 1);
                        }
                    }
                    int first = random.nextInt(bytes);
                    int end = first + 1 + random.nextInt(bytes - first);
                    assertThat(memory.unwritten(buffer.address() + first, end - first))
                            .as("seed %d, %d", seed, i)
                            .isEqualTo(unwritten(buffer.address(), expected, first, end));
                }
                assertThat(marks(memory, buffer)).as("seed %d", seed).isEqualTo(expected);
            }
        }
    }

    private static @Nullable Unwritten unwritten(long address, byte[] marks, int from, int to) {
        Unwritten found = null;
        for (int at = from; at < to; at++) {
            if (marks[at] == 0) {
                found = Unwritten.of(found, new Unwritten(address + at, 1));
            }
        }
        return found;
    }

    @Test
    @DisplayName("memory that was freed and taken again, or restored, is marked again")
    void again() {
        try (GlobalMemory memory = new GlobalMemory(BYTES + 1024, true)) {
            Buffer first = memory.allocate("first", BYTES);
            MemorySnapshot fresh = memory.snapshot(MemorySnapshot.Cost.upTo(1 << 20));
            memory.toWrite(first.address(), BYTES);
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
