package dev.heddle.isa;

import static dev.heddle.isa.Transcript.wgmma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Row of one warp; each further warp of the warpgroup holds the next 16 rows. Columns and
/// rows restate the figures: this section has no formula.
@DisplayName("PTX ISA 9.7.15.5.1.1.1: wgmma.m64nNk16")
final class WgmmaFragmentK16Test {
    @Test
    void a() {
        wgmma(16, Role.A, "f16", "bf16")
                .isVectorOf(4, 2)
                .stands(
                        (g, t, i) -> i < 2 || (4 <= i && i < 6) ? g : g + 8,
                        (g, t, i) -> i < 4 ? t * 2 + (i & 0x1) : t * 2 + (i & 0x1) + 8);
    }

    @Test
    void dOfF16() {
        wgmma(16, Role.D, "f16")
                .isVectorOfNOver(4)
                .stands(
                        (g, t, i) -> i / 2 % 2 == 0 ? g : g + 8,
                        (g, t, i) -> t * 2 + (i & 0x1) + 8 * (i / 4));
    }

    @Test
    void dOfF32() {
        wgmma(16, Role.D, "f32")
                .isVectorOfNOver(2)
                .stands(
                        (g, t, i) -> i / 2 % 2 == 0 ? g : g + 8,
                        (g, t, i) -> t * 2 + (i & 0x1) + 8 * (i / 4));
    }
}
