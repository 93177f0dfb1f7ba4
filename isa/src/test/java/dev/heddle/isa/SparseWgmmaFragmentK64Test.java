package dev.heddle.isa;

import static dev.heddle.isa.Transcript.sparseWgmma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Row of one warp; each further warp of the warpgroup holds the next 16 rows. Columns and
/// rows restate the figures: this section has no formula.
@DisplayName("PTX ISA 9.7.15.6.2.3: sparse wgmma.m64nNk64")
final class SparseWgmmaFragmentK64Test {
    @Test
    void a() {
        sparseWgmma(64, Role.A, "e4m3", "e5m2", "s8", "u8")
                .isVectorOf(4, 4)
                .isStoredFrom(
                        (g, t, i) -> i < 4 || (8 <= i && i < 12) ? g : g + 8,
                        (g, t, i) -> i < 8 ? t * 8 : t * 8 + 32,
                        (g, t, i) -> i < 8 ? t * 8 + 7 : t * 8 + 32 + 7);
    }

    @Test
    void dOfF16() {
        sparseWgmma(64, Role.D, "f16")
                .isVectorOfNOver(4)
                .stands(
                        (g, t, i) -> i / 2 % 2 == 0 ? g : g + 8,
                        (g, t, i) -> t * 2 + (i & 0x1) + 8 * (i / 4));
    }

    @Test
    void dOfF32() {
        sparseWgmma(64, Role.D, "f32")
                .isVectorOfNOver(2)
                .stands(
                        (g, t, i) -> i / 2 % 2 == 0 ? g : g + 8,
                        (g, t, i) -> t * 2 + (i & 0x1) + 8 * (i / 4));
    }

    @Test
    void dOfS32() {
        sparseWgmma(64, Role.D, "s32")
                .isVectorOfNOver(2)
                .stands(
                        (g, t, i) -> i / 2 % 2 == 0 ? g : g + 8,
                        (g, t, i) -> t * 2 + (i & 0x1) + 8 * (i / 4));
    }
}
