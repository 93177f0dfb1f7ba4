package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Party;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("threads in messages are called by their %tid: x runs fastest, then y, then z")
final class PartyTest {
    private static final Extent BLOCK = new Extent(8, 4, 2);

    @Test
    void aThreadHasItsPlaceInTheCta() {
        Party party = new Party(null, 32 + 8 + 3, BLOCK, null);
        assertThat(party).hasToString("thread (3,1,1) (warp 1, lane 11)");
        assertThat(new Party(new Party.Cta(2, 0, 1), 5, BLOCK, null).name())
                .isEqualTo("thread (5,0,0) of CTA (2,0,1)");
    }

    @Test
    void lanesAreRangesOrTheFirstFew() {
        assertThat(where(-1)).isEqualTo("threads (0,0,1) to (7,3,1)");
        assertThat(where(0x10)).isEqualTo("thread (4,0,1)");
        assertThat(where(0x101)).isEqualTo("threads (0,0,1), (0,1,1)");
        assertThat(where(0x5555))
                .isEqualTo("threads (0,0,1), (2,0,1), (4,0,1), (6,0,1) and 4 more");
    }

    /// Of lanes of warp 1.
    private static String where(int lanes) {
        return new Finding.Where(0, 0, 0, 1, lanes, BLOCK).threads();
    }
}
