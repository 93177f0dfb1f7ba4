package dev.heddle.isa;

import static dev.heddle.isa.Transcript.wgmma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Row of one warp; each further warp of the warpgroup holds the next 16 rows. Columns and
/// rows restate the figures: this section has no formula.
@DisplayName("PTX ISA 9.7.15.5.1.1.2: wgmma.m64nNk8")
final class WgmmaFragmentK8Test {
    @Test
    void a() {
        wgmma(8, Role.A, "tf32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i == 0 || i == 2 ? g : g + 8, (g, t, i) -> i < 2 ? t : t + 4);
    }

    @Test
    void d() {
        wgmma(8, Role.D, "f32")
                .isVectorOfNOver(2)
                .stands(
                        (g, t, i) -> i / 2 % 2 == 0 ? g : g + 8,
                        (g, t, i) -> t * 2 + (i & 0x1) + 8 * (i / 4));
    }
}
