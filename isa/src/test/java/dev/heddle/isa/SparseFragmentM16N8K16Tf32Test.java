package dev.heddle.isa;

import static dev.heddle.isa.Transcript.sparse;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The rows of B restate figure 124: each register is the next four rows. C and D are those of
/// dense `mma.m16n8k16`, section 9.7.14.5.8.
@DisplayName("PTX ISA 9.7.14.6.2.3: sparse mma.m16n8k16, tf32")
final class SparseFragmentM16N8K16Tf32Test {
    @Test
    void a() {
        sparse("m16n8k16", Role.A, "tf32")
                .isVectorOf(4, 1)
                .isStoredFrom(
                        (g, t, i) -> i == 0 || i == 2 ? g : g + 8,
                        (g, t, i) -> i < 2 ? t * 2 : t * 2 + 8,
                        (g, t, i) -> i < 2 ? t * 2 + 1 : t * 2 + 8 + 1);
    }

    @Test
    void b() {
        sparse("m16n8k16", Role.B, "tf32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> t + 4 * i, (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndD(Role role) {
        sparse("m16n8k16", role, "f32")
                .whereAIs("tf32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
