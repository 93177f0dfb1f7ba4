package dev.heddle.vm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.memory.Footprint.Common;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

import java.util.BitSet;
import java.util.List;
import java.util.Random;

@DisplayName("Footprints conflict where their bytes do")
final class FootprintTest {
    private static final int BYTES = 64;

    private static int[] ways(Random random) {
        int[] ways = new int[BYTES];
        for (int at = 0; at < BYTES; ) {
            int end = Math.min(BYTES, at + 1 + random.nextInt(6));
            int way = random.nextInt(3) == 0 ? random.nextInt(16) : 0;
            for (; at < end; at++) {
                ways[at] = way;
            }
        }
        return ways;
    }

    private static Footprint footprint(int[] ways) {
        Footprint.Builder builder = new Footprint.Builder();
        for (int at = 0; at < BYTES; at++) {
            if (ways[at] != 0) {
                builder.add(at, at + 1, ways[at], null);
            }
        }
        return builder.build();
    }

    private static BitSet bytes(List<Common> all) {
        BitSet bytes = new BitSet();
        for (Common each : all) {
            bytes.set((int) each.from(), (int) (each.from() + each.bytes()));
        }
        return bytes;
    }

    /// A weak read is 1, a strong one 2, a weak write 4, a strong one 8.
    @RepeatedTest(500)
    void asByteForByte(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int[] one = ways(random);
        int[] other = ways(random);
        BitSet conflicts = new BitSet();
        boolean signals = false;
        for (int at = 0; at < BYTES; at++) {
            boolean bothWeak = (one[at] & 5) != 0 && (other[at] & 5) != 0;
            boolean weaklyWritten = ((one[at] | other[at]) & 4) != 0;
            conflicts.set(at, bothWeak && weaklyWritten);
            signals |= (one[at] & 2) != 0 && (other[at] & 12) != 0;
            signals |= (other[at] & 2) != 0 && (one[at] & 12) != 0;
            signals |= (one[at] & 8) != 0 && (other[at] & 8) != 0;
        }
        assertThat(bytes(footprint(one).conflicts(footprint(other)))).isEqualTo(conflicts);
        assertThat(footprint(one).signals(footprint(other))).isEqualTo(signals);
    }
}
