package dev.heddle.isa;

import static dev.heddle.isa.Transcript.ordered;
import static dev.heddle.isa.Transcript.sparse;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The rows of B restate figures 132 to 135: each register is the next sixteen rows.
/// C and D are those of dense `mma.m16n8k16`, section 9.7.14.5.9. Only ordered metadata has the
/// narrow types and `.f16` accumulators.
@DisplayName("PTX ISA 9.7.14.6.2.6: sparse mma.m16n8k64, 8-bit types")
final class SparseFragmentM16N8K64EightBitTest {
    @Test
    void a() {
        sparse("m16n8k64", Role.A, "s8", "u8", "e4m3", "e5m2")
                .isVectorOf(4, 4)
                .isStoredFrom(
                        (g, t, i) -> i < 4 || (8 <= i && i < 12) ? g : g + 8,
                        (g, t, i) -> i < 8 ? t * 8 : t * 8 + 32,
                        (g, t, i) -> i < 8 ? t * 8 + 7 : t * 8 + 32 + 7);
    }

    @Test
    void aOfNarrowTypes() {
        ordered("m16n8k64", Role.A, "e3m2", "e2m3", "e2m1")
                .isVectorOf(4, 4)
                .isStoredFrom(
                        (g, t, i) -> i < 4 || (8 <= i && i < 12) ? g : g + 8,
                        (g, t, i) -> i < 8 ? t * 8 : t * 8 + 32,
                        (g, t, i) -> i < 8 ? t * 8 + 7 : t * 8 + 32 + 7);
    }

    @Test
    void b() {
        sparse("m16n8k64", Role.B, "s8", "u8", "e4m3", "e5m2")
                .isVectorOf(4, 4)
                .stands((g, t, i) -> t * 4 + (i & 0x3) + 16 * (i / 4), (g, t, i) -> g);
    }

    @Test
    void bOfNarrowTypes() {
        ordered("m16n8k64", Role.B, "e3m2", "e2m3", "e2m1")
                .isVectorOf(4, 4)
                .stands((g, t, i) -> t * 4 + (i & 0x3) + 16 * (i / 4), (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfS32(Role role) {
        sparse("m16n8k64", role, "s32")
                .whereAIs("s8", "u8")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF32(Role role) {
        sparse("m16n8k64", role, "f32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF16(Role role) {
        ordered("m16n8k64", role, "f16")
                .isVectorOf(2, 2)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
