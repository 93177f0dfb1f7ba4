package dev.heddle.isa;

import static dev.heddle.isa.Transcript.sparse;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The rows of B restate figure 121: each register is the next eight rows. C and D are those of
/// dense `mma.m16n8k16`, section 9.7.14.5.8.
@DisplayName("PTX ISA 9.7.14.6.2.2: sparse mma.m16n8k32, f16 and bf16")
final class SparseFragmentM16N8K32HalfTest {
    @Test
    void a() {
        sparse("m16n8k32", Role.A, "f16", "bf16")
                .isVectorOf(4, 2)
                .isStoredFrom(
                        (g, t, i) -> i < 2 || (4 <= i && i < 6) ? g : g + 8,
                        (g, t, i) -> i < 4 ? t * 4 : t * 4 + 16,
                        (g, t, i) -> i < 4 ? t * 4 + 3 : t * 4 + 16 + 3);
    }

    @Test
    void b() {
        sparse("m16n8k32", Role.B, "f16", "bf16")
                .isVectorOf(4, 2)
                .stands((g, t, i) -> t * 2 + (i & 0x1) + 8 * (i / 2), (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF32(Role role) {
        sparse("m16n8k32", role, "f32")
                .whereAIs("f16", "bf16")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF16(Role role) {
        sparse("m16n8k32", role, "f16")
                .isVectorOf(2, 2)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
