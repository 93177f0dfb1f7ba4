package dev.heddle.vm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.ir.Addresses;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;

/// Memory goes back to what it was before a launch, while the host goes on.
@DisplayName("memory that goes back to what it was before a launch")
final class MemorySnapshotTest {
    private static final int BYTES = 4096;
    private static final int PART = 32;

    private static byte[] filled(int value) {
        byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    @Test
    void whatTheHostTakesMeanwhileStays() {
        try (GlobalMemory memory = new GlobalMemory(1 << 20, true)) {
            memory.allocate("before", BYTES);
            MemorySnapshot before = memory.snapshot();
            Buffer host = memory.allocate("host's", BYTES, filled(7));
            memory.reserve(0, true);
            Buffer kernel = Objects.requireNonNull(memory.allocateOnDevice(64));
            memory.restore(before);
            assertThat(memory.at(host.address())).isEqualTo(host);
            assertThat(memory.read(host)).isEqualTo(filled(7));
            assertThat(memory.at(kernel.address())).isNull();
        }
    }

    @Test
    void whatTheHostFreesMeanwhileStaysFreed() {
        try (GlobalMemory memory = new GlobalMemory(1 << 20, true)) {
            Buffer freed = memory.allocate("freed", BYTES);
            MemorySnapshot before = memory.snapshot();
            memory.free(freed.address());
            memory.restore(before);
            assertThat(memory.at(freed.address())).isNull();
        }
    }

    @Test
    void onlyWhatTheLaunchTouchedGoesBack() {
        try (GlobalMemory memory = new GlobalMemory(1 << 20, true)) {
            memory.allocate("first", 1000);
            Buffer buffer = memory.allocate("buffer", BYTES, filled(1));
            long start = buffer.address() - Addresses.GLOBAL;
            MemorySnapshot before = memory.snapshot();
            memory.segment().asSlice(start, BYTES).fill((byte) 2);
            BitSet parts = new BitSet();
            int first = (int) start / PART;
            parts.set(first + 2, first + 4);
            parts.set(first + BYTES / PART - 1);
            before.limit(new Touched(parts, PART, 1 << 20));
            memory.restore(before);
            byte[] expected = filled(2);
            Arrays.fill(expected, 2 * PART, 4 * PART, (byte) 1);
            Arrays.fill(expected, BYTES - PART, BYTES, (byte) 1);
            assertThat(memory.read(buffer)).isEqualTo(expected);
        }
    }

    @Test
    void whatIsNotKnownGoesBack() {
        try (GlobalMemory memory = new GlobalMemory(1 << 20, true)) {
            Buffer buffer = memory.allocate("buffer", BYTES, filled(1));
            long start = buffer.address() - Addresses.GLOBAL;
            MemorySnapshot before = memory.snapshot();
            memory.segment().asSlice(start, BYTES).fill((byte) 2);
            before.limit(new Touched(new BitSet(), PART, start + 100));
            memory.restore(before);
            byte[] expected = filled(1);
            Arrays.fill(expected, 0, 100, (byte) 2);
            assertThat(memory.read(buffer)).isEqualTo(expected);
        }
    }
}
