package dev.heddle.isa;

import static dev.heddle.isa.Transcript.sparseWgmma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Row of one warp; each further warp of the warpgroup holds the next 16 rows. Columns and
/// rows restate the figures: this section has no formula.
@DisplayName("PTX ISA 9.7.15.6.2.1: sparse wgmma.m64nNk32")
final class SparseWgmmaFragmentK32Test {
    @Test
    void a() {
        sparseWgmma(32, Role.A, "f16", "bf16")
                .isVectorOf(4, 2)
                .isStoredFrom(
                        (g, t, i) -> i < 2 || (4 <= i && i < 6) ? g : g + 8,
                        (g, t, i) -> i < 4 ? t * 4 : t * 4 + 16,
                        (g, t, i) -> i < 4 ? t * 4 + 3 : t * 4 + 16 + 3);
    }

    @Test
    void dOfF16() {
        sparseWgmma(32, Role.D, "f16")
                .isVectorOfNOver(4)
                .stands(
                        (g, t, i) -> i / 2 % 2 == 0 ? g : g + 8,
                        (g, t, i) -> t * 2 + (i & 0x1) + 8 * (i / 4));
    }

    @Test
    void dOfF32() {
        sparseWgmma(32, Role.D, "f32")
                .isVectorOfNOver(2)
                .stands(
                        (g, t, i) -> i / 2 % 2 == 0 ? g : g + 8,
                        (g, t, i) -> t * 2 + (i & 0x1) + 8 * (i / 4));
    }
}
