package dev.heddle.isa;

import static dev.heddle.isa.Transcript.wgmma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Row of one warp; each further warp of the warpgroup holds the next 16 rows. Columns and
/// rows restate the figures: this section has no formula.
@DisplayName("PTX ISA 9.7.15.5.1.1.4: wgmma.m64nNk256")
final class WgmmaFragmentK256Test {
    @Test
    void a() {
        wgmma(256, Role.A, "b1")
                .isVectorOf(4, 32)
                .stands(
                        (g, t, i) -> i < 32 || (64 <= i && i < 96) ? g : g + 8,
                        (g, t, i) -> i < 64 ? t * 32 + (i & 0x1F) : t * 32 + (i & 0x1F) + 128);
    }

    @Test
    void d() {
        wgmma(256, Role.D, "s32")
                .isVectorOfNOver(2)
                .stands(
                        (g, t, i) -> i / 2 % 2 == 0 ? g : g + 8,
                        (g, t, i) -> t * 2 + (i & 0x1) + 8 * (i / 4));
    }
}
