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
    private static final MemorySnapshot.Cost ALL = MemorySnapshot.Cost.upTo(Long.MAX_VALUE);

    private static byte[] filled(int value) {
        byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    @Test
    void whatTheHostTakesMeanwhileStays() {
        try (GlobalMemory memory = new GlobalMemory(1 << 20, true)) {
            memory.allocate("before", BYTES);
            MemorySnapshot before = memory.snapshot(ALL);
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
            MemorySnapshot before = memory.snapshot(ALL);
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
            MemorySnapshot before = memory.snapshot(ALL);
            memory.toWrite(buffer.address(), BYTES);
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
            MemorySnapshot before = memory.snapshot(ALL);
            memory.toWrite(buffer.address(), BYTES);
            memory.segment().asSlice(start, BYTES).fill((byte) 2);
            before.limit(new Touched(new BitSet(), PART, start + 100));
            memory.restore(before);
            byte[] expected = filled(1);
            Arrays.fill(expected, 0, 100, (byte) 2);
            assertThat(memory.read(buffer)).isEqualTo(expected);
        }
    }

    /// As a kernel does that streams through a buffer from the middle to both ends.
    @Test
    void whatIsWrittenIsKeptInFewSteps() {
        int bytes = 1 << 20;
        try (GlobalMemory memory = new GlobalMemory(1 << 22, true)) {
            Buffer buffer = memory.allocate("buffer", bytes, new byte[bytes / 2]);
            MemorySnapshot before = memory.snapshot(ALL);
            int asked = 0;
            Buffer part = new Buffer("none", buffer.address(), 0);
            for (int at = 0; at < bytes; at += PART) {
                long step = at / PART % 2 == 0 ? at / 2 : -at / 2 - PART / 2;
                long address = buffer.address() + bytes / 2 + step / PART * PART;
                if (!part.holds(address, PART)) {
                    asked++;
                    part = Objects.requireNonNull(memory.toWrite(address, PART));
                    assertThat(part.holds(address, PART)).isTrue();
                }
                memory.segment().asSlice(address - Addresses.GLOBAL, PART).fill((byte) 9);
                memory.markWritten(address, PART);
            }
            assertThat(asked).isLessThan(20);
            memory.restore(before);
            assertThat(memory.read(buffer)).isEqualTo(new byte[bytes]);
            Unwritten unwritten = Objects.requireNonNull(memory.unwritten(buffer.address(), bytes));
            assertThat(unwritten.first()).isEqualTo(buffer.address() + bytes / 2);
            assertThat(unwritten.count()).isEqualTo(bytes / 2);
        }
    }

    @Test
    void whatIsNotWrittenCostsNothing() {
        try (GlobalMemory memory = new GlobalMemory(1 << 24, true)) {
            Buffer large = memory.allocate("large", 1 << 23);
            MemorySnapshot before = memory.snapshot(MemorySnapshot.Cost.upTo(3L * BYTES));
            memory.toWrite(large.address() + (1 << 22), 4);
            memory.toWrite(large.address() + (1 << 22) + BYTES, 4);
            assertThat(before.isLost()).isFalse();
            assertThat(before.parts())
                    .containsExactly(new Buffer("large", large.address() + (1 << 22), 2L * BYTES));
        }
    }

    @Test
    void beyondItsCostThereIsNoWayBack() {
        try (GlobalMemory memory = new GlobalMemory(1 << 20, true)) {
            Buffer buffer = memory.allocate("buffer", 8L * BYTES);
            MemorySnapshot before = memory.snapshot(new MemorySnapshot.Cost(BYTES, 4L * BYTES));
            assertThat(memory.toWrite(buffer.address(), BYTES)).isNotEqualTo(buffer);
            assertThat(before.want()).isTrue();
            memory.toWrite(buffer.address() + 3L * BYTES, 1);
            assertThat(before.isLost()).as("wanted, it may cost more").isFalse();
            assertThat(memory.toWrite(buffer.address() + 5L * BYTES, 1)).isEqualTo(buffer);
            assertThat(before.want()).isFalse();
        }
    }

    @Test
    void whatALaunchFreesComesBackWithItsBytes() {
        try (GlobalMemory memory = new GlobalMemory(1 << 20, true)) {
            memory.reserve(0, true);
            Buffer taken = Objects.requireNonNull(memory.allocateOnDevice(BYTES));
            memory.write(taken, java.lang.foreign.MemorySegment.ofArray(filled(3)));
            MemorySnapshot before = memory.snapshot(ALL);
            memory.free(taken.address());
            memory.segment().asSlice(taken.address() - Addresses.GLOBAL, BYTES).fill((byte) 0);
            memory.restore(before);
            assertThat(memory.at(taken.address())).isEqualTo(taken);
            assertThat(memory.read(taken)).isEqualTo(filled(3));
            assertThat(memory.unwritten(taken.address(), BYTES)).isNull();
        }
    }
}
