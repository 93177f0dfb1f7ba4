package dev.heddle.isa;

import static dev.heddle.isa.Transcript.wgmma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Row of one warp; each further warp of the warpgroup holds the next 16 rows. Columns and
/// rows restate the figures: this section has no formula.
@DisplayName("PTX ISA 9.7.15.5.1.1.3: wgmma.m64nNk32")
final class WgmmaFragmentK32Test {
    @Test
    void a() {
        wgmma(32, Role.A, "s8", "u8", "e4m3", "e5m2")
                .isVectorOf(4, 4)
                .stands(
                        (g, t, i) -> i < 4 || (8 <= i && i < 12) ? g : g + 8,
                        (g, t, i) -> i < 8 ? t * 4 + (i & 0x3) : t * 4 + (i & 0x3) + 16);
    }

    @Test
    void dOfS32() {
        wgmma(32, Role.D, "s32")
                .isVectorOfNOver(2)
                .stands(
                        (g, t, i) -> i / 2 % 2 == 0 ? g : g + 8,
                        (g, t, i) -> t * 2 + (i & 0x1) + 8 * (i / 4));
    }

    @Test
    void dOfF32() {
        wgmma(32, Role.D, "f32")
                .isVectorOfNOver(2)
                .stands(
                        (g, t, i) -> i / 2 % 2 == 0 ? g : g + 8,
                        (g, t, i) -> t * 2 + (i & 0x1) + 8 * (i / 4));
    }

    @Test
    void dOfF16() {
        wgmma(32, Role.D, "f16")
                .isVectorOfNOver(4)
                .stands(
                        (g, t, i) -> i / 2 % 2 == 0 ? g : g + 8,
                        (g, t, i) -> t * 2 + (i & 0x1) + 8 * (i / 4));
    }
}
