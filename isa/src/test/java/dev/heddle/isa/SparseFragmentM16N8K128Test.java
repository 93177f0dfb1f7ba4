package dev.heddle.isa;

import static dev.heddle.isa.Transcript.ordered;
import static dev.heddle.isa.Transcript.sparse;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The rows of B restate figures 142 to 145: each register is the next 32 rows.
/// C and D are those of dense `mma.m16n8k64`, section 9.7.14.5.11. Only ordered metadata has e2m1.
@DisplayName("PTX ISA 9.7.14.6.2.8: sparse mma.m16n8k128, 4-bit types")
final class SparseFragmentM16N8K128Test {
    @Test
    void a() {
        sparse("m16n8k128", Role.A, "u4", "s4")
                .isVectorOf(4, 8)
                .isStoredFrom(
                        (g, t, i) -> i < 8 || (16 <= i && i < 24) ? g : g + 8,
                        (g, t, i) -> i < 16 ? t * 16 : t * 16 + 64,
                        (g, t, i) -> i < 16 ? t * 16 + 15 : t * 16 + 64 + 15);
    }

    @Test
    void aOfE2m1() {
        ordered("m16n8k128", Role.A, "e2m1")
                .isVectorOf(4, 8)
                .isStoredFrom(
                        (g, t, i) -> i < 8 || (16 <= i && i < 24) ? g : g + 8,
                        (g, t, i) -> i < 16 ? t * 16 : t * 16 + 64,
                        (g, t, i) -> i < 16 ? t * 16 + 15 : t * 16 + 64 + 15);
    }

    @Test
    void b() {
        sparse("m16n8k128", Role.B, "u4", "s4")
                .isVectorOf(4, 8)
                .stands((g, t, i) -> t * 8 + (i & 0x7) + 32 * (i / 8), (g, t, i) -> g);
    }

    @Test
    void bOfE2m1() {
        ordered("m16n8k128", Role.B, "e2m1")
                .isVectorOf(4, 8)
                .stands((g, t, i) -> t * 8 + (i & 0x7) + 32 * (i / 8), (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfS32(Role role) {
        sparse("m16n8k128", role, "s32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF32(Role role) {
        ordered("m16n8k128", role, "f32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
