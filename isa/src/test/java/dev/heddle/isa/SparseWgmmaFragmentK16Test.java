package dev.heddle.isa;

import static dev.heddle.isa.Transcript.sparseWgmma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Row of one warp; each further warp of the warpgroup holds the next 16 rows. Columns and
/// rows restate the figures: this section has no formula.
@DisplayName("PTX ISA 9.7.15.6.2.2: sparse wgmma.m64nNk16")
final class SparseWgmmaFragmentK16Test {
    @Test
    void a() {
        sparseWgmma(16, Role.A, "tf32")
                .isVectorOf(4, 1)
                .isStoredFrom(
                        (g, t, i) -> i == 0 || i == 2 ? g : g + 8,
                        (g, t, i) -> i < 2 ? t * 2 : t * 2 + 8,
                        (g, t, i) -> i < 2 ? t * 2 + 1 : t * 2 + 8 + 1);
    }

    @Test
    void d() {
        sparseWgmma(16, Role.D, "f32")
                .isVectorOfNOver(2)
                .stands(
                        (g, t, i) -> i / 2 % 2 == 0 ? g : g + 8,
                        (g, t, i) -> t * 2 + (i & 0x1) + 8 * (i / 4));
    }
}
