package dev.heddle.vm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

@DisplayName("Memory of launches that are over serves those to come")
final class SpareMemoryTest {
    private static final long LARGE = 3 << 20;

    @Test
    void smallMemoryDoesNotTakeThePlaceOfLarge() {
        long first = addressOf(LARGE);
        for (int i = 0; i < 8; i++) {
            addressOf(512);
        }
        assertThat(addressOf(LARGE)).isEqualTo(first);
    }

    @Test
    void theSmallestThatFitsIsTaken() {
        long large;
        long small;
        try (Arena one = Arena.ofShared();
                Arena other = Arena.ofShared()) {
            large = SpareMemory.take(2 * LARGE, 64, one).bytes().address();
            small = SpareMemory.take(LARGE, 64, other).bytes().address();
        }
        try (Arena one = Arena.ofShared();
                Arena other = Arena.ofShared()) {
            assertThat(SpareMemory.take(LARGE, 64, one).bytes().address()).isEqualTo(small);
            assertThat(SpareMemory.take(2 * LARGE, 64, other).bytes().address()).isEqualTo(large);
        }
    }

    @Test
    void untouchedMemoryIsZeroThoughALaunchBeforeWroteToIt() {
        long address;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment taken = Objects.requireNonNull(UntouchedMemory.take(LARGE, arena));
            address = taken.address();
            taken.fill((byte) 1);
        }
        try (Arena arena = Arena.ofShared()) {
            MemorySegment taken = Objects.requireNonNull(UntouchedMemory.take(LARGE, arena));
            assertThat(taken.address()).isEqualTo(address);
            assertThat(taken.mismatch(MemorySegment.ofArray(new byte[(int) LARGE]))).isEqualTo(-1);
        }
    }

    private static long addressOf(long bytes) {
        try (Arena arena = Arena.ofShared()) {
            return SpareMemory.take(bytes, 64, arena).bytes().address();
        }
    }
}
