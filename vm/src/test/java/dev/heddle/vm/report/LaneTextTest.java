package dev.heddle.vm.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.BitSet;

@DisplayName("lanes in words")
class LaneTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    00000001 | lane 0
                    80000000 | lane 31
                    ffffffff | lanes 0-31
                    000002ff | lanes 0-7,9
                    c0000005 | lanes 0,2,30-31
                    55555555 | the even lanes
                    aaaaaaaa | the odd lanes
                    """)
    void namesRanges(String mask, String words) {
        assertThat(LaneText.describe(Integer.parseUnsignedInt(mask, 16))).isEqualTo(words);
    }

    @Test
    void namesTheSameLanesOfSomeWarpsOnce() {
        BitSet warps = BitSet.valueOf(new long[] {0b10_0111});
        assertThat(LaneText.describe(warps, -1)).isEqualTo("warps 0-2,5, lanes 0-31");
        assertThat(LaneText.describe(BitSet.valueOf(new long[] {8}), 2))
                .isEqualTo("warp 3, lane 1");
    }
}
